/** Finds the spans in which a track is outside the corridor around a route. */

import type { Track } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { readNumber } from '../../core/input.js';
import { type OptionTable, readOptions } from '../../core/options.js';
import type { ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { nearestFrom } from '../../geodesy/nearEdges.js';
import { MAX_LINE_WIDTH_METERS } from '../../zones/kinds/index.js';
import { readShape } from '../../zones/readShape.js';
import { blindStep, isGapStep } from '../blindStep.js';
import { checkTrack } from '../checkTrack.js';
import { type Deviation, DeviationWalk, noAbsence } from './deviationWalk.js';
import { type PreparedRoute, routeLineOf } from './prepareRoute.js';
import { RouteLine } from './routeLine.js';

/** Options of `findDeviations`. */
export interface DeviationOptions extends Pick<ZoneOptions, 'axisOrder' | 'lineWidth'> {
  /** Shorter absences are left out (≥). Default 0. */
  readonly minSeconds?: number | undefined;
  /** Distance beyond the corridor that an absence must exceed, metres. Default 0. */
  readonly exitBufferMeters?: number | undefined;
  /** A longer time between two fixes is a gap and ends an absence, seconds. Default 3600; `Infinity`: never. */
  readonly maxGapSeconds?: number | undefined;
}

const OPTIONS: OptionTable<DeviationOptions> = {
  minSeconds: { default: 0 },
  exitBufferMeters: { default: 0 },
  maxGapSeconds: { default: 3600 },
  axisOrder: ZONE_OPTIONS.axisOrder,
  lineWidth: ZONE_OPTIONS.lineWidth,
};

/**
 * The absences of a track from the corridor around a line, in order of time. Rules of absences: docs/rules/routes.md.
 *
 * `line` are positions or a route of `prepareRoute`. `widthMeters` is the whole width of the corridor (`lineWidth: 'each-side'`: half of it). An
 * absence counts if it lasts `minSeconds` and the unit is more than `exitBufferMeters` beyond the corridor, also between two fixes.
 *
 * Accuracy: an absence that is nowhere 0.1 mm beyond the corridor may be left out. `maxMeters` is at most 1 cm (beyond 1 km: 1e-5 of it) below
 * the true greatest distance. Errors: `track-invalid`, `option-type`, `option-value`, and the errors of a line zone (`line-too-short`,
 * `width-range`, `lat-range`, …). Cost: O(log n) a fix for n edges, O(log n + edges near it) for a step across the boundary, and O(n) once for a
 * line that is not prepared.
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
  line: readonly Position[] | PreparedRoute,
  widthMeters: number,
  options?: DeviationOptions,
): Deviation[] {
  const { minSeconds, exitBufferMeters, maxGapSeconds, ...zoneOptions } = readOptions(options, OPTIONS);
  const maxGapMs = maxGapSeconds * 1000;
  checkTrack(track);
  const { route, halfWidth } = readCorridorLine(line, widthMeters, zoneOptions);
  const found: Deviation[] = [];
  if (track.length === 0) return found;
  const walk = new DeviationWalk(route, { halfWidth, exitBufferMeters, minMs: minSeconds * 1000 });
  const state = noAbsence();
  const collect = (deviation: Deviation | null): void => {
    if (deviation !== null) found.push(deviation);
  };
  const { time, lon, lat } = track;
  const { tree } = route;
  walk.begin(state, time[0]!, tree.nearest(lon[0]!, lat[0]!, halfWidth), tree.edge);
  for (let i = 1; i < track.length; i++) {
    const [before, now] = [time[i - 1]!, time[i]!];
    const meters = nearestFrom(tree, state.edge, lon[i]!, lat[i]!, halfWidth);
    if (isGapStep(now - before, lon[i - 1]!, lon[i]!, maxGapMs, blindStep(track, i))) {
      collect(walk.absenceUntil(state, before));
      walk.begin(state, now, meters, tree.edge);
    } else {
      walk.step(state, before, lon[i - 1]!, lat[i - 1]!, now, lon[i]!, lat[i]!, meters, tree.edge, collect);
    }
  }
  collect(walk.absenceUntil(state, time[track.length - 1]!));
  return found;
}

function readCorridorLine(
  line: unknown,
  widthMeters: unknown,
  zoneOptions: Pick<ZoneOptions, 'axisOrder' | 'lineWidth'>,
): { route: RouteLine; halfWidth: number } {
  const prepared = routeLineOf(line);
  if (prepared === null) {
    const shape = { type: { key: 'line' }, geometry: line, width: widthMeters } as never;
    const normal = readShape(shape, zoneOptions);
    if (normal.key === 'line') return { route: new RouteLine(normal.coords), halfWidth: normal.halfWidth };
  }
  const width = readNumber(widthMeters, 'width', 'width-range', Number.MIN_VALUE, MAX_LINE_WIDTH_METERS);
  return { route: prepared!, halfWidth: zoneOptions.lineWidth === 'each-side' ? width : width / 2 };
}
