/** T16 to T18 and T23: the stays of a run, for a set of joints that stay apart. */

import { distanceMeters } from '../../../src/index.js';
import type { Visit } from '../../../src/tracks/index.js';
import { arrivalBoundsOf, departureBoundsOf } from './slowBounds.js';
import {
  type Bounds,
  isOver,
  type Run,
  SLOW_KPH,
  type SlowFix,
  STANDING_KPH,
  type Stay,
} from './slowModel.js';
import { isSeenStop, isStop, longestMs, type Presence } from './slowStops.js';

/** Two neighbouring visits of a zone that are one stay, by the rule `T16`, `T17`, `T18` or `T50`. */
export interface Joint {
  readonly before: Visit;
  readonly after: Visit;
  readonly rule: 'T16' | 'T17' | 'T18' | 'T50';
}

/** T16: the one ends at a gap, and the other begins at the other end of it. */
const isJoinedByGap = (a: Visit, b: Visit): boolean =>
  a.end === 'gap' && a.exitBounds !== null && b.enter === a.exitBounds[1];

/** T50: the unit that took over is in the zone. */
const isHandedOn = (a: Visit, b: Visit): boolean => a.end === 'handed-over' && b.enter === a.exit;

/** T17. */
const isUndone = (run: Run, a: Visit, b: Visit): boolean =>
  a.end !== 'zone-changed' && a.exit !== null && b.enter - a.exit < run.settings.leaveConfirmSeconds * 1000;

/** T18. Between two visits around one that serves a settled point (T49a) the unit re-entered by that one. */
function isDrift(run: Run, zone: number, a: Visit, b: Visit): boolean {
  if (run.taken[zone]!.some(({ enter }) => enter > a.enter && enter < b.enter)) return false;
  if (run.fixes === null || a.exit === null || a.end === 'zone-changed' || a.end === 'handed-over')
    return false;
  // Of a visit without a fix this is one of the visits before it.
  const inside = run.fixes.filter(
    (fix) => fix.time <= a.exit! && run.metersTo(zone, fix.place, fix.time) <= 0,
  );
  const last = inside.at(-1);
  if (!last) return false;
  if (run.handOvers.some(({ at }) => at > last.time && at <= b.enter)) return false;
  const outside = run.fixes.filter((fix) => fix.time > last.time && fix.time < b.enter);
  if (run.holes.some((hole) => hole.from < b.enter && hole.to > last.time)) return false;
  const isElsewhere = ({ place, time }: SlowFix): boolean =>
    run.visits.some((_, other) => other !== zone && run.metersTo(other, place, time) <= 0);
  const isNear = ({ place }: SlowFix): boolean =>
    distanceMeters(last.place, place) <= run.settings.parkedMeters;
  const stands = ({ speed }: SlowFix): boolean => speed !== null && speed < STANDING_KPH;
  const reports = hasMotionAround(run, last.time);
  return outside.every(
    (fix) => (fix.speed ?? 0) <= SLOW_KPH && (isNear(fix) || (reports && stands(fix) && !isElsewhere(fix))),
  );
}

/** T18: whether the unit in charge at a time reports elsewhere in its track that it moves. */
function hasMotionAround({ fixes, handOvers }: Run, time: number): boolean {
  const from = handOvers.findLast(({ at }) => at <= time)?.at ?? Number.NEGATIVE_INFINITY;
  const to = handOvers.find(({ at }) => at > time)?.at ?? Number.POSITIVE_INFINITY;
  return fixes!.some((fix) => fix.time >= from && fix.time < to && (fix.speed ?? 0) > SLOW_KPH);
}

/** All joints of a run; T18 only where it is asked for. */
export function jointsOf(run: Run, withDrift: boolean): Joint[] {
  return run.visits.flatMap((visits, zone) =>
    visits.slice(1).flatMap((after, k): Joint[] => {
      const before = visits[k]!;
      if (isHandedOn(before, after)) return [{ before, after, rule: 'T50' }];
      if (isJoinedByGap(before, after)) return [{ before, after, rule: 'T16' }];
      if (isUndone(run, before, after)) return [{ before, after, rule: 'T17' }];
      if (withDrift && isDrift(run, zone, before, after)) return [{ before, after, rule: 'T18' }];
      return [];
    }),
  );
}

/** The stays, when these joints hold. */
export function staysOf(run: Run, joints: readonly Joint[]): Stay[] {
  const jointBefore = (visit: Visit): Joint | undefined => joints.find(({ after }) => after === visit);
  return run.visits.flatMap((visits, zone) => {
    const groups: Visit[][] = [];
    for (const visit of visits) {
      if (jointBefore(visit)) groups.at(-1)!.push(visit);
      else groups.push([visit]);
    }
    return groups
      .map((group) => stayOf(run, zone, group, (visit) => jointBefore(visit)?.rule === 'T16'))
      .filter((stay) => exists(run, stay));
  });
}

function stayOf(run: Run, zone: number, visits: Visit[], followsGap: (visit: Visit) => boolean): Stay {
  const first = visits[0]!;
  const last = visits.at(-1)!;
  const presence: Presence = {
    zone,
    visits,
    enter: first.enter,
    exit: last.exit,
    arrivalBounds: arrivalBoundsOf(run, zone, first),
    departureBounds: departureBoundsOf(run, zone, last),
  };
  const gaps = visits.flatMap((visit, k): Bounds[] =>
    followsGap(visit) ? [[visits[k - 1]!.exit!, visit.enter]] : [],
  );
  // A stop of one of its visits is one of the stay: a short absence does not undo it.
  const alone = (visit: Visit): Presence => ({
    zone,
    visits: [visit],
    enter: visit.enter,
    exit: visit.exit,
    arrivalBounds: arrivalBoundsOf(run, zone, visit),
    departureBounds: departureBoundsOf(run, zone, visit),
  });
  const hasStop = visits.length > 1 && visits.some((visit) => isSeenStop(run, alone(visit)));
  const isSeen = hasStop || isSeenStop(run, presence);
  const fixesIn = (run.fixes ?? []).filter(
    (fix) => fix.time >= last.enter && run.metersTo(zone, fix.place, fix.time) <= 0,
  );
  const lastInside = fixesIn.at(-1)?.time ?? last.enterBounds[1];
  return { ...presence, gaps, lastInside, isSeenStop: isSeen, isStop: isSeen || isStop(run, presence) };
}

/** T23: `minStaySeconds`; an open stay may still become old enough, until the window ends. */
function exists(run: Run, stay: Stay): boolean {
  return isOldEnough(run, stay) || (stay.exit === null && !isOver(run));
}

export const isOldEnough = (run: Run, stay: Stay): boolean =>
  longestMs(run, stay) >= run.settings.minStaySeconds * 1000;

/** `[enter, exit)` and the window have a time in common. */
export function overlapsWindow({ window }: Run, { enter, exit }: Stay, since: number | null): boolean {
  // T13a: or the time from S to it.
  const from = Math.min(window.from, since ?? window.from);
  return enter < window.to && (exit === null || exit > from || enter >= from);
}
