/** Where a track leaves the corridor around a route. */

import type { Track } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { type OptionTable, readOptions } from '../core/options.js';
import type { ZoneOptions } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import { makeEdge } from '../geodesy/edge.js';
import { type PreparedZone, prepareZone } from '../zones/preparedZone.js';
import { readShape } from '../zones/readShape.js';
import { blindStep } from './blindStep.js';
import { checkTrack } from './checkTrack.js';
import { isGapStep } from './isGapStep.js';
import { LineRuler } from './lineRuler.js';

/** Options of `findDeviations`. */
export interface DeviationOptions extends Pick<ZoneOptions, 'axisOrder' | 'lineWidth'> {
  /** Shorter absences are left out (≥). Default 0. */
  readonly minSeconds?: number;
  /** Metres beyond the corridor that an absence must exceed. Default 0. */
  readonly exitBufferMeters?: number;
  /** A longer time between two fixes, or a blind step, is a gap, which ends an absence. Default 3600; `Infinity`: blind steps only. */
  readonly maxGapSeconds?: number;
}

const OPTIONS: OptionTable<DeviationOptions> = {
  minSeconds: { default: 0 },
  exitBufferMeters: { default: 0 },
  maxGapSeconds: { default: 3600 },
  axisOrder: ZONE_OPTIONS.axisOrder,
  lineWidth: ZONE_OPTIONS.lineWidth,
};

/** A time that the unit spent outside the corridor of a line. */
export interface Deviation {
  /** Epoch ms: when the unit crosses the boundary outward, else the first fix outside. */
  readonly from: number;
  /** Epoch ms: when it comes back, else the last fix outside. */
  readonly to: number;
  /** The greatest distance from the line, not from the corridor. */
  readonly maxMeters: number;
}

/**
 * The absences of a track from the corridor around a line, in order of time.
 *
 * `line` are positions, `widthMeters` the corridor's whole width (`lineWidth: 'each-side'`: half of it); the boundary is inside. Between two
 * fixes the unit moves straight in lon/lat and linearly in time, as for `findVisits`. An absence is a whole stretch of time outside:
 * it counts when it lasts `minSeconds` and somewhere on it, between two fixes too, the unit is more than `exitBufferMeters` beyond the
 * corridor. A touch of the boundary between two fixes does not split it. A gap longer than `maxGapSeconds`, a step of exactly 180° of
 * longitude and the ends of the track cut it.
 *
 * `maxMeters` is at most 1 cm (beyond 1 km: 1e-5 of it) below the true greatest distance.
 * Errors: `track-invalid`, `option-type`, `option-value`, and those of a line zone (`line-too-short`, `width-range`, `lat-range`, …).
 * Cost: O(edges) a fix; a step outside some distances more.
 *
 * @example
 * ```ts
 * import { findDeviations, readTrack } from 'wayzone/tracks';
 * const lats = [55.7, 55.7, 55.702, 55.7];
 * const track = readTrack(lats.map((lat, i) => ({ time: 1772438400000 + i * 60000, lon: 37.6 + 0.01 * i, lat })));
 * const [deviation] = findDeviations(track, [[37.6, 55.7], [37.7, 55.7]], 100);
 * Math.round(deviation.maxMeters); // 223
 * ```
 */
export function findDeviations(
  track: Track,
  line: readonly Position[],
  widthMeters: number,
  options?: DeviationOptions,
): Deviation[] {
  const { minSeconds, exitBufferMeters, maxGapSeconds, ...zoneOptions } = readOptions(options, OPTIONS);
  const minMs = minSeconds * 1000;
  const maxGapMs = maxGapSeconds * 1000;
  checkTrack(track);
  const shape = { type: { key: 'line' }, geometry: line, width: widthMeters } as const;
  const normal = readShape(shape, zoneOptions);
  if (normal.key !== 'line' || track.length === 0) return [];
  const zone = prepareZone(shape, zoneOptions);
  const walk = new Walk(new LineRuler(normal.coords), normal.halfWidth + exitBufferMeters, minMs);
  const { time, lon, lat } = track;
  walk.begin(track, 0, zone);
  for (let i = 1; i < track.length; i++) {
    if (isGapStep(time[i]! - time[i - 1]!, lon[i - 1]!, lon[i]!, maxGapMs, blindStep(track, i))) {
      walk.end(time[i - 1] as number);
      walk.begin(track, i, zone);
    } else if (lon[i] !== lon[i - 1] || lat[i] !== lat[i - 1]) {
      walk.step(track, i, zone);
    }
  }
  walk.end(time[track.length - 1] as number);
  return walk.found;
}

/** Collects the absences of one track. */
class Walk {
  readonly found: Deviation[] = [];
  readonly #ruler: LineRuler;
  readonly #beyondMeters: number;
  readonly #minMs: number;
  /** When the unit left the corridor; `null` while it is inside. */
  #outSince: number | null = null;
  #maxMeters = 0;

  constructor(ruler: LineRuler, beyondMeters: number, minMs: number) {
    this.#ruler = ruler;
    this.#beyondMeters = beyondMeters;
    this.#minMs = minMs;
  }

  /** At the first fix, or the first after a gap. */
  begin({ time, lon, lat }: Track, i: number, zone: PreparedZone): void {
    const here = makeEdge(lon[i] as number, lat[i] as number, lon[i] as number, lat[i] as number);
    const isInside = zone.contains(here.lonA, here.latA);
    this.#outSince = isInside ? null : (time[i] as number);
    this.#maxMeters = isInside ? 0 : this.#ruler.farthest(here, 0, 1);
  }

  /** Ends the current absence, if any. */
  end(time: number): void {
    const from = this.#outSince;
    if (from !== null && time - from >= this.#minMs && this.#maxMeters > this.#beyondMeters) {
      this.found.push({ from, to: time, maxMeters: this.#maxMeters });
    }
    this.#outSince = null;
  }

  step({ time, lon, lat }: Track, i: number, zone: PreparedZone): void {
    const step = makeEdge(lon[i - 1] as number, lat[i - 1] as number, lon[i] as number, lat[i] as number);
    const intervals = zone.intervals(step.lonA, step.latA, step.lonB, step.latB);
    const [startTime, endTime] = [time[i - 1] as number, time[i] as number];
    const timeAt = (fraction: number): number => startTime + Math.round(fraction * (endTime - startTime));
    let outFrom = 0;
    for (let k = 0; k < intervals.length; k += 2) {
      const [from, to] = [intervals[k] as number, intervals[k + 1] as number];
      const isTouch = from === to && from > 0 && to < 1;
      if (isTouch) continue;
      if (from > outFrom) this.#outside(step, outFrom, from, timeAt(outFrom));
      this.end(timeAt(from));
      outFrom = to;
    }
    if (outFrom < 1) this.#outside(step, outFrom, 1, timeAt(outFrom));
  }

  #outside(step: ReturnType<typeof makeEdge>, from: number, to: number, time: number): void {
    if (this.#outSince === null) {
      this.#outSince = time;
      this.#maxMeters = 0;
    }
    this.#maxMeters = Math.max(this.#maxMeters, this.#ruler.farthest(step, from, to));
  }
}
