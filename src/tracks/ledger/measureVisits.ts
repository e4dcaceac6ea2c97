/** `measureVisits`: what a unit did in each of its visits. */

import type { Measure } from '../meter/measure.js';
import type { TrackMeter } from '../meter/trackMeter.js';
import type { Visit } from '../visit.js';
import { checkMeter, readStays } from './readSpans.js';

/** A visit with measures of the unit's driving and resting. */
export interface MeasuredVisit extends Visit {
  /** Of `[enter, exit)`; of an open visit up to the last fix. */
  readonly measure: Measure;
  /** Seconds from the `exit` of the zone's visit before to this `enter`; null for the zone's first visit. */
  readonly secondsSinceLast: number | null;
}

/**
 * The visits with `measure` and `secondsSinceLast`, in the same order. `meter` belongs to the track of the visits.
 *
 * The measured span is `[enter, exit)`, for an open visit `[enter, meter.to)`. In overlapping zones each visit has the whole span. A visit ends
 * at its last fix before a gap, so it contains no gap. One exception: a visit may go on over a gap because both fixes are near. If the mileage
 * grew in this gap, its time is `unmeasuredSeconds`.
 *
 * Errors: `visits-type`, `visit-invalid`, `meter-invalid`. Cost: O(log n) a visit.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { findVisits, measureVisits, meterTrack, readTrack } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const track = readTrack([0, 60, 120].map((s, i) => ({ time: 1772438400000 + s * 1000, lon: 37.58 + 0.02 * i, lat: 55.7 })));
 * const [visit] = measureVisits(findVisits(track, index), meterTrack(track));
 * [Math.round(visit.measure.distanceMeters), visit.secondsSinceLast]; // [1000, null]
 * ```
 */
export function measureVisits(visits: readonly Visit[], meter: TrackMeter): MeasuredVisit[] {
  checkMeter(meter);
  const lastExits = new Map<string, number | null>();
  return readStays<Visit>(visits).map((visit) => {
    const { zoneId, enter, exit } = visit;
    const until = exit ?? Math.max(enter, meter.to ?? enter);
    const lastExit = lastExits.get(zoneId) ?? null;
    lastExits.set(zoneId, exit);
    return withMeasure(visit, meter.between(enter, until), lastExit);
  });
}

/** The visit with its measure. `lastExit` is that of the zone's visit before. */
export function withMeasure(visit: Visit, measure: Measure, lastExit: number | null): MeasuredVisit {
  const secondsSinceLast = lastExit === null ? null : (visit.enter - lastExit) / 1000;
  // V8 takes ten times as long for `{ ...visit, measure, … }`.
  return Object.assign({}, visit, { measure, secondsSinceLast });
}
