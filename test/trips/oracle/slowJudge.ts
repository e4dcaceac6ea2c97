/** T24, T26, T31, T35 and T36: the planned times of served points. */

import { isArrivalUnseen } from './slowBounds.js';
import type { Activation, Assignment, Bounds, Planned, Run, Status, Stay } from './slowModel.js';
import { couldBeOnTime } from './slowReach.js';
import { boundedTurn, mayBeFrom, mayBeUntil, servedBefore, turnBefore } from './slowTurns.js';

export interface Judged {
  /** The status; null without a plan, and for a visit under way. */
  readonly status: Status;
  /** Milliseconds; of bounds the value nearest to 0. Null if uncertain or null. */
  readonly deviation: number | null;
  /** T29 and T31: what the time costs, in milliseconds. */
  readonly cost: number;
  /** T28: the time is certainly early or late, or the visit was under way and over before plan − tolerance. */
  readonly isBlamed: boolean;
}
const NOTHING: Judged = { status: null, deviation: null, cost: 0, isBlamed: false };

/** T24: whether the visits that serve two neighbours are one stop: one visit, or (only for the report) two of two zones. */
function isOneStop(run: Run, a: Stay | null | undefined, b: Stay | null | undefined, by: By): boolean {
  if (!a || !b) return false;
  if (a === b) return true;
  if (by === 'worth' || !run.settings.allowSharedVisit || a.zone === b.zone) return false;
  const overlap = Math.max(a.enter, b.enter) < Math.min(a.exit ?? Infinity, b.exit ?? Infinity);
  return overlap && Math.abs(a.enter - b.enter) <= 60_000;
}

/** What a time is judged for: the report, or what the assignment is worth, for which each visit has its own bounds (T28). */
export type By = 'report' | 'worth';

/** T24: of one stop, only the first point's arrival and the last point's departure are known. */
export function arrivalBoundsAt(run: Run, assignment: Assignment, index: number, by: By): Bounds {
  const stay = assignment[index]!;
  return isOneStop(run, assignment[index - 1], stay, by) ? wholeStay(run, stay) : stay.arrivalBounds;
}
export function departureBoundsAt(run: Run, assignment: Assignment, index: number, by: By): Bounds | null {
  const stay = assignment[index]!;
  if (stay.departureBounds === null) return null;
  return isOneStop(run, stay, assignment[index + 1], by) ? wholeStay(run, stay) : stay.departureBounds;
}
const wholeStay = (run: Run, stay: Stay): Bounds => [
  stay.arrivalBounds[0],
  stay.departureBounds?.[1] ?? run.now,
];

/** T35: a status holds when every time within the bounds says so. */
function statusOf([earliest, latest]: Bounds, plan: Planned): Status {
  if (latest < plan.from) return 'early';
  if (earliest > plan.to) return 'late';
  return earliest >= plan.from && latest <= plan.to ? 'on_time' : 'uncertain';
}

/** T35: actual − plan; of bounds, the value nearest to 0. */
function nearestDeviation([earliest, latest]: Bounds, { at }: Planned): number {
  if (earliest > at) return earliest - at;
  return latest < at ? latest - at : 0;
}

/** T16: whether entering, or leaving, in a gap of the stay would be on time. */
const wouldBeOnTimeInGap = (stay: Stay, plan: Planned): boolean =>
  stay.gaps.some(([from, to]) => from <= plan.to && to >= plan.from);

/** T36: whether without this visit the point would be `no_data`. The first point of an assumed run is (T13), whatever an amendment plans later. */
export function couldBeWithout(
  run: Run,
  activation: Activation | null,
  assignment: Assignment,
  index: number,
): boolean {
  if (index === 0 && activation?.kind === 'assumed' && run.begun?.isOwnFirst !== false) return true;
  const f = mayBeFrom(run, activation, assignment, index);
  return couldBeOnTime(run, run.points[index]!, f, mayBeUntil(run, activation, assignment, index));
}

/** T31: a visit under way costs 0 if it is still there at plan − tolerance; over before then it is early, by exit − plan. */
function underWay(run: Run, assignment: Assignment, index: number, status: Status): Judged {
  const plan = run.points[index]!.arrival;
  if (plan === null) return { ...NOTHING, status };
  const over = departureBoundsAt(run, assignment, index, 'worth')?.[1] ?? Number.POSITIVE_INFINITY;
  // [enter, exit): at its exit it is not there any more, and not over before then.
  if (over < plan.from)
    return { status: 'early', deviation: over - plan.at, cost: plan.at - over, isBlamed: true };
  return { status, deviation: null, cost: over === plan.from ? plan.at - over : 0, isBlamed: false };
}

function judged(bounds: Bounds, plan: Planned, stay: Stay): Judged {
  const status = statusOf(bounds, plan);
  const deviation = nearestDeviation(bounds, plan);
  const cost = Math.abs(deviation);
  const isMissed = status === 'early' || status === 'late';
  if (status === 'uncertain' || (isMissed && wouldBeOnTimeInGap(stay, plan)))
    return { status: 'uncertain', deviation: null, cost, isBlamed: false };
  return { status, deviation, cost, isBlamed: isMissed };
}

/** What is certain by the bounds of the visit: the arrival of a served point, before T36 looks at the rest of the report. */
export function arrivalAt(
  run: Run,
  activation: Activation | null,
  assignment: Assignment,
  index: number,
  by: By,
): Judged {
  const stay = assignment[index]!;
  const plan = run.points[index]!.arrival;
  const bounds = arrivalBoundsAt(run, assignment, index, by);
  const before = run.strict ? servedBefore(assignment, index) : -1;
  const own = plan === null ? NOTHING : judged(bounds, plan, stay);
  // T26.
  if (run.strict && stay.enter < turnBefore(run, assignment, index))
    return own.status === 'late' ? own : underWay(run, assignment, index, null);
  // T31: under way when the window opens, or begun by a first fix at that instant.
  const isFirstFix = stay.visits[0]!.enterBounds[0] === null;
  const isBefore = stay.enter < run.window.from && (stay.exit === null || stay.exit >= run.window.from);
  if (isBefore || (isFirstFix && stay.enter === run.window.from))
    return underWay(run, assignment, index, null);
  if (plan === null) return NOTHING;
  // T24: while the stay goes on, the unit may still come to the second of its points.
  const isSecond = isOneStop(run, assignment[index - 1], stay, by);
  if (by === 'report' && isSecond && stay.exit === null && own.status === 'early')
    return { ...own, status: 'uncertain', deviation: null, isBlamed: false };
  // T36.
  const latestTurnBefore = before < 0 ? Number.NEGATIVE_INFINITY : boundedTurn(run, assignment, before, 1);
  const isEntryUnseen = isArrivalUnseen(run, stay.visits[0]!);
  const isUnseen = isSecond ? bounds[0] < bounds[1] : isEntryUnseen;
  // Without a fix before, the unit may have been there before the window opened.
  const mayPrecedeWindow =
    bounds[0] < run.window.from || (isEntryUnseen && stay.visits[0]!.enterBounds[0] === null);
  const mayPrecede = mayPrecedeWindow || bounds[0] < latestTurnBefore;
  // Its predecessor is the last point before it that was or could have been visited: points between that were skipped have no turn.
  const followsNoData =
    run.strict &&
    run.points
      .slice(before + 1, index)
      .some((point) => couldBeWithout(run, activation, assignment, point.index));
  const asUncertain = (status: Status): Status =>
    status === 'early' || status === 'late' ? 'uncertain' : status;
  if (isUnseen && followsNoData) return kept(own, underWay(run, assignment, index, asUncertain(own.status)));
  if (mayPrecede && own.status !== 'late')
    return kept(own, underWay(run, assignment, index, asUncertain(own.status)));
  return own;
}

/** An arrival on time stays so, with its deviation. */
const kept = (own: Judged, other: Judged): Judged =>
  own.status === 'on_time' ? { ...other, deviation: own.deviation } : other;

export function departureAt(run: Run, assignment: Assignment, index: number, by: By): Judged {
  const plan = run.points[index]!.departure;
  const bounds = departureBoundsAt(run, assignment, index, by);
  if (plan === null) return NOTHING;
  if (bounds !== null) return judged(bounds, plan, assignment[index]!);
  // T35: of an open stay the last fix in the zone decides, of all its points but the last the earliest arrival.
  const stay = assignment[index]!;
  const isLast = !isOneStop(run, stay, assignment[index + 1], by);
  const isLate = (isLast ? stay.lastInside : arrivalBoundsAt(run, assignment, index, by)[0]) > plan.to;
  return isLate ? { status: 'late', deviation: null, cost: 0, isBlamed: true } : NOTHING;
}

/** T36: an `early` or `late` is `uncertain` where without this visit the point would be `no_data`. */
export function withDoubt(
  run: Run,
  activation: Activation,
  assignment: Assignment,
  index: number,
  own: Judged,
): Judged {
  if (own.status !== 'early' && own.status !== 'late') return own;
  if (!couldBeWithout(run, activation, assignment, index)) return own;
  return { ...own, status: 'uncertain', deviation: null };
}
