/** Applies the messages of a cell to its units. */

import { grouped } from '../grouped.js';
import type { UnitFix } from '../live/fixes.js';
import type { AtStamp, CellCore, CoreEvent } from './cellCore.js';
import type { FixesMessage, LogMessage, Message } from './message.js';
import type { Companies } from './openCompanies.js';
import type { PairRuns } from './pairRuns.js';
import { type Resumed, resumeUnit } from './resumeUnit.js';
import { type HistoryAhead, historyAhead, MOST_AHEAD, reviseUnit } from './reviseUnit.js';
import { settingsAhead } from './settingsAhead.js';
import type { TripRuns } from './tripRuns.js';
import type { VersionedTrips } from './tripSource.js';
import type { UnitsAside } from './unitsAside.js';
import type { WaitingOutputs } from './waitingOutputs.js';
import type { Sources } from './watchSources.js';

export interface WorkOptions extends Pick<Sources, 'store'> {
  readonly cell: number;
  readonly core: CellCore;
  readonly outputs: WaitingOutputs;
  readonly aside: UnitsAside;
  readonly runs: readonly TripRuns[];
  readonly meetings: PairRuns;
  readonly companies: Companies;
  /** See `RunOptions`. */
  readonly onUnit?: (unitId: string) => Promise<void>;
}

export interface MessageWork {
  /** Applies a message. `isNew`: its outputs are not committed yet. `ahead`: the messages after it that wait. */
  apply(message: Message, logged: LogMessage, isNew: boolean, ahead?: readonly LogMessage[]): Promise<void>;
  /** Computes units again from their fixes since a time, epoch milliseconds. Returns the number of events. */
  recompute(
    units: readonly { readonly unitId: string; readonly companyId: string }[],
    since: number,
    at: Pick<LogMessage, 'seq' | 'stamp'>,
  ): Promise<number>;
  /** Switches to other trips of a company. The events are numbered from `ordinal` on. */
  changeTrips(companyId: string, trips: VersionedTrips, at: AtStamp): Promise<void>;
}

export function messageWork(options: WorkOptions): MessageWork {
  const { core, outputs, aside, runs, meetings, companies, store, cell, onUnit } = options;
  const configure = settingsAhead(core, store);

  /** Computes a unit again. */
  const revise = async (
    companyId: string,
    unitId: string,
    at: AtStamp,
    history: HistoryAhead = store,
  ): Promise<CoreEvent[]> => {
    outputs.force(unitId);
    return reviseUnit(core, history, { cell, companyId, unitId, at, events: outputs.events });
  };
  /** Emits events in the order of their ordinals, but for those of units that failed meanwhile. */
  const emission = (given: readonly CoreEvent[], first = 0) => {
    let ordinal = first;
    const emit = (events: readonly CoreEvent[]): void => {
      const { units } = aside;
      outputs.emit(units.size === 0 ? events : events.filter(({ event }) => !units.has(event.unitId)));
      ordinal += events.length;
    };
    emit(given);
    return {
      emit,
      get ordinal() {
        return ordinal;
      },
    };
  };

  const tick = async ({ seq, stamp }: LogMessage, isNew: boolean): Promise<void> => {
    const before = core.clock;
    const { events } = core.apply({ kind: 'tick' }, seq, stamp);
    aside.putUnread();
    if (!isNew) return;
    const emitted = emission(events);
    const at = () => ({ seq, before, clock: core.clock, ordinal: emitted.ordinal });
    for (const one of runs) emitted.emit(await one.tick(at(), outputs));
    emitted.emit(await meetings.tick(companies.ids(), at(), outputs));
  };
  /** Applies fixes of units that are followed. */
  const followed = async (
    message: FixesMessage,
    logged: LogMessage,
    isNew: boolean,
    ahead?: readonly LogMessage[],
    first = 0,
  ): Promise<number> => {
    const { companyId } = message;
    const { seq, stamp } = logged;
    const live = (): FixesMessage => ({ ...message, fixes: aside.followed(message.fixes) });
    await configure(live(), seq, ahead);
    aside.putUnread();
    const { events, late, failed } = core.apply(live(), seq, stamp);
    for (const [unitId, reason] of failed) aside.put({ companyId, unitId, reason });
    if (!isNew) return first;
    const emitted = emission(
      first === 0 ? events : events.map((one) => ({ ...one, ordinal: one.ordinal + first })),
      first,
    );
    const units = [...late.keys()];
    for (let i = 0; i < units.length; i += MOST_AHEAD) {
      const some = units.slice(i, i + MOST_AHEAD);
      const history = some.length < 2 ? store : await historyAhead(core, store, cell, companyId, some);
      for (const unitId of some)
        await aside.each({ companyId, unitId }, async () =>
          emitted.emit(await revise(companyId, unitId, { seq, stamp, ordinal: emitted.ordinal }, history)),
        );
    }
    for (const one of runs)
      emitted.emit(await one.take(live(), { seq, clock: core.clock, ordinal: emitted.ordinal }, outputs));
    return emitted.ordinal;
  };
  const fixes = async (
    message: FixesMessage,
    logged: LogMessage,
    isNew: boolean,
    ahead?: readonly LogMessage[],
  ): Promise<void> => {
    const { companyId, bad } = message;
    if (isNew && bad !== undefined)
      for (const [unitId, reason] of bad) aside.put({ companyId, unitId, reason });
    const own = aside.followed(message.fixes);
    if (core.has(companyId) || (await isOpened(companyId, logged.seq, own, isNew))) {
      if (onUnit === undefined) await followed(message, logged, isNew, ahead);
      else {
        let ordinal = 0;
        for (const [unitId, part] of grouped(own, ({ unitId }) => unitId)) {
          await onUnit(unitId);
          ordinal = await followed({ ...message, fixes: part }, logged, isNew, undefined, ordinal);
        }
      }
    }
    aside.lower(message.fixes);
    if (isNew) outputs.take(companyId, message.fixes.length);
  };
  /** Opens the company before its first message. The units of an unknown one are set aside. */
  const isOpened = async (
    companyId: string,
    seq: number,
    own: readonly UnitFix[],
    isNew: boolean,
  ): Promise<boolean> => {
    // The states of the company already include the message.
    if (companies.waits(companyId)) return false;
    if (await companies.open(companyId, seq)) {
      aside.putUnread();
      return true;
    }
    if (isNew)
      for (const unitId of new Set(own.map((fix) => fix.unitId)))
        aside.put({ companyId, unitId, reason: unknownCompany(companyId) });
    return false;
  };
  const resume = async (unit: Resumed, { seq, stamp }: LogMessage): Promise<void> => {
    const { companyId, unitId, from } = unit;
    if (!core.has(companyId) && !(await companies.open(companyId, seq)))
      throw new Error(unknownCompany(companyId));
    core.resume({ ...unit, seq });
    await configure({ companyId, fixes: [{ unitId }] }, seq);
    const emitted = emission([]);
    const at = () => ({ seq, stamp, clock: core.clock, ordinal: emitted.ordinal });
    emitted.emit(await revise(companyId, unitId, at()));
    const span = { companyId, unitId, from, to: stamp + FUTURE_MS };
    for (const one of runs) emitted.emit(await one.resume(span, at(), outputs));
  };

  return {
    async recompute(units, since, at) {
      const { seq } = at;
      aside.begin({ ...at, payloads: [] });
      aside.putUnread();
      const emitted = emission([]);
      for (const { unitId, companyId } of units) {
        if (!core.has(companyId) && !(await companies.open(companyId, seq))) continue;
        await aside.each({ companyId, unitId }, async () => {
          await configure({ companyId, fixes: [{ unitId }] }, seq);
          core.invalidate(companyId, unitId, since);
          emitted.emit(await revise(companyId, unitId, { ...at, ordinal: emitted.ordinal }));
        });
      }
      return emitted.ordinal;
    },
    async changeTrips(companyId, trips, { seq, stamp, ordinal }) {
      aside.begin({ seq, stamp, payloads: [] });
      const emitted = emission([], ordinal);
      for (const one of runs) {
        const at = { seq, clock: core.clock, ordinal: emitted.ordinal };
        emitted.emit(await one.change(companyId, trips, at, outputs));
      }
    },
    async apply(message, logged, isNew, ahead) {
      if (message.kind === 'tick') return tick(logged, isNew);
      if (message.kind === 'fixes') return fixes(message, logged, isNew, ahead);
      if (!isNew) return;
      await resumeUnit(message, logged, aside, store, (unit) => resume(unit, logged));
    },
  };
}

/** A message has no fix that is further ahead of it, milliseconds. */
const FUTURE_MS = 2 * 86_400_000;

function unknownCompany(companyId: string): string {
  return `company-unknown: expected a known company, received ${companyId}`;
}
