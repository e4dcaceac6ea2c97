/** The visits of a cleaned track to the zones of an index: batch driver of the state machine in `visitMachine.ts`. */

import type { Track } from '../core/fix.js';
import { blindStep } from './blindStep.js';
import { checkIndex } from './checkIndex.js';
import { checkRunOptions } from './checkRunOptions.js';
import { checkTrack } from './checkTrack.js';
import type { Visit } from './visit.js';
import { atEnd } from './visitMachine.js';
import { readVisitRules, VISIT_OPTIONS, type VisitOptions } from './visitRules.js';
import { VisitStepper } from './visitStepper.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

/**
 * Every visit of the track to a zone of the index, ordered by `enter`, then by the index's order.
 *
 * Between two fixes the unit moves straight in lon/lat and linearly in time; `enter` and `exit` are the times at which this segment
 * crosses the boundary, to the millisecond. The boundary belongs to the zone: a single fix on it is a visit with `enter === exit`; a touch
 * between two fixes is not a visit.
 *
 * - Several intervals inside the zone on one step are several visits. An interval without a fix is `crossed`; on a step of
 *   `maxCrossedMeters` or more it is ignored and does not prolong a visit either.
 * - `exitBufferMeters`, `accuracyCapMeters`: a visit is left at the first fix farther out than
 *   buffer + min(the fix's accuracy, cap); an unknown accuracy adds nothing. Its `exit` is the last outward crossing of
 *   the zone's own boundary before that fix. With a buffer no absence between two fixes ends a visit.
 * - `minInsideSeconds`: a dwell that is shorter, from `enter` to the last moment inside, is not a visit.
 *   `minOutsideSeconds`: a shorter absence does not end a visit. Both compare whole milliseconds, ≥.
 * - A blind step (see `Track.blind`), one longer than `maxGapSeconds` or `maxGapMeters`, or of exactly 180° of longitude, is a gap. A visit ends at its last fix
 *   inside (`gap`, bounds up to the next fix), even if a fix within buffer and accuracy follows. A visit that was left beyond these ends
 *   at that crossing (`left`). An unconfirmed entry is dropped. A unit whose fixes at both ends of the gap are inside and at most
 *   `parkedMeters` apart is parked: its visit continues, but never over a `frozen` step.
 * - At the end of the track a visit is `open`, also if the unit went out but the exit is not confirmed.
 *
 * Errors: `track-invalid`, `index-type`, `option-type`, `option-unknown`, `option-value`.
 * Cost: one `crossing` query a fix, and O(1) for each zone that it is in.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { findVisits, readTrack } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const track = readTrack([0, 60, 120].map((s, i) => ({ time: 1772438400000 + s * 1000, lon: 37.58 + 0.02 * i, lat: 55.7 })));
 * findVisits(track, index).map(({ zoneId, seen, end }) => [zoneId, seen, end]); // [['depot', 'inside', 'left']]
 * ```
 */
export function findVisits(track: Track, index: ZoneIndexLike, options: VisitOptions = {}): Visit[] {
  checkRunOptions(options, VISIT_OPTIONS);
  const rules = readVisitRules(options);
  checkTrack(track);
  checkIndex(index);
  const visits: Visit[] = [];
  if (track.length === 0) return visits;
  const { time, lon, lat, accuracyMeters } = track;
  const stepper = new VisitStepper(index, rules, { end: (visit) => visits.push(visit) });
  const last = { time: time[0] as number, lon: lon[0] as number, lat: lat[0] as number };
  const fix = { ...last, accuracyMeters: 0 };
  const dwells = stepper.start(last);
  for (let i = 1; i < track.length; i++) {
    fix.time = time[i] as number;
    fix.lon = lon[i] as number;
    fix.lat = lat[i] as number;
    fix.accuracyMeters = accuracyMeters?.[i] ?? 0;
    stepper.step(last, fix, blindStep(track, i), dwells);
    last.time = fix.time;
    last.lon = fix.lon;
    last.lat = fix.lat;
  }
  for (const dwell of dwells) {
    const open = atEnd(dwell);
    if (open) visits.push(open);
  }
  return visitsInOrder(visits, index);
}

/** By enter, then by the index's order; visits to one zone keep their order (the sort is stable). */
export function visitsInOrder(visits: Visit[], index: ZoneIndexLike): Visit[] {
  const ordinal = (visit: Visit): number => index.ordinalOf(visit.zoneId) ?? Number.MAX_SAFE_INTEGER;
  return visits.sort((a, b) => a.enter - b.enter || ordinal(a) - ordinal(b));
}
