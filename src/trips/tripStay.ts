/** The stays of a unit in a trip's zones as they stand at `now`. */

import type { Visit } from '../tracks/visit.js';
import type { TripRules } from './tripRules.js';

export interface TripStay {
  /** The first point that is this zone. */
  readonly zone: number;
  readonly enter: number;
  /** `null` while it is open. */
  readonly exit: number | null;
  /** When it left; `null` while it is open, and where the unit was still there after a gap, or nothing tells. */
  readonly left: number | null;
  /** Open, and too short so far: it counts for now. */
  readonly isYoung: boolean;
  readonly visit: Visit;
}

/** The stays of visits that are known by `now`, by `enter`, then by zone. `isThere`: whether the fix after a visit's gap is inside. */
export function staysAt(
  visits: readonly { readonly visit: Visit; readonly zone: number }[],
  now: number,
  isThere: (visit: Visit, zone: number) => boolean,
): TripStay[] {
  const stays: TripStay[] = [];
  for (const { visit, zone } of visits) {
    if (visit.enterBounds[1] > now) continue;
    const { enter, exit, exitBounds } = visit;
    if (exitBounds === null || (exitBounds[1] ?? exitBounds[0]) > now) {
      const open: Visit = { ...visit, end: 'open', exit: null, exitBounds: null };
      stays.push({ zone, enter, exit: null, left: null, isYoung: false, visit: open });
    } else {
      const isGone = visit.end !== 'gap' || (exitBounds[1] !== null && !isThere(visit, zone));
      stays.push({ zone, enter, exit, left: isGone ? exit : null, isYoung: false, visit });
    }
  }
  return withoutRepeats(stays.sort((a, b) => a.enter - b.enter || a.zone - b.zone || exitOf(a) - exitOf(b)));
}

/** A zone's stays do not overlap; of those that begin at one instant the longest tells all. */
function withoutRepeats(stays: readonly TripStay[]): TripStay[] {
  return stays.filter((stay, i) => {
    const next = stays[i + 1];
    return next === undefined || next.enter !== stay.enter || next.zone !== stay.zone;
  });
}

function exitOf(stay: TripStay): number {
  return stay.exit ?? Number.POSITIVE_INFINITY;
}

/** The stays of a zone with those joined between which it was left for less than `leaveConfirmMs`; the others as they are. */
export function joinStays(stays: readonly TripStay[], zone: number, leaveConfirmMs: number): TripStay[] {
  const joined: TripStay[] = [];
  let last = -1;
  for (const stay of stays) {
    const before = joined[last];
    if (stay.zone !== zone) {
      joined.push(stay);
    } else if (before === undefined || before.left === null || stay.enter - before.left >= leaveConfirmMs) {
      last = joined.push(stay) - 1;
    } else {
      joined[last] = {
        ...before,
        exit: stay.exit,
        left: stay.left,
        visit: joinVisits(before.visit, stay.visit),
      };
    }
  }
  return joined;
}

function joinVisits(first: Visit, second: Visit): Visit {
  return {
    ...first,
    seen: first.seen === 'crossed' ? second.seen : 'inside',
    end: second.end,
    exit: second.exit,
    exitBounds: second.exitBounds,
    fixCount: first.fixCount + second.fixCount,
  };
}

/** The stays that count: long enough, or open and so until the window ends; crossed ones where they are accepted. */
export function countingStays(
  stays: readonly TripStay[],
  rules: Pick<TripRules, 'acceptCrossed' | 'minStayMs'>,
  now: number,
  windowEnd: number,
): TripStay[] {
  const counting: TripStay[] = [];
  for (const stay of stays) {
    if (stay.visit.seen === 'crossed' && !rules.acceptCrossed) continue;
    if ((stay.exit ?? now) - stay.enter >= rules.minStayMs) counting.push(stay);
    else if (stay.exit === null && now < windowEnd) counting.push({ ...stay, isYoung: true });
  }
  return counting;
}
