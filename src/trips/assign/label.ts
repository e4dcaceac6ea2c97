/** The labels of the strict search: ways to serve the first points of the list, and how they compare. */

import type { TripStay } from '../seen/tripStay.js';
import type { Assignment } from './assignment.js';
import type { Serving, Spread } from './serving.js';

/** Weight of a point relative to a stop; greater than the number of points. */
export const POINT_SCORE: number = 2 ** 20;
/** Weight of a blame relative to a visit entered before its turn. */
export const BLAME: number = 2 ** 20;

/** A part of a score: points served · `POINT_SCORE` + stops; blame · `BLAME` + visits entered before their turn; the sum of |deviation|. */
export interface Value {
  readonly hi: number;
  readonly mid: number;
  readonly off: number;
}

/** The value of an unused stay. */
export const NO_USE: Value = { hi: 0, mid: 0, off: 0 };

/** The points `from` to `to` served by a stay; none if `from` is −1. */
export interface Pick {
  readonly stay: TripStay;
  readonly from: number;
  readonly to: number;
}

/** The best use so far of a stay under way, as a label remembers it. */
export interface Use extends Pick {
  readonly id: number;
  /** Whether its first point stays: it set the turn, or the point that it serves decides which points a drive-by may pass (T32). */
  readonly isFixed: boolean;
  readonly value: Value;
  /** The ways in which the stay may go on to serve the next point, by their first point. */
  readonly open: readonly Open[];
}

/** Neighbouring points that a stay serves, on condition that it serves the next point too (T24). */
export interface Open extends Spread {
  readonly value: Value;
  readonly from: number;
  readonly to: number;
}

/** The uses of stays that are over, the last one first. */
export interface Picks {
  readonly pick: Pick;
  readonly before: Picks | null;
}

export interface Label {
  hi: number;
  mid: number;
  off: number;
  readonly turn: number;
  /** The stay whose entry is the turn; −1: none. */
  readonly setter: number;
  /** Whether that stay serves the first point. */
  readonly isAtFirst: boolean;
  /** The earliest turn by the bounds. */
  earliest: number;
  /** The latest one. */
  latest: number;
  /** When a point since the last served one could have been left after a visit unseen; Infinity: none could. */
  unseenBy: number;
  /** Before the window's end: by when all points unserved since the last stop could have been visited unseen; NEVER without one (T32). */
  gapBy: number;
  /** Whether the label counts only if a stop serves a later point: a drive-by skips no point. */
  needsStop: boolean;
  /** By stay. */
  readonly uses: readonly Use[];
  readonly picks: Picks | null;
  /** Number of points of the list. */
  readonly size: number;
  /** By point: the entry that serves it, with the uses as they are; Infinity: none. `null` until two labels are compared by it. */
  entries: Float64Array | null;
}

/** A better score has more points, then more stops among them, less blame, fewer visits before their turn, less |deviation| in ms. */
export interface Score {
  readonly served: number;
  readonly stops: number;
  readonly blame: number;
  readonly before: number;
  readonly off: number;
}

export interface Assigned {
  readonly assignment: Assignment;
  readonly score: Score;
}

/** Below 0 where `a` is the better one. */
export function compareScores(a: Value, b: Value): number {
  return b.hi - a.hi || a.mid - b.mid || a.off - b.off;
}

/** The label with another use of a stay instead of the use with the value `old`. */
export function replaceUse(label: Label, use: Use, old: Value): Label {
  const { value } = use;
  const known = label.uses.some(({ id }) => id === use.id);
  return {
    ...label,
    entries: null,
    hi: label.hi + value.hi - old.hi,
    mid: label.mid + value.mid - old.mid,
    off: label.off + value.off - old.off,
    uses: known
      ? label.uses.map((own) => (own.id === use.id ? use : own))
      : [...label.uses, use].sort((one, other) => one.id - other.id),
  };
}

/** Whether a label is at least as good as another label of its turn, for every continuation. */
export function dominates(
  a: Label,
  b: Label,
  isLive: (use: Use) => boolean,
  bestLater: (use: Use) => Value,
  mayPassBy: boolean,
): boolean {
  if (a.earliest > b.earliest || a.unseenBy > b.unseenBy || a.isAtFirst !== b.isAtFirst) return false;
  // A later turn makes more unseen arrivals uncertain, an earlier one fewer (T36).
  if (a.latest !== b.latest && Math.max(a.latest, b.latest) > a.turn) return false;
  if (a.gapBy > b.gapBy || (a.needsStop && !b.needsStop)) return false;
  let worst: Value = { hi: a.hi - b.hi, mid: a.mid - b.mid, off: a.off - b.off };
  if (compareScores(worst, NO_USE) > 0) return false;
  // Both lists of uses are sorted by stay.
  let k = 0;
  for (const use of a.uses) {
    while (k < b.uses.length && b.uses[k]!.id < use.id) {
      // A use that is open in the other label alone may improve that one alone.
      if (b.uses[k]!.open.length > 0 && isLive(b.uses[k]!)) return false;
      k++;
    }
    const other = b.uses[k]?.id === use.id ? b.uses[k++] : undefined;
    // A stop at a later point lets a drive-by pass the points before it (T32).
    if (mayPassBy && other === undefined && isLive(use)) return false;
    // The same use improves alike in both.
    if (use === other || !isLive(use)) continue;
    const drop = dropOf(use, other, bestLater);
    if (drop === null) return false;
    worst = { hi: worst.hi - drop.hi, mid: worst.mid - drop.mid, off: worst.off - drop.off };
    if (compareScores(worst, NO_USE) > 0) return false;
  }
  for (; k < b.uses.length; k++) if (b.uses[k]!.open.length > 0 && isLive(b.uses[k]!)) return false;
  const order = compareScores(worst, NO_USE);
  return order < 0 || (order === 0 && compareLists(a, b) <= 0);
}

/** How much more a stay's use may still improve in another label than in its own; `null` if that is not known. */
function dropOf(use: Use, other: Use | undefined, bestLater: (use: Use) => Value): Value | null {
  if (other?.isFixed === true) {
    // The setter of the turn can only go on with its neighbours.
    if (other.open.length === 0) return NO_USE;
    return use.isFixed && isAsOpen(use, other) ? NO_USE : null;
  }
  const best = bestLater(use);
  const most = gainOver(best, other?.value ?? NO_USE);
  if (use.isFixed || (other !== undefined && !isAsOpen(use, other))) return most;
  return difference(most, gainOver(best, use.value));
}

/** Whether a use may go on in each way in which another one may, to no less gain. */
function isAsOpen(use: Use, other: Use): boolean {
  return other.open.every((one) =>
    use.open.some(
      (own) =>
        own.latest <= one.latest &&
        own.earliest >= one.earliest &&
        compareScores(rise(own, use), rise(one, other)) <= 0,
    ),
  );
}

function rise(open: Open, { value }: Use): Value {
  return difference(open.value, value);
}

function difference(a: Value, b: Value): Value {
  return { hi: a.hi - b.hi, mid: a.mid - b.mid, off: a.off - b.off };
}

/** How much better a value is than another one; nothing if it is not. */
function gainOver(best: Value, value: Value): Value {
  return compareScores(best, value) < 0 ? difference(best, value) : NO_USE;
}

/** Below 0 where the entries of `a` are earlier in list order. An unserved point counts as the latest. */
export function compareLists(one: Label, other: Label): number {
  if (one === other) return 0;
  const [a, b] = [entriesOf(one), entriesOf(other)];
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}

function entriesOf(label: Label): Float64Array {
  if (label.entries !== null) return label.entries;
  const entries = new Float64Array(label.size).fill(Number.POSITIVE_INFINITY);
  const put = ({ stay, from, to }: Pick): void => {
    if (from >= 0) entries.fill(stay.enter, from, to + 1);
  };
  label.uses.forEach(put);
  for (let at = label.picks; at !== null; at = at.before) put(at.pick);
  label.entries = entries;
  return entries;
}

/** The servings of a label. */
export function listOf(
  { picks, uses }: Label,
  servingOf: (stay: TripStay, isFirst: boolean, isLast: boolean) => Serving,
): { point: number; serving: Serving }[] {
  const list: { point: number; serving: Serving }[] = [];
  const put = ({ stay, from, to }: Pick): void => {
    for (let point = Math.max(from, 0); point <= to; point++) {
      if (from >= 0) list.push({ point, serving: servingOf(stay, point === from, point === to) });
    }
  };
  uses.forEach(put);
  for (let at = picks; at !== null; at = at.before) put(at.pick);
  return list;
}
