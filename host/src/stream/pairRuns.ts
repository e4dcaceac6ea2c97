/**
 * Follows the meetings of a cell's units with their trailers, whose fixes another cell may store. Therefore a pair is compared
 * when the clock passes a multiple of `EVERY_MS`, over the stored fixes of both. No state is stored: a restart compares the fixes again,
 * and the result with the stored events. Once the fixes of both are stored, the events equal those of `findMeetings`.
 */

import type { Fix } from 'wayzone';
import { type Meeting, type MeetingEvent, MeetingTracker } from 'wayzone/tracks';
import { DAY_MS } from '../durations.js';
import type { CoreEvent } from './cellCore.js';
import type { CellPart } from './cellMap.js';
import type { CellStore } from './cellStore.js';
import type { EachUnit } from './eachUnit.js';
import type { Pair, PairSource } from './pairSource.js';
import type { Waiting } from './runEvaluation.js';
import { type EmittedMeeting, isMeetingEvent, type MeetingStreamEvent } from './streamEvent.js';
import { type AtTick, boundaryOf } from './tripRuns.js';

/** Fixes that are later than this change no meeting. */
const LATE_MS = 2 * DAY_MS;
/** `maxGapSeconds` of meetings: no meeting depends on fixes further away. */
const GAP_MS = 3_600_000;

interface PairRunsOptions {
  readonly part: CellPart;
  readonly store: Pick<CellStore, 'fixesOf' | 'fixCount' | 'meetingEventsOf'>;
  readonly pairs: PairSource;
  readonly latenessSeconds: number;
  readonly each: EachUnit;
}

export interface PairRuns {
  /** Compares the pairs of the unit from the beginning. */
  forget(unitId: string): void;
  /** Applies tick `seq`, which raised the clock from `before`. The events are numbered from `ordinal` on. */
  tick(companyIds: readonly string[], at: AtTick, waiting: Waiting): Promise<CoreEvent[]>;
}

/** The fixes of a unit that a tracker has taken. */
interface Taken {
  last: number;
  count: number;
}

interface Following {
  readonly tracker: MeetingTracker;
  readonly meters: number;
  /** Fixes before it were not taken. */
  readonly start: number;
  readonly taken: readonly [Taken, Taken];
}

export function pairRuns(options: PairRunsOptions): PairRuns {
  const { part, store, pairs, latenessSeconds, each } = options;
  const following = new Map<string, Following>();

  const pushAll = (
    one: Following,
    units: readonly [string, string],
    at: 0 | 1,
    fixes: readonly Fix[],
  ): MeetingStreamEvent[] => {
    const taken = one.taken[at];
    const events = fixes.flatMap((fix) => one.tracker.push(units[at], fix));
    taken.count += fixes.length;
    taken.last = Math.max(taken.last, ...fixes.slice(-1).map(({ time }) => Math.round(time)));
    return events.map((event) => ofPair(event, units));
  };
  /** Whether a fix came that is older than a taken one. */
  const hasOlder = async (
    companyId: string,
    one: Following,
    units: readonly [string, string],
  ): Promise<boolean> => {
    for (const at of [0, 1] as const) {
      const { last, count } = one.taken[at];
      if ((await store.fixCount(companyId, units[at], one.start, last)) !== count) return true;
    }
    return false;
  };
  /** Compares the pair from the beginning, and returns the differences from the emitted events. */
  const beginAnew = async (
    companyId: string,
    pair: Pair,
    units: readonly [string, string],
    clock: number,
    waiting: Waiting,
  ): Promise<{ readonly one: Following; readonly events: MeetingStreamEvent[] }> => {
    const horizon = clock - LATE_MS;
    const pending = waiting.events.flatMap(({ event }) =>
      isMeetingEvent(event) && event.unitId === units[0] && event.units[1] === units[1] ? [event] : [],
    );
    const all = emittedMeetings([...(await store.meetingEventsOf(companyId, units)), ...pending]);
    const isOpenAt = ({ to }: EmittedMeeting): boolean => to === null || to >= horizon;
    const emitted = all.filter(isOpenAt);
    const start = Math.min(horizon, ...emitted.map(({ from }) => from)) - GAP_MS;
    const one: Following = {
      tracker: new MeetingTracker({
        meters: pair.meters,
        latenessSeconds,
        maxAheadSeconds: Number.POSITIVE_INFINITY,
      }),
      meters: pair.meters,
      start,
      taken: [
        { last: start - 1, count: 0 },
        { last: start - 1, count: 0 },
      ],
    };
    one.tracker.watch(...units);
    const events: MeetingStreamEvent[] = [];
    for (const at of [0, 1] as const)
      events.push(...pushAll(one, units, at, await store.fixesOf(companyId, units[at], start)));
    events.push(...advance(one, units, clock));
    return { one, events: meetingRevisions(units, emitted, emittedMeetings(events).filter(isOpenAt)) };
  };
  const advance = (one: Following, units: readonly [string, string], clock: number): MeetingStreamEvent[] =>
    one.tracker.advance(clock).map((event) => ofPair(event, units));

  const follow = async (
    companyId: string,
    pair: Pair,
    clock: number,
    waiting: Waiting,
  ): Promise<MeetingStreamEvent[]> => {
    const units = [pair.unitId, pair.trailerId] as const;
    const key = JSON.stringify(units);
    const known = following.get(key);
    if (known === undefined || known.meters !== pair.meters || (await hasOlder(companyId, known, units))) {
      const { one, events } = await beginAnew(companyId, pair, units, clock, waiting);
      following.set(key, one);
      return events;
    }
    const events: MeetingStreamEvent[] = [];
    for (const at of [0, 1] as const)
      events.push(
        ...pushAll(known, units, at, await store.fixesOf(companyId, units[at], known.taken[at].last + 1)),
      );
    events.push(...advance(known, units, clock));
    // Keeps the count of older fixes short.
    if (clock - known.start > 2 * LATE_MS && known.tracker.current().length === 0) following.delete(key);
    return events;
  };

  return {
    forget(unitId) {
      for (const key of following.keys())
        if ((JSON.parse(key) as readonly string[])[0] === unitId) following.delete(key);
    },
    async tick(companyIds, { seq, before, clock, ordinal }, waiting) {
      const boundary = boundaryOf(clock);
      if (boundary === boundaryOf(before)) return [];
      const events: CoreEvent[] = [];
      for (const companyId of [...companyIds].sort()) {
        const own = await pairs.of(companyId, part);
        if (own.length === 0) continue;
        const date = await pairs.dateOf(companyId, boundary);
        for (const pair of own) {
          if ((pair.fromDate ?? date) > date || (pair.toDate ?? date) < date) continue;
          await each({ companyId, unitId: pair.unitId }, async () => {
            for (const event of await follow(companyId, pair, boundary, waiting))
              events.push({ companyId, seq, ordinal: ordinal + events.length, event });
          });
        }
      }
      return events;
    },
  };
}

function ofPair(event: MeetingEvent, units: readonly [string, string]): MeetingStreamEvent {
  return { ...event, kind: 'meeting', unitId: units[0], units };
}

/** The meetings that the events of one pair describe, sorted by their beginning. Takes the events in the order of their ids. */
export function emittedMeetings(events: Iterable<MeetingStreamEvent>): EmittedMeeting[] {
  const emitted = new Map<number, EmittedMeeting>();
  for (const event of events) {
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(event.was.from);
      if (event.is !== null) emitted.set(event.is.from, event.is);
    } else emitted.set(event.meeting.from, event.type === 'apart' ? event.meeting : underWay(event.meeting));
  }
  return [...emitted.values()].sort((a, b) => a.from - b.from);
}

/** A meeting that has no `apart` event so far. */
function underWay({ from }: Meeting): EmittedMeeting {
  return { from, to: null };
}

/** The `revised` events that change `before` into `after`, sorted by the beginnings of the meetings. */
function meetingRevisions(
  units: readonly [string, string],
  before: readonly EmittedMeeting[],
  after: readonly EmittedMeeting[],
): MeetingStreamEvent[] {
  return changesOf(before, after)
    .map(({ was, is }) => ({ time: (is ?? was)!.from, was, is }))
    .sort((a, b) => a.time - b.time)
    .map((change) => ({ type: 'revised', kind: 'meeting', unitId: units[0], units, ...change }));
}

interface Change {
  readonly was: EmittedMeeting | null;
  readonly is: EmittedMeeting | null;
}

/**
 * The meetings that differ. Two with one beginning are one change, so that no change withdraws what another has put in its place; else two
 * that overlap; the others are withdrawn or added.
 */
function changesOf(before: readonly EmittedMeeting[], after: readonly EmittedMeeting[]): Change[] {
  const known = new Set(before.map(textOf));
  const same = new Set(after.map(textOf).filter((text) => known.has(text)));
  const gone = before.filter((one) => !same.has(textOf(one)));
  const come = after.filter((one) => !same.has(textOf(one)));
  const starts = new Set(gone.map(({ from }) => from));
  const changes = gone.map((was): Change => {
    const own = come.findIndex(({ from }) => from === was.from);
    const at = own === -1 ? come.findIndex((is) => !starts.has(is.from) && overlap(was, is)) : own;
    return { was, is: at === -1 ? null : come.splice(at, 1)[0]! };
  });
  return [...changes, ...come.map((is) => ({ was: null, is }))];
}

function textOf({ from, to, end, minMeters, minTime }: EmittedMeeting): string {
  return JSON.stringify([from, to, end, minMeters, minTime]);
}

function overlap(a: EmittedMeeting, b: EmittedMeeting): boolean {
  return a.from <= (b.to ?? Number.POSITIVE_INFINITY) && b.from <= (a.to ?? Number.POSITIVE_INFINITY);
}
