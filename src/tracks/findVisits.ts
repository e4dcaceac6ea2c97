/** The visits of a cleaned track to the zones of an index: batch driver of the state machine in `visitMachine.ts`. */

import type { Track } from '../core/fix.js';
import { blindStep } from './blindStep.js';
import { checkRunOptions } from './checkRunOptions.js';
import { checkTrack } from './checkTrack.js';
import { UNKNOWN } from './fixReader.js';
import type { Visit } from './visit.js';
import { atEnd } from './visitMachine.js';
import { readVisitRules, VISIT_OPTIONS, type VisitOptions } from './visitRules.js';
import { VisitStepper } from './visitStepper.js';
import { checkIndex, type ZoneIndexLike } from './zoneIndexLike.js';

/**
 * Every visit of the track to a zone of the index, sorted by `enter`, then by the order of the index. Rules: docs/rules/visits.md.
 *
 * Between two fixes the unit moves straight in lon/lat, at constant speed. `enter` and `exit` are the times at which it crosses the boundary, to
 * the millisecond. The boundary belongs to the zone. A step is a gap if it is blind or longer than `maxGapSeconds` or `maxGapMeters`. A gap ends
 * a visit at its last fix inside, unless the unit was parked. At the end of the track a visit is `open`.
 *
 * Errors: `track-invalid`, `index-type`, `option-type`, `option-unknown`, `option-value`. Cost per fix: one `crossing` query, and O(1) for each
 * zone that contains the fix.
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
  const { time, lon, lat, accuracyMeters, mileageMeters, mileageDeltaMeters } = track;
  const stepper = new VisitStepper(index, rules, { end: (visit) => visits.push(visit) });
  // Two objects for all fixes, so that a step allocates nothing.
  let last = noFix();
  let fix = noFix();
  const read = (i: number): void => {
    fix.time = time[i]!;
    fix.lon = lon[i]!;
    fix.lat = lat[i]!;
    fix.accuracyMeters = accuracyMeters?.[i] ?? UNKNOWN;
    fix.mileageMeters = mileageMeters?.[i] ?? UNKNOWN;
    fix.mileageDeltaMeters = mileageDeltaMeters?.[i] ?? UNKNOWN;
  };
  read(0);
  const dwells = stepper.start(fix);
  for (let i = 1; i < track.length; i++) {
    [last, fix] = [fix, last];
    read(i);
    stepper.step(last, fix, blindStep(track, i), dwells);
  }
  for (const dwell of dwells) {
    const open = atEnd(dwell);
    if (open) visits.push(open);
  }
  return visitsInOrder(visits, index);
}

function noFix() {
  return { time: 0, lon: 0, lat: 0, accuracyMeters: 0, mileageMeters: 0, mileageDeltaMeters: 0 };
}

/** By enter, then by the index's order; visits to one zone keep their order (the sort is stable). */
export function visitsInOrder(visits: Visit[], index: ZoneIndexLike): Visit[] {
  const ordinal = (visit: Visit): number => index.ordinalOf(visit.zoneId) ?? Number.MAX_SAFE_INTEGER;
  return visits.sort((a, b) => a.enter - b.enter || ordinal(a) - ordinal(b));
}
