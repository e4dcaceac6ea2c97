/** One partition as its owner processes it: the replay, the messages in order, and the outputs that wait for the next checkpoint. */

import { WayzoneError } from 'wayzone';
import type { Sealed } from './commitSealed.js';
import type { LogMessage } from './log.js';
import { decodeMessage, type FixesMessage, type Message } from './message.js';
import { openCompanies } from './openCompanies.js';
import { pairRuns } from './pairRuns.js';
import type { PairSource } from './pairSource.js';
import { type CoreEvent, type PartitionCore, partitionCore } from './partitionCore.js';
import { reviseUnit } from './reviseUnit.js';
import { type RouteSource, routeKind } from './routeKind.js';
import { chosenUnits, type StateChoice } from './stateChoice.js';
import type { StreamStore, TakenOver } from './streamStore.js';
import { tripKind, tripRuns } from './tripRuns.js';
import type { TripSource, VersionedTrips } from './tripSource.js';
import { waitingOutputs } from './waitingOutputs.js';
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

export function partitionRun(options: RunOptions): PartitionRun {
  const { partition, from, store, zones, trips, routes, pairs, latenessSeconds, settled } = options;
  /** The points of the runs, then their routes. */
  const runs = [tripKind(latenessSeconds), routeKind(routes, latenessSeconds)].map((kind) =>
    tripRuns({ partition, kind, store, settled }),
  );
  const meetings = pairRuns({ partition, store, pairs, latenessSeconds, settled });
  const core: PartitionCore = partitionCore({ latenessSeconds, clock: from.replayClock });
  let position = from.replayFrom - 1;
  let committed = from.position;
  let replayFrom = from.replayFrom;
  const outputs = waitingOutputs();
  const companies = openCompanies({ from, core, runs, zones, trips, record: outputs.record });

  /** Computes a unit again, with the waiting fixes and those of a message. */
  const revise = async (
    { companyId, fixes: added }: Pick<FixesMessage, 'companyId' | 'fixes'>,
    unitId: string,
    at: { readonly seq: number; readonly stamp: number; readonly ordinal: number },
  ): Promise<CoreEvent[]> => {
    await settled();
    outputs.force(unitId);
    const { fixes, events } = outputs;
    return reviseUnit(core, store, { companyId, unitId, at, fixes: [...fixes, ...added], events });
  };

  const take = async (message: Message, logged: LogMessage): Promise<void> => {
    const { seq, stamp } = logged;
    if (message.kind === 'fixes' && !core.has(message.companyId)) {
      // The states of the company already include the message.
      if (companies.waits(message.companyId)) return;
      if (!(await companies.open(message.companyId, seq)))
        throw new WayzoneError(
          'company-unknown',
          'company',
          `expected a known company, received ${message.companyId}`,
        );
    }
    if (message.kind === 'fixes') await configureUnits(core, store, message, seq);
    const before = core.clock;
    const { events: emitted, late } = core.apply(message, seq, stamp);
    if (seq <= committed) return;
    outputs.emit(emitted);
    const { clock } = core;
    let ordinal = emitted.length;
    const emit = (events: readonly CoreEvent[]): void => {
      outputs.emit(events);
      ordinal += events.length;
    };
    if (message.kind === 'tick') {
      for (const one of runs) emit(await one.tick({ seq, before, clock, ordinal }, outputs));
      emit(await meetings.tick(companies.ids(), { seq, before, clock, ordinal }, outputs));
      return;
    }
    for (const unitId of late.keys()) emit(await revise(message, unitId, { seq, stamp, ordinal }));
    for (const one of runs) emit(await one.take(message, { seq, clock, ordinal }, outputs));
    outputs.take(message);
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
      return outputs.fixes.length;
    },
    get hasPending() {
      return position > committed;
    },
    get dirtyUnits() {
      return core.dirtyUnits;
    },
    dirtyUnitsOf: (companyId) => core.dirtyUnitsOf(companyId),
    follows: (companyId) => core.has(companyId),
    usesOwnIndex: () => companies.withOwnIndex(),
    async handle(logged) {
      if (logged.seq !== position + 1)
        throw new WayzoneError(
          'log-gap',
          `partition ${partition}`,
          `expected sequence ${position + 1}, received ${logged.seq}`,
        );
      await companies.openUntil(logged.seq);
      try {
        if (!from.aside.has(logged.seq)) await take(decodeMessage(logged.payload, logged.stamp), logged);
      } catch (error) {
        if (!(error instanceof WayzoneError) || !SET_ASIDE.has(error.code)) throw error;
        if (logged.seq > committed)
          outputs.setAside({ seq: logged.seq, reason: error.message, payload: logged.payload });
      }
      position = logged.seq;
      if (position !== from.position) return;
      await companies.openUntil(position + 1);
      core.endReplay(position + 1);
    },
    async recompute(units, since, stamp) {
      const seq = position + 1;
      await companies.openUntil(seq);
      core.endReplay(seq);
      let ordinal = 0;
      for (const { unitId, companyId } of units) {
        if (!core.has(companyId) && !(await companies.open(companyId, seq))) continue;
        const message = { kind: 'fixes', companyId, fixes: [{ unitId }] } as const;
        await configureUnits(core, store, message, seq);
        core.invalidate(companyId, unitId, since);
        const changed = await revise({ companyId, fixes: [] }, unitId, { seq, stamp, ordinal });
        outputs.emit(changed);
        ordinal += changed.length;
      }
      position = seq;
      return ordinal;
    },
    setAside(logged, reason) {
      outputs.setAside({ seq: logged.seq, reason, payload: logged.payload });
      position = logged.seq;
    },
    seal(choice, changed) {
      const states = core.save(chosenUnits(choice, core, position, outputs.forced), position);
      if (changed !== undefined) outputs.record({ ...changed, seq: position });
      const { from: resumed, clock: replayClock } = core.resumeAt(position);
      const { clock } = core;
      const at = { partition, epoch: from.epoch, position, clock, replayFrom: resumed, replayClock };
      return { ...at, states, ...outputs.seal() };
    },
    committedTo(sealed) {
      committed = sealed.position;
      replayFrom = sealed.replayFrom;
    },
    exchange: (companyId, next) => companies.exchange(companyId, next),
    async changeTrips(companyId, followed) {
      await settled();
      const own = outputs.events.flatMap((one) =>
        one.companyId === companyId && one.seq === position ? [one.ordinal + 1] : [],
      );
      const ordinal = Math.max(await store.nextOrdinal(companyId, partition, position), ...own);
      let next = ordinal;
      for (const one of runs) {
        const at = { seq: position, clock: core.clock, ordinal: next };
        const changed = await one.change(companyId, followed, at, outputs);
        outputs.emit(changed);
        next += changed.length;
      }
    },
  };
}

/** Gives the units of a message their settings, if these are not known. */
async function configureUnits(
  core: PartitionCore,
  store: Pick<StreamStore, 'settingsOf'>,
  message: Parameters<PartitionCore['unknown']>[0],
  seq: number,
): Promise<void> {
  const unknown = core.unknown(message, seq);
  const settings = unknown.length === 0 ? null : await store.settingsOf(unknown);
  for (const unitId of unknown) core.configure(message.companyId, unitId, settings?.get(unitId) ?? null);
}

/** Error codes of an invalid message. */
const SET_ASIDE: ReadonlySet<string> = new Set(['message-invalid', 'text-invalid', 'company-unknown']);
