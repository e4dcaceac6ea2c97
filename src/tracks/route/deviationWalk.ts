/** Follows a unit along its fixes and collects its absences from the corridor around a line. */

import { DEGREES_TO_RADIANS, lonStep } from '../../core/angles.js';
import { edgePieceBound, makeEdge } from '../../geodesy/edge.js';
import { MAX_RADIUS } from '../../geodesy/ellipsoid.js';
import { fractionsNear } from '../../geodesy/fractionsNear.js';
import { LineRuler, type Probe } from './lineRuler.js';
import type { RouteLine } from './routeLine.js';

/** A time that the unit spent outside the corridor of a line. */
export interface Deviation {
  /** Epoch ms: time at which the unit crosses the boundary outward, else the first fix outside. */
  readonly from: number;
  /** Epoch ms: time at which the unit comes back, else the last fix outside. */
  readonly to: number;
  /** The greatest distance from the line, not from the corridor. */
  readonly maxMeters: number;
}

/** Plain data: what is known of an absence that may still last. */
export interface Absence {
  /** When the unit left the corridor; `null` while it is inside. */
  outSince: number | null;
  maxMeters: number;
  /** Distance of the last fix from the line, and the edge that is nearest to it. */
  meters: number;
  edge: number;
}

export function noAbsence(): Absence {
  return { outSince: null, maxMeters: 0, meters: 0, edge: 0 };
}

export interface DeviationRules {
  readonly halfWidth: number;
  readonly exitBufferMeters: number;
  readonly minMs: number;
}

/** Metres that a step is long at most: most steps inside a corridor are too short to leave it. */
function lengthAtMost(fromLon: number, fromLat: number, lon: number, lat: number): number {
  const [east, north] = [lonStep(fromLon, lon), lat - fromLat];
  return MAX_RADIUS * DEGREES_TO_RADIANS * Math.sqrt(east * east + north * north);
}

export class DeviationWalk {
  readonly #line: RouteLine;
  readonly #ruler: LineRuler;
  readonly #rules: DeviationRules;

  constructor(line: RouteLine, rules: DeviationRules) {
    this.#line = line;
    this.#ruler = new LineRuler(line.tree);
    this.#rules = rules;
  }

  /** At the first fix, or the first after a gap. `meters` and `edge` are the least distance from the line and its edge. */
  begin(state: Absence, time: number, meters: number, edge: number): void {
    state.meters = meters;
    state.edge = edge;
    const isInside = state.meters <= this.#rules.halfWidth;
    state.outSince = isInside ? null : time;
    state.maxMeters = isInside ? 0 : state.meters;
  }

  /** The absence, if it counts when it ends at `time`; `null` if there is none. */
  absenceUntil({ outSince, maxMeters }: Absence, time: number): Deviation | null {
    const { halfWidth, exitBufferMeters, minMs } = this.#rules;
    if (outSince === null || time - outSince < minMs || !(maxMeters > halfWidth + exitBufferMeters))
      return null;
    return { from: outSince, to: time, maxMeters };
  }

  /** Over one step, with the least distance of its end; `found` takes each absence that ends on it. */
  step(
    state: Absence,
    startTime: number,
    fromLon: number,
    fromLat: number,
    endTime: number,
    lon: number,
    lat: number,
    meters: number,
    edge: number,
    found: (deviation: Deviation) => void,
  ): void {
    if (lon === fromLon && lat === fromLat) return;
    const { halfWidth } = this.#rules;
    const start: Probe = { t: 0, meters: state.meters, edge: state.edge };
    state.meters = meters;
    state.edge = edge;
    if (
      state.outSince === null &&
      start.meters + meters + lengthAtMost(fromLon, fromLat, lon, lat) < 2 * halfWidth
    )
      return;
    const end: Probe = { t: 1, meters, edge };
    const step = makeEdge(fromLon, fromLat, lon, lat);
    const length = edgePieceBound(step, 0, 1);
    if (state.outSince === null) {
      if (end.meters <= halfWidth && this.#ruler.isWithin(step, start, end, halfWidth)) return;
    } else if (length < start.meters + end.meters - 2 * halfWidth) {
      // Most steps of an absence are too short to reach the corridor.
      state.maxMeters = this.#ruler.farthest(step, start, end, state.maxMeters);
      return;
    }
    const intervals = fractionsNear(this.#line.tree, step, halfWidth, start.meters, end.meters);
    const timeAt = (fraction: number): number => startTime + Math.round(fraction * (endTime - startTime));
    const outside = (from: number, to: number): void => {
      if (state.outSince === null) {
        state.outSince = timeAt(from);
        state.maxMeters = 0;
      }
      state.maxMeters = this.#ruler.farthest(
        step,
        from === 0 ? start : from,
        to === 1 ? end : to,
        state.maxMeters,
      );
    };
    let outFrom = 0;
    for (let k = 0; k < intervals.length; k += 2) {
      const [from, to] = [intervals[k]!, intervals[k + 1]!];
      const isTouch = from === to && from > 0 && to < 1;
      if (isTouch) continue;
      if (from > outFrom) outside(outFrom, from);
      const deviation = this.absenceUntil(state, timeAt(from));
      if (deviation !== null) found(deviation);
      state.outSince = null;
      outFrom = to;
    }
    if (outFrom < 1) outside(outFrom, 1);
  }
}
