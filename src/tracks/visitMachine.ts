/**
 * State machine of one unit and one zone: turns the intervals of segments inside the zone into visits.
 *
 * Calls in order of time: `atStart` at the first fix, then for each step `throughSegment` or `acrossGap`, and `atEnd` for the visit that is
 * still open; `atZoneChange` and `afterZoneChange` when the zone is edited. The state is null outside the zone, else plain JSON.
 * Interpolated times are rounded to whole milliseconds at once, so that compared durations equal those of the results, and a shift of all
 * times shifts the results exactly.
 */

import type { DwellLedger } from './ledger/unitLedger.js';
import type { Visit } from './visit.js';
import type { VisitRules } from './visitRules.js';

/** The current dwell of a unit in a zone. `exit` is null while the last fix is inside. */
export interface Dwell {
  readonly zoneId: string;
  readonly enter: number;
  readonly enterBounds: readonly [number | null, number];
  /** Whether the dwell has lasted `minInsideSeconds`. */
  confirmed: boolean;
  /** The last outward crossing, unless the unit came back since. */
  exit: { readonly time: number; readonly bounds: readonly [number, number] } | null;
  /** Time of the first fix since `exit` that was beyond the exit buffer; null: none was. */
  leftAt: number | null;
  /** Time of the last fix inside; null before the first one. */
  lastInside: number | null;
  fixCount: number;
  /** Whether the `enter` event was emitted. */
  isEnterEmitted: boolean;
  /** Whether the `lost` event was emitted and no fix came since. */
  lost: boolean;
  /** Hash of the zone's shape when a stream saw the dwell begin; '' if it was not computed. */
  zoneShape: string;
  /** Measure of the visit; null if visits are not measured. */
  ledger: DwellLedger | null;
  /** The last opening or closing that was emitted; null: none was. */
  hoursEmitted: number | null;
}

/** Receives the visits that end, each with its dwell. */
export interface VisitSink {
  end(visit: Visit, dwell: Dwell): void;
}

/** A step between two fixes that is not a gap. The methods are called only when the state depends on them. */
export interface Segment {
  readonly startTime: number;
  readonly endTime: number;
  /** Whether the step is shorter than `maxCrossedMeters`. */
  crossable(): boolean;
  /** Whether the second fix, which is outside the zone, is beyond the exit buffer. */
  leftAtEnd(zoneId: string): boolean;
}

/** The dwell that begins at the first fix, which is inside. */
export function atStart(zoneId: string, time: number, rules: VisitRules): Dwell {
  return begin(zoneId, time, [null, time], rules, time);
}

/**
 * The state after a segment, with `fractions` the zone's closed intervals on it (`[from0, to0, …]`, ordered, disjoint).
 *
 * Ignored are touches between two fixes and, on a segment that is not `crossable`, intervals that contain neither fix.
 */
export function throughSegment(
  before: Dwell | null,
  zoneId: string,
  segment: Segment,
  fractions: readonly number[],
  rules: VisitRules,
  sink: VisitSink,
): Dwell | null {
  const { startTime, endTime } = segment;
  let dwell = before;
  let wentOutHere = false;
  // At a pole, or within rounding of a boundary, the fix can be inside while the segment begins outside.
  if (dwell && !dwell.exit && fractions[0] !== 0)
    dwell.exit = { time: startTime, bounds: [startTime, endTime] };
  for (let i = 0; i + 1 < fractions.length; i += 2) {
    const from = fractions[i] as number;
    const to = fractions[i + 1] as number;
    if (from > 0 && to < 1 && (from === to || !segment.crossable())) continue;
    const enter = timeAt(segment, from);
    if (dwell?.exit) {
      // An absence between two fixes ends a visit only without an exit buffer, since no fix shows how far out the unit was. An absence
      // under 1 ms is rounding on a segment along the boundary.
      const isAway = wentOutHere
        ? rules.exitBufferMeters === 0 && enter > dwell.exit.time
        : dwell.leftAt !== null;
      dwell = isAway ? closeIfAway(dwell, enter, rules, sink) : dwell;
      if (dwell) {
        dwell.exit = null;
        dwell.leftAt = null;
      }
    }
    // Inside at the first fix without a dwell: the zone was added under the unit.
    dwell ??= begin(zoneId, enter, [startTime, endTime], rules, from === 0 ? startTime : null);
    const exit = timeAt(segment, to);
    confirm(dwell, exit, rules);
    if (to === 1) {
      dwell.fixCount++;
      dwell.lastInside = endTime;
    } else {
      dwell.exit = { time: exit, bounds: [startTime, endTime] };
      wentOutHere = true;
    }
  }
  if (!dwell?.exit) return dwell;
  if (dwell.leftAt === null && segment.leftAtEnd(zoneId)) dwell.leftAt = endTime;
  return dwell.leftAt !== null ? closeIfAway(dwell, endTime, rules, sink) : dwell;
}

/**
 * The state after a gap. `parked`: both fixes are in the zone and near each other, so that the dwell continues.
 * Else the dwell ends at its last fix inside (`gap`). An unconfirmed exit counts as an exit, an unconfirmed entry is dropped, and a fix
 * inside after the gap begins a new dwell.
 */
export function acrossGap(
  dwell: Dwell | null,
  zoneId: string,
  [lastTime, nextTime]: readonly [number, number],
  next: 'parked' | 'inside' | 'outside',
  rules: VisitRules,
  sink: VisitSink,
): Dwell | null {
  if (dwell && next === 'parked') {
    confirm(dwell, nextTime, rules);
    dwell.fixCount++;
    dwell.lastInside = nextTime;
    return dwell;
  }
  if (dwell?.confirmed) endUnseen(dwell, 'gap', lastTime, nextTime, sink);
  return next === 'outside' ? null : begin(zoneId, nextTime, [lastTime, nextTime], rules, nextTime);
}

/** Ends a dwell at a gap or an edit of the zone. A fix within the exit buffer does not count as a departure. */
function endUnseen(
  dwell: Dwell,
  end: 'gap' | 'zone-changed',
  lastTime: number,
  nextTime: number | null,
  sink: VisitSink,
): void {
  if (dwell.exit !== null && dwell.leftAt !== null) {
    sink.end(visitOf(dwell, 'left', dwell.exit), dwell);
    return;
  }
  // A dwell that began at a fix which was frozen after all is later than the last good fix.
  const last = Math.max(lastTime, dwell.enter);
  // A crossed zone has no fix inside: the dwell lasted until the outward crossing.
  const time = dwell.exit === null ? last : (dwell.lastInside ?? dwell.exit.time);
  const after = dwell.exit === null ? last : (dwell.lastInside ?? dwell.exit.bounds[0]);
  sink.end(visitOf(dwell, end, { time, bounds: [after, nextTime] }), dwell);
}

/** Ends a dwell whose zone was changed or removed after the last fix: like a gap without a next fix. */
export function atZoneChange(dwell: Dwell, lastTime: number, sink: VisitSink): void {
  if (dwell.confirmed) endUnseen(dwell, 'zone-changed', lastTime, null, sink);
}

/** The dwell in a changed zone that contains the last fix. */
export function afterZoneChange(zoneId: string, lastTime: number, rules: VisitRules): Dwell {
  return begin(zoneId, lastTime, [lastTime, lastTime], rules, lastTime);
}

/**
 * Takes back `repeats` fixes that repeat the place of the fix at `time`: they were frozen. An entry that they confirmed stays if it was
 * emitted.
 */
export function takeBackRepeats(dwell: Dwell, time: number, repeats: number, rules: VisitRules): void {
  if (dwell.leftAt !== null && dwell.leftAt > time) dwell.leftAt = null;
  if (dwell.exit !== null) return;
  const last = Math.max(time, dwell.enter);
  dwell.fixCount = Math.max(1, dwell.fixCount - repeats);
  dwell.lastInside = last;
  dwell.confirmed = dwell.isEnterEmitted || last - dwell.enter >= rules.minInsideMs;
}

/** The visit that is open when the track ends; null without a dwell or with an unconfirmed entry. */
export function atEnd(dwell: Dwell | null): Visit | null {
  return dwell?.confirmed ? visitOf(dwell, 'open', null) : null;
}

function begin(
  zoneId: string,
  enter: number,
  enterBounds: readonly [number | null, number],
  rules: VisitRules,
  lastInside: number | null,
): Dwell {
  const confirmed = rules.minInsideMs === 0;
  return {
    zoneId,
    enter,
    enterBounds,
    confirmed,
    exit: null,
    leftAt: null,
    lastInside,
    fixCount: lastInside === null ? 0 : 1,
    isEnterEmitted: false,
    lost: false,
    zoneShape: '',
    ledger: null,
    hoursEmitted: null,
  };
}

function confirm(dwell: Dwell, insideUntil: number, rules: VisitRules): void {
  dwell.confirmed ||= insideUntil - dwell.enter >= rules.minInsideMs;
}

/** Ends a dwell if the absence from `dwell.exit` to `awayUntil` lasted `minOutsideSeconds`; drops an unconfirmed dwell. */
function closeIfAway(dwell: Dwell, awayUntil: number, rules: VisitRules, sink: VisitSink): Dwell | null {
  if (!dwell.confirmed) return null;
  if (!dwell.exit || awayUntil - dwell.exit.time < rules.minOutsideMs) return dwell;
  sink.end(visitOf(dwell, 'left', dwell.exit), dwell);
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
  dwell: Dwell,
  end: Visit['end'],
  exit: { readonly time: number; readonly bounds: readonly [number, number | null] } | null,
): Visit {
  return {
    zoneId: dwell.zoneId,
    seen: dwell.fixCount > 0 ? 'inside' : 'crossed',
    end,
    enter: dwell.enter,
    exit: exit ? exit.time : null,
    enterBounds: dwell.enterBounds,
    exitBounds: exit ? exit.bounds : null,
    fixCount: dwell.fixCount,
  };
}
