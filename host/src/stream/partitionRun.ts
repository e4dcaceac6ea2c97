/** One partition as its owner processes it: the replay, the messages in order, and the outputs that wait for the next checkpoint. */

import { WayzoneError } from 'wayzone';
import type { UnitFix } from '../live/unitFix.js';
import type { Sealed } from './commitSealed.js';
import { mergeFixes } from './fixOrder.js';
import type { LogMessage } from './log.js';
import { decodeMessage, type FixesMessage, type Message } from './message.js';
import { pairRuns } from './pairRuns.js';
import type { PairSource } from './pairSource.js';
import { type CoreEvent, type PartitionCore, partitionCore, type StoredState } from './partitionCore.js';
import { revisedSpan } from './revisedSpan.js';
import { type RouteSource, routeKind } from './routeKind.js';
import { chosenUnits, type StateChoice } from './stateChoice.js';
import type { StreamStore, TakenOver } from './streamStore.js';
import { tripKind } from './tripKind.js';
import { tripRuns } from './tripRuns.js';
import type { TripSource, VersionedTrips } from './tripSource.js';
import type { VersionedZones, ZoneSource } from './zoneSource.js';

export interface RunOptions {
  readonly partition: number;
  readonly from: TakenOver;
  readonly store: Pick<
    StreamStore,
    | 'fixesOf'
    | 'fixCount'
    | 'firstFixOf'
    | 'eventsOf'
    | 'settingsOf'
    | 'tripEventsOf'
    | 'tripDatesOf'
    | 'meetingEventsOf'
    | 'nextOrdinal'
  >;
  readonly zones: ZoneSource;
  readonly trips: TripSource;
  readonly routes: RouteSource;
  readonly pairs: PairSource;
  readonly latenessSeconds: number;
  /** Waits until all sealed outputs are committed. */
  readonly settled: () => Promise<void>;
}

export interface PartitionRun {
  readonly partition: number;
  readonly epoch: number;
  /** The last handled message, and the last message whose outputs are committed. */
  readonly position: number;
  readonly committed: number;
  readonly replayFrom: number;
  readonly pendingFixes: number;
  readonly hasPending: boolean;
  readonly dirtyUnits: number;
  dirtyUnitsOf(companyId: string): number;
  follows(companyId: string): boolean;
  /** Companies for which the run uses another index than the worker, as after a restart at an older version. */
  usesOwnIndex(): Promise<string[]>;
  handle(message: LogMessage): Promise<void>;
  /** Skips a message and sets it aside with the reason. */
  setAside(message: LogMessage, reason: string): void;
  /**
   * Recomputes these units from their stored fixes, as one additional message. Includes fixes before `since` (epoch milliseconds) as far
   * as visits and movement need them. Returns the number of events.
   */
  recompute(
    units: readonly { readonly unitId: string; readonly companyId: string }[],
    since: number,
    stamp: number,
  ): Promise<number>;
  /** Takes the waiting outputs for a checkpoint. `zones`: a version of a company's zones that applies from here on. */
  seal(states: StateChoice, zones?: { readonly companyId: string; readonly version: number }): Sealed;
  committedTo(sealed: Sealed): void;
  /** Switches to the worker's index of the company. Its version is recorded before. */
  exchange(companyId: string, zones: VersionedZones): void;
  /** Switches to the company's trips of a version before the version is recorded. The resulting events are committed with the record. */
  changeTrips(companyId: string, trips: VersionedTrips): Promise<void>;
}

export function partitionRun({
  partition,
  from,
  store,
  zones,
  trips,
  routes,
  pairs,
  latenessSeconds,
  settled,
}: RunOptions): PartitionRun {
  /** The points of the runs, then their routes. */
  const runs = [tripKind(latenessSeconds), routeKind(routes, latenessSeconds)].map((kind) =>
    tripRuns({ partition, kind, store, settled }),
  );
  const meetings = pairRuns({ partition, store, pairs, latenessSeconds, settled });
  const core: PartitionCore = partitionCore({ latenessSeconds, clock: from.replayClock });
  const states = new Map<string, StoredState[]>();
  for (const one of from.states) {
    const own = states.get(one.companyId);
    if (own === undefined) states.set(one.companyId, [one]);
    else own.push(one);
  }
  /** Companies that are not open yet, because their states include later messages than the replay has reached. */
  const unopened = new Map(from.zones);
  // States from before the log, or of a company without a record, use the newest zones.
  for (const companyId of states.keys())
    if (!unopened.has(companyId)) unopened.set(companyId, { seq: 0, version: -1 });
  const indexes = new Map<string, VersionedZones['index']>();
  let position = from.replayFrom - 1;
  let committed = from.position;
  let replayFrom = from.replayFrom;
  let fixes: UnitFix[] = [];
  let events: CoreEvent[] = [];
  let aside: Sealed['aside'][number][] = [];
  let records: Sealed['zones'][number][] = [];
  let forced = new Set<string>();
  let companyIds = new Set<string>();

  const open = async (
    companyId: string,
    version: number,
    own: readonly StoredState[],
    next: number,
  ): Promise<boolean> => {
    const found = version < 0 ? await zones.current(companyId) : await zones.at(companyId, version);
    if (found === null) return false;
    const followed = await trips.at(companyId, found.version);
    core.open(companyId, found, own, next);
    for (const one of runs) one.open(companyId, followed);
    indexes.set(companyId, found.index);
    if (version < 0) records.push({ companyId, seq: next - 1, version: found.version });
    return true;
  };
  /** Opens the companies whose states were complete before message `next`. */
  const openUntil = async (next: number): Promise<void> => {
    for (const [companyId, { seq, version }] of unopened) {
      if (seq >= next) continue;
      unopened.delete(companyId);
      await open(companyId, version, states.get(companyId) ?? [], next);
      states.delete(companyId);
    }
  };

  const revise = async (
    message: FixesMessage,
    { seq, stamp }: LogMessage,
    unitId: string,
    lateTime: number,
    ordinal: number,
  ): Promise<CoreEvent[]> => {
    await settled();
    const { companyId } = message;
    const pending = events.flatMap(({ event }) => (event.unitId === unitId ? [event] : []));
    const own = [...fixes, ...message.fixes].filter((one) => one.unitId === unitId);
    const stored = (await store.firstFixOf(unitId)) ?? lateTime;
    const first = Math.min(stored, ...own.map(({ fix }) => Math.round(fix.time)));
    const source = { eventsOf: store.eventsOf, pending, open: core.openVisits(companyId, unitId), first };
    const { start, emitted, anchor } = await revisedSpan(source, unitId, lateTime);
    const all = mergeFixes(
      await store.fixesOf(unitId, start),
      own.filter(({ fix }) => Math.round(fix.time) >= start),
    );
    const settings = (await store.settingsOf([unitId])).get(unitId) ?? null;
    forced.add(unitId);
    const span = { lateTime, start, fixes: all, emitted, anchor, settings };
    return core.revise(companyId, unitId, { seq, stamp, ordinal }, span);
  };

  const take = async (message: Message, logged: LogMessage): Promise<void> => {
    const { seq, stamp } = logged;
    if (message.kind === 'fixes' && !core.has(message.companyId)) {
      // The states of the company already include the message.
      if (unopened.has(message.companyId)) return;
      if (!(await open(message.companyId, -1, [], seq)))
        throw new WayzoneError(
          'company-unknown',
          'company',
          `expected a known company, received ${message.companyId}`,
        );
    }
    if (message.kind === 'fixes') {
      const unknown = core.unknown(message, seq);
      const settings = unknown.length === 0 ? null : await store.settingsOf(unknown);
      for (const unitId of unknown) core.configure(message.companyId, unitId, settings?.get(unitId) ?? null);
    }
    const before = core.clock;
    const { events: emitted, late } = core.apply(message, seq, stamp);
    if (seq <= committed) return;
    events.push(...emitted);
    const { clock } = core;
    if (message.kind === 'tick') {
      let ordinal = emitted.length;
      for (const one of runs) {
        const due = await one.tick({ seq, before, clock, ordinal }, { fixes, events });
        events.push(...due);
        ordinal += due.length;
      }
      events.push(
        ...(await meetings.tick([...indexes.keys()], { seq, before, clock, ordinal }, { fixes, events })),
      );
      return;
    }
    let ordinal = emitted.length;
    for (const [unitId, lateTime] of late) {
      const changed = await revise(message, logged, unitId, lateTime, ordinal);
      events.push(...changed);
      ordinal += changed.length;
    }
    for (const one of runs) {
      const news = await one.take(message, { seq, clock, ordinal }, { fixes, events });
      events.push(...news);
      ordinal += news.length;
    }
    for (const one of message.fixes) fixes.push(one);
    companyIds.add(message.companyId);
  };

  return {
    partition,
    epoch: from.epoch,
    get position() {
      return position;
    },
    get committed() {
      return committed;
    },
    get replayFrom() {
      return replayFrom;
    },
    get pendingFixes() {
      return fixes.length;
    },
    get hasPending() {
      return position > committed;
    },
    get dirtyUnits() {
      return core.dirtyUnits;
    },
    dirtyUnitsOf: (companyId) => core.dirtyUnitsOf(companyId),
    follows: (companyId) => core.has(companyId),
    async usesOwnIndex() {
      const own: string[] = [];
      for (const [companyId, index] of indexes)
        if ((await zones.current(companyId))?.index !== index) own.push(companyId);
      return own;
    },
    async handle(logged) {
      if (logged.seq !== position + 1)
        throw new WayzoneError(
          'log-gap',
          `partition ${partition}`,
          `expected sequence ${position + 1}, received ${logged.seq}`,
        );
      await openUntil(logged.seq);
      try {
        if (!from.aside.has(logged.seq)) await take(decodeMessage(logged.payload, logged.stamp), logged);
      } catch (error) {
        if (!(error instanceof WayzoneError) || !SET_ASIDE.has(error.code)) throw error;
        if (logged.seq > committed)
          aside.push({ seq: logged.seq, reason: error.message, payload: logged.payload });
      }
      position = logged.seq;
      if (position !== from.position) return;
      await openUntil(position + 1);
      core.endReplay(position + 1);
    },
    async recompute(units, since, stamp) {
      const seq = position + 1;
      await openUntil(seq);
      core.endReplay(seq);
      const before = events.length;
      for (const { unitId, companyId } of units) {
        if (!core.has(companyId) && !(await open(companyId, -1, [], seq))) continue;
        const message = { kind: 'fixes', companyId, fixes: [] } as const;
        const logged = { seq, stamp, payload: new Uint8Array() };
        events.push(...(await revise(message, logged, unitId, since, events.length - before)));
      }
      position = seq;
      return events.length - before;
    },
    setAside(logged, reason) {
      aside.push({ seq: logged.seq, reason, payload: logged.payload });
      position = logged.seq;
    },
    seal(choice, changed) {
      const saved = core.save(chosenUnits(choice, core, position, forced), position);
      if (changed !== undefined) records.push({ ...changed, seq: position });
      const resume = core.resumeAt(position);
      const sealed: Sealed = {
        partition,
        epoch: from.epoch,
        position,
        clock: core.clock,
        replayFrom: resume.from,
        replayClock: resume.clock,
        companyIds,
        fixes,
        events,
        states: saved,
        zones: records,
        aside,
      };
      [fixes, events, records, aside] = [[], [], [], []];
      [forced, companyIds] = [new Set(), new Set()];
      return sealed;
    },
    committedTo(sealed) {
      committed = sealed.position;
      replayFrom = sealed.replayFrom;
    },
    exchange(companyId, next) {
      core.exchange(companyId, next);
      indexes.set(companyId, next.index);
    },
    async changeTrips(companyId, followed) {
      await settled();
      const own = events.flatMap((one) =>
        one.companyId === companyId && one.seq === position ? [one.ordinal + 1] : [],
      );
      const ordinal = Math.max(await store.nextOrdinal(companyId, partition, position), ...own);
      let next = ordinal;
      for (const one of runs) {
        const at = { seq: position, clock: core.clock, ordinal: next };
        const changed = await one.change(companyId, followed, at, { fixes, events });
        events.push(...changed);
        next += changed.length;
      }
    },
  };
}

/** Error codes of an invalid message. */
const SET_ASIDE: ReadonlySet<string> = new Set(['message-invalid', 'text-invalid', 'company-unknown']);
