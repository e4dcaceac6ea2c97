/** One cell as its owner processes it: the replay, the messages in order, and the outputs that wait for the next checkpoint. */

import { WayzoneError } from 'wayzone';
import { type CellCore, cellCore } from './cellCore.js';
import type { AsideUnit, LoadedCell } from './cellStore.js';
import type { Sealed } from './commitSealed.js';
import { decodeMessage, type LogMessage, type Message } from './message.js';
import { messageWork } from './messageWork.js';
import { openCompanies } from './openCompanies.js';
import { pairRuns } from './pairRuns.js';
import { routeKind } from './routeKind.js';
import { tripKind, tripRuns } from './tripRuns.js';
import type { VersionedTrips } from './tripSource.js';
import { unitsAside } from './unitsAside.js';
import { waitingOutputs } from './waitingOutputs.js';
import { type Sources, watchSources } from './watchSources.js';
import type { VersionedZones } from './zoneSource.js';

interface RunOptions extends Sources {
  readonly cell: number;
  readonly from: LoadedCell;
  readonly latenessSeconds: number;
  /** Awaited before the work on each unit, which is then done unit by unit: for a trial. */
  readonly onUnit?: (unitId: string) => Promise<void>;
}

export interface CellRun {
  readonly cell: number;
  /** The last handled message, and the last message whose outputs are committed. */
  readonly position: number;
  readonly committed: number;
  /** Number of units and runs that were computed since the last commit, each from stored fixes. */
  readonly computed: number;
  readonly replayFrom: number;
  readonly pendingFixes: number;
  readonly hasPending: boolean;
  /** Number of units that are followed. */
  readonly units: number;
  readonly dirtyUnits: number;
  /** The clock of the last tick or message, epoch milliseconds. */
  readonly clock: number;
  /** The last tick, epoch milliseconds; -Infinity before the first. */
  readonly ticked: number;
  /** As `CellCore.wakeAt`. */
  wakeAt(): number | null;
  dirtyUnitsOf(companyId: string): number;
  /** Number of units whose stored states lack message `seq` or an earlier one. */
  statesBehind(seq: number): number;
  follows(companyId: string): boolean;
  /** Companies for which the run uses another index than the worker, as after a restart at an older version. */
  usesOwnIndex(): Promise<string[]>;
  /** The units that are set aside. */
  readonly aside: ReadonlyMap<string, AsideUnit>;
  /** Handles the next message. `ahead`: the messages after it that wait. */
  handle(message: LogMessage, ahead?: readonly LogMessage[]): Promise<void>;
  /** Sets units aside before the next message is handled, each with the reason and its part of the message. The id '' is the message itself. */
  setAside(message: LogMessage, units: ReadonlyMap<string, string>): Promise<void>;
  /** The units that fail with the next message if it is a tick, each with the reason. Changes nothing. */
  failing(message: LogMessage): Promise<Map<string, string>>;
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
  seal(
    states: StateChoice,
    zones?: { readonly companyId: string; readonly version: number },
  ): Omit<Sealed, 'version' | 'tickIn' | 'now'>;
  committedTo(sealed: Pick<Sealed, 'position' | 'replayFrom'>): void;
  /** Switches to the worker's index of the company. Its version is recorded before. */
  exchange(companyId: string, zones: VersionedZones): void;
  /** Switches to the company's trips of a version before the version is recorded. The resulting events are committed with the record. */
  changeTrips(companyId: string, trips: VersionedTrips): Promise<void>;
}

export function cellRun(options: RunOptions): CellRun {
  const { cell, from, latenessSeconds, onUnit } = options;
  const { store, zones, trips, routes, pairs, isTheirs } = watchSources(options);
  const core: CellCore = cellCore({ latenessSeconds, clock: from.replayClock });
  const outputs = waitingOutputs();
  const aside = unitsAside({
    ...from,
    core,
    outputs,
    latenessSeconds,
    onForgotten(unitId) {
      for (const one of runs) one.forget(unitId);
      meetings.forget(unitId);
    },
    isTheirs,
    ...(onUnit === undefined ? {} : { onUnit }),
  });
  /** The points of the runs, then their routes. */
  const runs = [tripKind(latenessSeconds), routeKind(routes, latenessSeconds)].map((kind) =>
    tripRuns({ part: from.part, kind, store, each: aside.each }),
  );
  const meetings = pairRuns({ part: from.part, store, pairs, latenessSeconds, each: aside.each });
  let position = from.replayFrom - 1;
  /** When the log received the last message; -Infinity before the first. */
  let stamp = from.clock;
  let committed = from.position;
  let replayFrom = from.replayFrom;
  let computedBefore = 0;
  /** Messages that name no unit. */
  const skipped = new Set(from.aside);
  const companies = openCompanies({ from, core, runs, zones, trips, record: outputs.record });
  const work = messageWork({ ...options, cell, store, core, outputs, aside, runs, meetings, companies });

  const decoded = ({ seq, stamp, payload }: LogMessage): Message | null => {
    if (skipped.has(seq)) return null;
    try {
      return decodeMessage(payload, stamp);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      skip(seq, payload, error.message);
      return null;
    }
  };
  const skip = (seq: number, payload: Uint8Array, reason: string): void => {
    skipped.add(seq);
    if (seq > committed) outputs.setAside({ seq, unitId: '', companyId: null, reason, payload, from: 0 });
  };
  const begin = ({ seq, stamp, payload }: LogMessage, message: Message | null): void =>
    aside.begin({ seq, stamp, payloads: message?.kind === 'fixes' && seq > committed ? [payload] : [] });

  return {
    cell,
    get position() {
      return position;
    },
    get committed() {
      return committed;
    },
    get computed() {
      return aside.computed - computedBefore;
    },
    get replayFrom() {
      return replayFrom;
    },
    get pendingFixes() {
      return outputs.fixCount;
    },
    get hasPending() {
      return position > committed;
    },
    get units() {
      return core.units;
    },
    get dirtyUnits() {
      return core.dirtyUnits;
    },
    get clock() {
      return Math.max(core.clock, stamp);
    },
    get ticked() {
      return core.clock;
    },
    wakeAt: () => core.wakeAt(),
    aside: aside.units,
    dirtyUnitsOf: (companyId) => core.dirtyUnitsOf(companyId),
    statesBehind: (seq) => [...core.behind(seq)].length,
    follows: (companyId) => core.has(companyId),
    usesOwnIndex: () => companies.withOwnIndex(),
    async handle(logged, ahead) {
      const { seq } = logged;
      if (seq !== position + 1)
        throw new WayzoneError(
          'log-gap',
          `cell ${cell}`,
          `expected sequence ${position + 1}, received ${seq}`,
        );
      await companies.openUntil(seq);
      const message = decoded(logged);
      begin(logged, message);
      stamp = logged.stamp;
      aside.putUnread();
      if (message !== null) await work.apply(message, logged, seq > committed, ahead);
      position = seq;
      if (position === from.position) {
        await companies.openUntil(position + 1);
        core.endReplay(position + 1);
      }
      aside.putUnread();
    },
    async setAside(logged, units) {
      const { seq, payload } = logged;
      await companies.openUntil(seq);
      const message = decoded(logged);
      begin(logged, message);
      for (const [unitId, reason] of units) {
        const companyId =
          core.companyOf(unitId) ?? (message === null || message.kind === 'tick' ? null : message.companyId);
        if (unitId === '' || companyId === null) skip(seq, payload, reason);
        else aside.put({ companyId, unitId, reason });
      }
    },
    async failing(logged) {
      await companies.openUntil(logged.seq);
      if (decoded(logged)?.kind !== 'tick') return new Map();
      const found = await core.failing(logged.stamp, onUnit);
      return new Map(found.map(({ unitId, reason }) => [unitId, reason]));
    },
    async recompute(units, since, received) {
      const seq = position + 1;
      await companies.openUntil(seq);
      core.endReplay(seq);
      const count = await work.recompute(units, since, { seq, stamp: received });
      position = seq;
      return count;
    },
    seal(choice, changed) {
      const states = core.save(chosenUnits(choice, core, position, outputs.forced), position);
      if (changed !== undefined) outputs.record({ ...changed, seq: position });
      const { from: resumed, clock: replayClock } = core.resumeAt(position);
      const { clock } = core;
      const at = {
        cell,
        position,
        clock,
        replayFrom: resumed,
        replayClock,
      };
      return { ...at, states, ...outputs.seal() };
    },
    committedTo(sealed) {
      if (sealed.position > committed) computedBefore = aside.computed;
      committed = sealed.position;
      replayFrom = sealed.replayFrom;
    },
    exchange: (companyId, next) => companies.exchange(companyId, next),
    async changeTrips(companyId, followed) {
      const own = outputs.events.flatMap((one) =>
        one.companyId === companyId && one.seq === position ? [one.ordinal + 1] : [],
      );
      const ordinal = Math.max(await store.nextOrdinal(companyId, cell, position), ...own);
      await work.changeTrips(companyId, followed, { seq: position, stamp, ordinal });
    },
  };
}

/** `count`: the states that have waited longest. `companyId`: those of one company alone. `all`: all states that are out of date. */
export type StateChoice =
  | { readonly count: number; readonly companyId?: string }
  | { readonly companyId: string }
  | 'all';

/** The units of the choice whose stored states are older than message `position`, and the units of `forced`. */
function chosenUnits(
  choice: StateChoice,
  core: Pick<CellCore, 'behind'>,
  position: number,
  forced: ReadonlySet<string>,
): Set<string> {
  const units = new Set(forced);
  let left = typeof choice === 'object' && 'count' in choice ? choice.count : Number.POSITIVE_INFINITY;
  const companyId = typeof choice === 'object' && 'companyId' in choice ? choice.companyId : undefined;
  for (const unitId of core.behind(position, companyId)) {
    if (left-- <= 0) break;
    units.add(unitId);
  }
  return units;
}
