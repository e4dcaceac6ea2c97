/** Cuts a track into runs of one colour by speed. */

import { lonStep, wrapLon } from '../core/angles.js';
import { isHexColor } from '../core/dictionaries.js';
import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import type { Track } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { guarded } from '../core/input.js';
import { type OptionTable, readOptions } from '../core/options.js';
import type { GradationStyle, TrackGradation } from '../core/trackSettings.js';
import { geodesicDistance } from '../geodesy/distanceMeters.js';
import { blindStep, isGapStep } from './blindStep.js';
import { checkTrack } from './checkTrack.js';
import { KPH_PER_METER_PER_MS } from './fixReader.js';
import { timeAt } from './visitMachine.js';

/** A part of a track of one colour. */
export interface GradedRun {
  /** `#rrggbb`. */
  readonly hex_color: string;
  /** Epoch ms. A time between two fixes is rounded. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly to: number;
  /** `[lon, lat]` of the fixes, and of the crossings at the ends of the run. */
  readonly points: readonly Position[];
}

/** Options of `gradeTrack`. */
export interface GradationOptions {
  /** A longer time between two fixes ends the run, seconds. A blind step also ends it. Default 3600; `Infinity`: only blind steps end it. */
  readonly maxGapSeconds?: number | undefined;
}

const OPTIONS: OptionTable<GradationOptions> = { maxGapSeconds: { default: 3600 } };

/** The speed along a step, km/h: linear in time from `start` to `end`. */
interface SpeedRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The track as runs of one colour, in order of time. `hex_color` is the colour of the first style whose `max` (km/h) is not exceeded.
 *
 * Between two fixes speed and position are linear in time. A run ends exactly where the speed crosses a limit, and the next run begins there. A
 * speed equal to `max` belongs to that style. A touch of a limit makes no run. If one of the two fixes has no speed, the speed of the step is
 * its distance divided by its time. A gap longer than `maxGapSeconds`, a blind step and a step of exactly 180° of longitude end a run. A fix
 * without a step on either side is in no run. Across the antimeridian the points continue on the other side.
 *
 * `max` must increase from style to style, and the last `max` is null. Colours are `#rrggbb`. Errors: `gradation-invalid` with the field,
 * `track-invalid`, `option-type`, `option-value`. Cost: O(n · styles).
 *
 * @example
 * ```ts
 * import { gradeTrack, readTrack } from 'wayzone/tracks';
 * const track = readTrack([20, 60].map((speedKph, i) => ({ time: 1772438400000 + i * 60000, lon: 37.6 + 0.01 * i, lat: 55.7, speedKph })));
 * const styles = [{ max: 50, hex_color: '#1BB934' }, { max: null, hex_color: '#F56C6C' }];
 * gradeTrack(track, { styles }).map(({ hex_color, from, to }) => [hex_color, (to - from) / 1000]); // [['#1BB934', 45], ['#F56C6C', 15]]
 * ```
 */
export function gradeTrack(track: Track, gradation: TrackGradation, options?: GradationOptions): GradedRun[] {
  const styles = readStyles(gradation);
  const maxGapMs = 1000 * readOptions(options, OPTIONS).maxGapSeconds;
  checkTrack(track);
  const runs = new Runs(styles);
  for (let i = 1; i < track.length; i++) {
    const step = stepTo(track, i);
    const { start, end, startTime, endTime } = step;
    if (isGapStep(endTime - startTime, start[0], end[0], maxGapMs, blindStep(track, i))) runs.breakOff();
    else gradeStep(step, speedsOf(track, step, i), styles, runs);
  }
  return runs.list;
}

interface Step {
  readonly startTime: number;
  readonly endTime: number;
  readonly start: Position;
  readonly end: Position;
  readonly lonSpan: number;
}

function stepTo({ time, lon, lat }: Track, i: number): Step {
  const start = [lon[i - 1] as number, lat[i - 1] as number] as const;
  const end = [lon[i] as number, lat[i] as number] as const;
  return {
    startTime: time[i - 1] as number,
    endTime: time[i] as number,
    start,
    end,
    lonSpan: lonStep(start[0], end[0]),
  };
}

function speedsOf(track: Track, { start, end, startTime, endTime }: Step, i: number): SpeedRange {
  const from = track.speedKph?.[i - 1] ?? -1;
  const to = track.speedKph?.[i] ?? -1;
  if (from >= 0 && to >= 0) return { start: from, end: to };
  const own = (geodesicDistance(...start, ...end) * KPH_PER_METER_PER_MS) / (endTime - startTime);
  return { start: own, end: own };
}

/** Adds a step to the runs, cut where the speed crosses a limit. */
function gradeStep(
  step: Step,
  { start, end }: SpeedRange,
  styles: readonly GradationStyle[],
  runs: Runs,
): void {
  const isRising = end > start;
  // Just after the start of a rise a speed equal to `max` is beyond it.
  let style = styles.findIndex(({ max }) => max === null || (isRising ? start < max : start <= max));
  let from = 0;
  for (;;) {
    const limit = styles[isRising ? style : style - 1]?.max ?? null;
    const isCrossed = limit !== null && (isRising ? limit < end : limit > end);
    const to = isCrossed ? (limit - start) / (end - start) : 1;
    runs.add(style, step, from, to);
    if (!isCrossed) return;
    style += isRising ? 1 : -1;
    from = to;
  }
}

/** Joins successive parts of one style. */
class Runs {
  readonly list: GradedRun[] = [];
  readonly #styles: readonly GradationStyle[];
  #style = -1;
  #points: Position[] = [];

  constructor(styles: readonly GradationStyle[]) {
    this.#styles = styles;
  }

  breakOff(): void {
    this.#style = -1;
  }

  add(style: number, step: Step, from: number, to: number): void {
    const end = positionOnStep(step, to);
    if (style === this.#style) {
      this.#points.push(end);
      this.list.push({ ...(this.list.pop() as GradedRun), to: timeAt(step, to) });
      return;
    }
    this.#style = style;
    this.#points = [positionOnStep(step, from), end];
    this.list.push({
      hex_color: (this.#styles[style] as GradationStyle).hex_color,
      from: timeAt(step, from),
      to: timeAt(step, to),
      points: this.#points,
    });
  }
}

function positionOnStep({ start, end, lonSpan }: Step, fraction: number): Position {
  if (fraction === 0) return start;
  if (fraction === 1) return end;
  return [wrapLon(start[0] + fraction * lonSpan), start[1] + fraction * (end[1] - start[1])];
}

function readStyles(gradation: unknown): readonly GradationStyle[] {
  const invalid = (field: string, what: string, received: unknown): WayzoneError =>
    inputError('gradation-invalid', field, what, received);
  return guarded('gradation', () => {
    const styles = (gradation as Partial<TrackGradation> | null | undefined)?.styles;
    if (!isArray(styles) || styles.length === 0) throw invalid('styles', 'a list of styles', styles);
    let last = Number.NEGATIVE_INFINITY;
    // Not `map`, which skips the holes of a sparse list.
    return Array.from(styles, (style: unknown, i) => {
      const { max, hex_color } = (style ?? {}) as { max?: unknown; hex_color?: unknown };
      if (!isHexColor(hex_color)) throw invalid(`styles[${i}].hex_color`, 'a colour #rrggbb', hex_color);
      if (i === styles.length - 1) {
        if (max !== null) throw invalid(`styles[${i}].max`, 'null for the last style', max);
        return { max, hex_color };
      }
      if (typeof max !== 'number' || !(max > last && max < Number.POSITIVE_INFINITY)) {
        throw invalid(`styles[${i}].max`, 'a speed above that of the style before', max);
      }
      last = max;
      return { max, hex_color };
    });
  });
}
