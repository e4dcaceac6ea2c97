/** T33: could the unit have been at a point on time in a hole? */

import { endOf, type Hole, type Place, type Run, type SlowPoint } from './slowModel.js';

/** Whole milliseconds of the way between a place and a zone at `reachSpeedKph`; 0 where no place is known. */
export function wayMs(run: Run, zone: number, place: Place | null, time?: number): number {
  const isNever = time !== undefined && run.metersTo(zone, [0, 0], time) === Number.POSITIVE_INFINITY;
  if (place === null) return isNever ? Number.POSITIVE_INFINITY : 0;
  return Math.round((run.metersTo(zone, place, time) / (run.settings.reachSpeedKph / 3.6)) * 1000);
}

/** The earliest time at which a unit can be in a zone after it was at a place; the zone is where it is at that time (T49b). */
export function earliestIn(run: Run, zone: number, time: number, place: Place | null): number {
  const { eras } = run;
  if (eras === null || !eras.isChanged(zone)) return time + wayMs(run, zone, place);
  const byOld = time + wayMs(run, zone, place, eras.at);
  return byOld < eras.at ? byOld : Math.max(time + wayMs(run, zone, place), eras.at);
}

/** The latest time at which it can have been in a zone before it was at a place. */
export function latestIn(run: Run, zone: number, time: number, place: Place | null): number {
  const { eras } = run;
  const byNew = time - wayMs(run, zone, place);
  if (eras === null || !eras.isChanged(zone) || byNew >= eras.at) return byNew;
  return Math.min(time - wayMs(run, zone, place, eras.at), eras.at);
}

/** The time in a hole that the unit could have spent in a zone: `[earliest arrival, latest departure]`. */
export function timeInZone(run: Run, zone: number, hole: Hole): [number, number] {
  const presences: [number, number][] = [
    [earliestIn(run, zone, hole.from, hole.start), latestIn(run, zone, hole.to, hole.end)],
    // T50: a unit that took over may have been anywhere then, as nothing tells where it was before.
    ...(hole.handed ?? []).map((at): [number, number] => [
      earliestIn(run, zone, at, null),
      latestIn(run, zone, at, null),
    ]),
  ];
  return [Math.min(...presences.map(([from]) => from)), Math.max(...presences.map(([, to]) => to))];
}

export function couldBeOnTimeIn(run: Run, point: SlowPoint, hole: Hole, f: number, g: number): boolean {
  const [earliest, latest] = timeInZone(run, point.zone, hole);
  const stayMs = run.settings.minStaySeconds * 1000;
  const { arrival, departure } = point;
  // The earliest arrival leaves the most time for all that follows; it may be before plan − tolerance, if the unit is still there then.
  if (arrival !== null && earliest > arrival.to) return false;
  // T34: in a hole that lasts to the end of the report the departure may be yet to come.
  const isToCome = hole.to >= endOf(run);
  const departs = isToCome ? -Infinity : (departure?.from ?? -Infinity);
  const leaveFrom = Math.max(earliest + stayMs, f, arrival?.from ?? -Infinity, departs);
  return leaveFrom <= Math.min(latest, g, departure?.to ?? Infinity);
}

export const couldBeOnTime = (run: Run, point: SlowPoint, f: number, g: number): boolean =>
  run.holes.some((hole) => couldBeOnTimeIn(run, point, hole, f, g));
