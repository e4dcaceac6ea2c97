/** The visits of a cleaned track to the zones of an index: batch driver of the state machine in `visitMachine.ts`. */

import { lonStep } from '../core/angles.js';
import { expected, WayzoneError } from '../core/errors.js';
import type { Track } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { geodesicDistance } from '../geodesy/inverse.js';
import type { Visit, VisitOptions } from './visit.js';
import { acrossGap, atEnd, atStart, type Segment, type Stay, throughSegment } from './visitMachine.js';
import { readVisitRules, type VisitRules } from './visitOptions.js';
import type { ZoneIndexLike } from './zoneIndexLike.js';

/**
 * Every visit of the track to a zone of the index, ordered by `enter`, then by the index's order.
 *
 * Between two fixes the unit moves straight in lon/lat and linearly in time; `enter` and `exit` are where that way
 * crosses the boundary, to the millisecond. The boundary is inside: a lone fix on it is a visit with `enter === exit`,
 * a touch between two fixes is none.
 *
 * - Several stays on one step are several visits; those without a fix inside are `crossed`, and only on steps shorter
 *   than `maxCrossedMeters`. On a longer step a stay without a fix counts for nothing, not even for prolonging a visit.
 * - `exitBufferMeters`, `accuracyCapMeters`: a visit is left at the first fix farther out than
 *   buffer + min(the fix's accuracy, cap); an unknown accuracy adds nothing. Its `exit` is the last outward crossing of
 *   the zone's own boundary before that fix. With a buffer no absence between two fixes ends a visit.
 * - `minInsideSeconds`: a stay that is shorter, from `enter` to its last moment inside before it was left, is no visit.
 *   `minOutsideSeconds`: a shorter absence does not end a visit. Both compare whole milliseconds, ≥.
 * - A step longer than `maxGapSeconds` or `maxGapMeters`, or of exactly 180° of longitude, is a gap: a visit whose last
 *   fix is inside ends there (`gap`, bounds up to the next fix), one that already went out ends at that crossing
 *   (`left`), an entry not yet confirmed is dropped. A unit that is inside at both ends of the gap and at most
 *   `parkedMeters` apart is asleep: its visit goes on.
 * - At the end of the track a visit is `open`, also when it went out but that is not confirmed.
 *
 * Errors: `track-invalid`, `option-type`, `option-value`.
 * Cost: one `crossing` query a fix, and O(1) for each zone that it is in.
 *
 * @example
 * ```ts
 * import { findVisits } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const track = readTrack([0, 60, 120].map((s, i) => ({ time: 1772438400000 + s * 1000, lon: 37.58 + 0.02 * i, lat: 55.7 })));
 * findVisits(track, index).map(({ zoneId, seen, end }) => [zoneId, seen, end]); // [['depot', 'inside', 'left']]
 * ```
 */
export function findVisits(track: Track, index: ZoneIndexLike, options?: VisitOptions): Visit[] {
  const rules = readVisitRules(options);
  checkTrack(track);
  const visits: Visit[] = [];
  const stays = new Map<string, Stay>();
  if (track.length === 0) return visits;
  for (const id of index.at(positionOf(track, 0))) stays.set(id, atStart(id, timeOf(track, 0), rules));
  for (let i = 1; i < track.length; i++) {
    if (isGap(track, i, rules)) passGap(track, i, index, rules, stays, visits);
    else passSegment(track, i, index, rules, stays, visits);
  }
  for (const stay of stays.values()) {
    const open = atEnd(stay);
    if (open) visits.push(open);
  }
  return inOrder(visits, index);
}

function passSegment(
  track: Track,
  i: number,
  index: ZoneIndexLike,
  rules: VisitRules,
  stays: Map<string, Stay>,
  visits: Visit[],
): void {
  const fractions = fractionsByZone(track, i, index, stays);
  if (stays.size === 0 && fractions.size === 0) return;
  for (const id of stays.keys()) if (!fractions.has(id)) fractions.set(id, []);
  const segment = segmentTo(track, i, index, rules);
  for (const [id, list] of fractions) {
    keep(stays, id, throughSegment(stays.get(id) ?? null, id, segment, list, rules, visits));
  }
}

/** The stays on the step to fix `i`; a step that does not move stays where the unit is, without asking the index. */
function fractionsByZone(
  track: Track,
  i: number,
  index: ZoneIndexLike,
  stays: ReadonlyMap<string, Stay>,
): Map<string, number[]> {
  const fractions = new Map<string, number[]>();
  if (track.lon[i] === track.lon[i - 1] && track.lat[i] === track.lat[i - 1]) {
    for (const stay of stays.values()) fractions.set(stay.zoneId, stay.exit ? [] : [0, 1]);
    return fractions;
  }
  for (const { id, from, to } of index.crossing(positionOf(track, i - 1), positionOf(track, i))) {
    const list = fractions.get(id);
    if (list) list.push(from, to);
    else fractions.set(id, [from, to]);
  }
  return fractions;
}

function segmentTo(track: Track, i: number, index: ZoneIndexLike, rules: VisitRules): Segment {
  let crossable: boolean | undefined;
  return {
    startTime: timeOf(track, i - 1),
    endTime: timeOf(track, i),
    crossable: () => {
      crossable ??= stepMeters(track, i) < rules.maxCrossedMeters;
      return crossable;
    },
    leftAtEnd: (zoneId) => {
      const accuracy = track.accuracyMeters?.[i] ?? 0;
      const allowance =
        rules.exitBufferMeters + (accuracy > 0 ? Math.min(accuracy, rules.accuracyCapMeters) : 0);
      if (allowance === 0) return true;
      const [lon, lat] = positionOf(track, i);
      const zone = index.prepared(zoneId);
      return !zone || zone.signedDistanceMeters(lon, lat) > allowance;
    },
  };
}

function passGap(
  track: Track,
  i: number,
  index: ZoneIndexLike,
  rules: VisitRules,
  stays: Map<string, Stay>,
  visits: Visit[],
): void {
  const inside = new Set(index.at(positionOf(track, i)));
  const times = [timeOf(track, i - 1), timeOf(track, i)] as const;
  const isNear = inside.size > 0 && stays.size > 0 && stepMeters(track, i) <= rules.parkedMeters;
  for (const id of new Set([...stays.keys(), ...inside])) {
    const stay = stays.get(id) ?? null;
    const wasInside = stay !== null && stay.exit === null;
    const next = !inside.has(id) ? 'outside' : isNear && wasInside ? 'parked' : 'inside';
    keep(stays, id, acrossGap(stay, id, times, next, rules, visits));
  }
}

function isGap(track: Track, i: number, rules: VisitRules): boolean {
  if (timeOf(track, i) - timeOf(track, i - 1) > rules.maxGapMs) return true;
  if (Math.abs(lonStep(track.lon[i - 1] as number, track.lon[i] as number)) === 180) return true;
  return rules.maxGapMeters < Number.POSITIVE_INFINITY && stepMeters(track, i) > rules.maxGapMeters;
}

function keep(stays: Map<string, Stay>, id: string, stay: Stay | null): void {
  if (stay) stays.set(id, stay);
  else stays.delete(id);
}

/** By enter, then by the index's order; visits to one zone keep their order (the sort is stable). */
function inOrder(visits: Visit[], index: ZoneIndexLike): Visit[] {
  const ordinal = (visit: Visit): number => index.ordinalOf(visit.zoneId) ?? Number.MAX_SAFE_INTEGER;
  return visits.sort((a, b) => a.enter - b.enter || ordinal(a) - ordinal(b));
}

function timeOf(track: Track, i: number): number {
  return track.time[i] as number;
}

function positionOf(track: Track, i: number): Position {
  return [track.lon[i] as number, track.lat[i] as number];
}

function stepMeters(track: Track, i: number): number {
  const [lon, lat] = positionOf(track, i - 1);
  const [nextLon, nextLat] = positionOf(track, i);
  return geodesicDistance(lon, lat, nextLon, nextLat);
}

/** A track as `readTrack` gives it: columns of one length, times that increase. */
function checkTrack(track: Track): void {
  const columns = [track?.time, track?.lon, track?.lat];
  for (const column of columns) {
    if (!(column instanceof Float64Array) || column.length !== track.length) {
      throw new WayzoneError('track-invalid', 'track', expected('a Track from readTrack', track));
    }
  }
  for (let i = 1; i < track.length; i++) {
    if (!(timeOf(track, i) > timeOf(track, i - 1))) {
      throw new WayzoneError(
        'track-invalid',
        `track.time[${i}]`,
        expected('times that increase', timeOf(track, i)),
      );
    }
  }
}
