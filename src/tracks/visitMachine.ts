/**
 * One unit in one zone: the state machine that turns stays on segments into visits.
 *
 * It is fed fix by fix in order of time: `atStart` with the first fix, then for each step `throughSegment` or
 * `acrossGap`, and `atEnd` to ask what is still open; `atZoneChange` and `afterZoneChange` when the zone itself changes. State `null` is outside;
 * else it is plain JSON.
 * Times are whole milliseconds from the moment they are interpolated, so that every duration that is compared
 * is the one that the results show, and a shift of all times shifts the results exactly.
 */

import type { Visit } from './visit.js';
import type { VisitRules } from './visitRules.js';

/** A stay under way. While `exit` is `null` the last fix is inside. */
export interface Stay {
  readonly zoneId: string;
  readonly enter: number;
  readonly enterBounds: readonly [number | null, number];
  /** Whether it lasted `minInsideSeconds`. */
  confirmed: boolean;
  /** The last outward crossing, if it did not come back in since. */
  exit: { readonly time: number; readonly bounds: readonly [number, number] } | null;
  /** Whether a fix since `exit` was beyond the exit buffer. */
  left: boolean;
  /** The time of the last fix inside; null while there is none. */
  lastInside: number | null;
  fixCount: number;
  /** Whether a stream has told its entry. */
  told: boolean;
  /** Whether a stream has reported it lost, and the unit is silent since. */
  lost: boolean;
  /** What the zone was when a stream saw the stay begin; '' where nobody asked. */
  zoneShape: string;
}

/** Takes the visits that end, each with the stay that it was. */
export interface VisitSink {
  end(visit: Visit, stay: Stay): void;
}

/** A step between two fixes that is bridged. The two questions are asked only when they matter. */
export interface Segment {
  readonly startTime: number;
  readonly endTime: number;
  /** Whether it is short enough to cross a zone without a fix in it. */
  crossable(): boolean;
  /** Whether its second fix, which is outside the zone, is beyond the exit buffer. */
  leftAtEnd(zoneId: string): boolean;
}

/** The stay that begins at the first fix, which is inside. */
export function atStart(zoneId: string, time: number, rules: VisitRules): Stay {
  return begin(zoneId, time, [null, time], rules, time);
}

/**
 * The state after a segment, with `fractions` the zone's closed stays on it (`[from0, to0, …]`, ordered, disjoint).
 *
 * A touch between two fixes counts for nothing; so does a stay that holds neither fix when the segment is not `crossable`.
 */
export function throughSegment(
  before: Stay | null,
  zoneId: string,
  segment: Segment,
  fractions: readonly number[],
  rules: VisitRules,
  sink: VisitSink,
): Stay | null {
  const { startTime, endTime } = segment;
  let stay = before;
  let wentOutHere = false;
  // At a pole, or within rounding of a boundary, a fix can be inside and the step from it begin outside.
  if (stay && !stay.exit && fractions[0] !== 0) stay.exit = { time: startTime, bounds: [startTime, endTime] };
  for (let i = 0; i + 1 < fractions.length; i += 2) {
    const from = fractions[i] as number;
    const to = fractions[i + 1] as number;
    if (from > 0 && to < 1 && (from === to || !segment.crossable())) continue;
    const enter = timeAt(segment, from);
    if (stay?.exit) {
      // Between two fixes only a boundary without buffer can be left, as no fix says how far out it went;
      // less than a millisecond is the rounding of a boundary that the way runs along.
      const isAway = wentOutHere ? rules.exitBufferMeters === 0 && enter > stay.exit.time : stay.left;
      stay = isAway ? closeIfAway(stay, enter, rules, sink) : stay;
      if (stay) {
        stay.exit = null;
        stay.left = false;
      }
    }
    // Inside at the first fix without a stay: the zone came under the unit.
    stay ??= begin(zoneId, enter, [startTime, endTime], rules, from === 0 ? startTime : null);
    const exit = timeAt(segment, to);
    confirm(stay, exit, rules);
    if (to === 1) {
      stay.fixCount++;
      stay.lastInside = endTime;
    } else {
      stay.exit = { time: exit, bounds: [startTime, endTime] };
      wentOutHere = true;
    }
  }
  if (!stay?.exit) return stay;
  stay.left ||= segment.leftAtEnd(zoneId);
  return stay.left ? closeIfAway(stay, endTime, rules, sink) : stay;
}

/**
 * The state after a gap. `parked`: both fixes are in the zone and near each other, so that the stay goes on.
 * Else a stay ends at its last fix inside (`gap`), an exit that waits for its confirmation stands, an entry that does is no visit,
 * and a fix inside after the gap begins a new stay.
 */
export function acrossGap(
  stay: Stay | null,
  zoneId: string,
  [lastTime, nextTime]: readonly [number, number],
  next: 'parked' | 'inside' | 'outside',
  rules: VisitRules,
  sink: VisitSink,
): Stay | null {
  if (stay && next === 'parked') {
    confirm(stay, nextTime, rules);
    stay.fixCount++;
    stay.lastInside = nextTime;
    return stay;
  }
  if (stay?.confirmed) endUnseen(stay, 'gap', lastTime, nextTime, sink);
  return next === 'outside' ? null : begin(zoneId, nextTime, [lastTime, nextTime], rules, nextTime);
}

/** Ends a stay after whose last fix nothing is known: a fix within the exit buffer is not yet a departure. */
function endUnseen(
  stay: Stay,
  end: 'gap' | 'zone-changed',
  lastTime: number,
  nextTime: number | null,
  sink: VisitSink,
): void {
  if (stay.exit !== null && stay.left) {
    sink.end(visitOf(stay, 'left', stay.exit), stay);
    return;
  }
  // A stay that was only crossed has no fix inside: it was there until it went out.
  const time = stay.exit === null ? lastTime : (stay.lastInside ?? stay.exit.time);
  const after = stay.exit === null ? lastTime : (stay.lastInside ?? stay.exit.bounds[0]);
  sink.end(visitOf(stay, end, { time, bounds: [after, nextTime] }), stay);
}

/** Ends a stay whose zone was changed or removed after its last fix; like a gap, but nothing is known to come next. */
export function atZoneChange(stay: Stay, lastTime: number, sink: VisitSink): void {
  if (stay.confirmed) endUnseen(stay, 'zone-changed', lastTime, null, sink);
}

/** The stay in a changed zone that holds the last fix. */
export function afterZoneChange(zoneId: string, lastTime: number, rules: VisitRules): Stay {
  return begin(zoneId, lastTime, [lastTime, lastTime], rules, lastTime);
}

/** The visit still open when the track ends; `null` when there is none or its entry was not confirmed. */
export function atEnd(stay: Stay | null): Visit | null {
  return stay?.confirmed ? visitOf(stay, 'open', null) : null;
}

function begin(
  zoneId: string,
  enter: number,
  enterBounds: readonly [number | null, number],
  rules: VisitRules,
  lastInside: number | null,
): Stay {
  const confirmed = rules.minInsideMs === 0;
  return {
    zoneId,
    enter,
    enterBounds,
    confirmed,
    exit: null,
    left: false,
    lastInside,
    fixCount: lastInside === null ? 0 : 1,
    told: false,
    lost: false,
    zoneShape: '',
  };
}

function confirm(stay: Stay, insideUntil: number, rules: VisitRules): void {
  stay.confirmed ||= insideUntil - stay.enter >= rules.minInsideMs;
}

/** Ends a stay that is away since `stay.exit` and until `awayUntil`, unless that is too short; an unconfirmed one is dropped. */
function closeIfAway(stay: Stay, awayUntil: number, rules: VisitRules, sink: VisitSink): Stay | null {
  if (!stay.confirmed) return null;
  if (!stay.exit || awayUntil - stay.exit.time < rules.minOutsideMs) return stay;
  sink.end(visitOf(stay, 'left', stay.exit), stay);
  return null;
}

/** The time at a fraction of a step, in whole milliseconds. */
export function timeAt(
  { startTime, endTime }: Pick<Segment, 'startTime' | 'endTime'>,
  fraction: number,
): number {
  return startTime + Math.round(fraction * (endTime - startTime));
}

function visitOf(
  stay: Stay,
  end: Visit['end'],
  exit: { readonly time: number; readonly bounds: readonly [number, number | null] } | null,
): Visit {
  return {
    zoneId: stay.zoneId,
    seen: stay.fixCount > 0 ? 'inside' : 'crossed',
    end,
    enter: stay.enter,
    exit: exit ? exit.time : null,
    enterBounds: stay.enterBounds,
    exitBounds: exit ? exit.bounds : null,
    fixCount: stay.fixCount,
  };
}
