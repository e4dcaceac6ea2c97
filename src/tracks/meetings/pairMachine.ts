/** The meetings of one pair of units, fix by fix. */

import { lonStep } from '../../core/angles.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import type { Meeting, MeetingRules } from './meeting.js';
import { PairBounds } from './pairBounds.js';
import { areApart, PairDistance } from './pairDistance.js';
import { type PairFix, pairPositionAt, setMove } from './pairFix.js';

/** Plain data. */
interface OpenMeeting {
  readonly from: number;
  minMeters: number;
  minTime: number;
  /** When they were last within `meters`; `null` while they are. */
  exit: number | null;
  /** Whether `together` was emitted. */
  isTold: boolean;
}

/** Plain data. The fixes of each unit from its current step on: the first one begins it. */
export interface PairState {
  a: PairFix[];
  b: PairFix[];
  /** The instant up to which the pair is judged; `null` before the first. */
  time: number | null;
  /** Their distance then; `null`: unknown. */
  meters: number | null;
  open: OpenMeeting | null;
}

export interface MeetingSink {
  together(meeting: Meeting): void;
  apart(meeting: Meeting): void;
}

/** Judge of pairs, one after another. */
export interface PairJudge {
  readonly rules: MeetingRules;
  /** Of the interval that is judged; nothing of it is kept. */
  readonly bounds: PairBounds;
}

export function judgeOf(rules: MeetingRules): PairJudge {
  return { rules, bounds: new PairBounds() };
}

export function newPair(): PairState {
  return { a: [], b: [], time: null, meters: null, open: null };
}

/** Judges the pair as far as both units have fixes. */
export function drain(pair: PairState, judge: PairJudge, sink: MeetingSink): void {
  const { rules, bounds } = judge;
  let [i, k] = [0, 0];
  const { a, b } = pair;
  // Whether the interval begins where the one before ended.
  let isNext = false;
  for (;;) {
    if (i >= a.length || k >= b.length) break;
    const start = Math.max(a[i]!.time, b[k]!.time);
    const [a0, a1, b0, b1] = [a[i]!, a[i + 1], b[k]!, b[k + 1]];
    if (a0.time < start && a1 !== undefined && a1.time <= start) i++;
    else if (b0.time < start && b1 !== undefined && b1.time <= start) k++;
    else if ((a0.time < start && a1 === undefined) || (b0.time < start && b1 === undefined)) break;
    else {
      const isGapA = a1 !== undefined && isGap(a0, a1, rules);
      const isGapB = b1 !== undefined && isGap(b0, b1, rules);
      // Both are seen from here on, unless it is within a gap of one of them.
      if (pair.time !== start) {
        const isSeen = (a0.time === start || !isGapA) && (b0.time === start || !isGapB);
        if (isSeen) begin(pair, start, pairPositionAt(a0, a1, start), pairPositionAt(b0, b1, start), rules);
        pair.time = start;
        tellIfLong(pair.open, start, rules, sink);
      }
      if (a1 === undefined || b1 === undefined) break;
      const end = Math.min(a1.time, b1.time);
      if (isGapA || isGapB) {
        endMeeting(pair, 'gap', pair.time!, rules, sink);
        pair.meters = null;
        isNext = false;
        // A fix at the end of the gap is judged as a beginning.
      } else {
        setMove(bounds.a, a0, a1, start, end, isNext);
        setMove(bounds.b, b0, b1, start, end, isNext);
        isNext = true;
        over(pair, judge, start, end, sink);
        pair.time = end;
      }
      if (a1.time === end) i++;
      if (b1.time === end) k++;
    }
  }
  if (i > 0) a.splice(0, i);
  if (k > 0) b.splice(0, k);
}

/** The meeting that lasts, as if the tracks ended here; `null` if there is none that counts. */
export function openMeeting({ open, time }: PairState, rules: MeetingRules): Meeting | null {
  return open === null ? null : counted(open, open.exit ?? time!, 'track', rules);
}

function isGap(from: PairFix, to: PairFix, rules: MeetingRules): boolean {
  if (to.isBlind || Math.abs(lonStep(from.lon, to.lon)) === 180) return true;
  const isLong = to.time - from.time > rules.maxGapMs;
  if (!isLong && rules.maxGapMeters === Number.POSITIVE_INFINITY) return false;
  const meters = geodesicDistance(from.lon, from.lat, to.lon, to.lat);
  return (isLong || meters > rules.maxGapMeters) && meters > rules.parkedMeters;
}

/** At the first instant of a run in which both are seen. */
function begin(
  pair: PairState,
  time: number,
  a: readonly [number, number],
  b: readonly [number, number],
  rules: MeetingRules,
): void {
  const meters = geodesicDistance(a[0], a[1], b[0], b[1]);
  pair.meters = meters;
  if (meters <= rules.meters) pair.open = opened(time, meters);
}

function opened(time: number, meters: number): OpenMeeting {
  return { from: time, minMeters: meters, minTime: time, exit: null, isTold: false };
}

/** Over an interval in which both move straight. */
function over(pair: PairState, judge: PairJudge, start: number, end: number, sink: MeetingSink): void {
  const { rules, bounds } = judge;
  const { a, b } = bounds;
  const { open } = pair;
  const known = pair.meters;
  pair.meters = null;
  if (open === null && areApart(a, b, rules.apartMeters)) return;
  bounds.begin();
  if (open !== null && bounds.isBetween(open.minMeters, rules.meters)) {
    open.exit = null;
    if (!open.isTold) tellIfLong(open, end, rules, sink);
    return;
  }
  if (bounds.measure() && isJudged(pair, judge, start, end, sink)) return;
  const distance = new PairDistance(a, b, known ?? Number.NaN);
  pair.meters = distance.endMeters;
  const inside = distance.within(rules.meters);
  const timeAt = (fraction: number): number => start + Math.round(fraction * (end - start));
  let near: readonly number[] | null = null;
  const outside = (from: number, to: number): void => {
    if (pair.open === null) return;
    pair.open.exit ??= timeAt(from);
    if (rules.apartMeters > rules.meters) {
      near ??= distance.within(rules.apartMeters);
      if (isCovered(near, from, to)) return;
    }
    endMeeting(pair, 'apart', pair.open.exit, rules, sink);
  };
  let outFrom = 0;
  for (let n = 0; n < inside.length; n += 2) {
    const [from, to] = [inside[n]!, inside[n + 1]!];
    if (from === to && from > 0 && to < 1) continue;
    if (from > outFrom) outside(outFrom, from);
    pair.open ??= opened(timeAt(from), distance.at(from));
    pair.open.exit = null;
    noteLeast(pair.open, distance, from, to, start, end);
    outFrom = to;
  }
  if (outFrom < 1) outside(outFrom, 1);
  tellIfLong(pair.open, end, rules, sink);
}

/** Whether the bounds of the distance decide the interval, as the exact distance would. */
function isJudged(
  pair: PairState,
  { rules, bounds }: PairJudge,
  start: number,
  end: number,
  sink: MeetingSink,
): boolean {
  const { meters, apartMeters } = rules;
  const { least, startMost, endMost } = bounds;
  const { open } = pair;
  if (open === null) return least > meters;
  if (least < open.minMeters) return false;
  const isNear = Math.max(startMost, endMost) < apartMeters;
  if (isNear && endMost < meters) {
    open.exit = null;
  } else if (!isNear || least <= meters) {
    if (!isNear && apartMeters > meters) return false;
    const exit = bounds.exitWithin(meters, end - start);
    if (exit < 0) return false;
    open.exit = start + exit;
    if (!isNear) {
      endMeeting(pair, 'apart', open.exit, rules, sink);
      return true;
    }
  }
  tellIfLong(open, end, rules, sink);
  return true;
}

function noteLeast(
  open: OpenMeeting,
  distance: PairDistance,
  from: number,
  to: number,
  start: number,
  end: number,
): void {
  const { t, meters } = distance.least(from, to, open.minMeters);
  if (meters >= open.minMeters) return;
  open.minMeters = meters;
  open.minTime = start + Math.round(t * (end - start));
}

/** Whether one of the intervals covers all between two fractions. */
function isCovered(intervals: readonly number[], from: number, to: number): boolean {
  for (let n = 0; n < intervals.length; n += 2) {
    if (intervals[n]! <= from && intervals[n + 1]! >= to) return true;
  }
  return false;
}

function tellIfLong(open: OpenMeeting | null, time: number, rules: MeetingRules, sink: MeetingSink): void {
  if (open === null || open.isTold) return;
  const meeting = counted(open, open.exit ?? time, 'track', rules);
  if (meeting === null) return;
  open.isTold = true;
  sink.together(meeting);
}

function endMeeting(
  pair: PairState,
  end: Meeting['end'],
  time: number,
  rules: MeetingRules,
  sink: MeetingSink,
): void {
  const { open } = pair;
  pair.open = null;
  const meeting = open === null ? null : counted(open, open.exit ?? time, end, rules);
  if (meeting === null) return;
  if (!open!.isTold) sink.together(meeting);
  sink.apart(meeting);
}

function counted(
  { from, minMeters, minTime }: OpenMeeting,
  to: number,
  end: Meeting['end'],
  rules: MeetingRules,
): Meeting | null {
  return to - from >= rules.minMs ? { from, to, minMeters, minTime, end } : null;
}
