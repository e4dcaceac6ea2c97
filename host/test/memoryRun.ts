/** A run of a cell with stores in memory. It can restart from its stored state. */

import type { Fix, ZoneIndex } from 'wayzone';
import type { StoredState } from '../src/stream/cellCore.js';
import { type CellRun, cellRun } from '../src/stream/cellRun.js';
import type { AsideRow } from '../src/stream/commitSealed.js';
import { isPreferred } from '../src/stream/fixOrder.js';
import { encodeFixes, encodeRetry, encodeTick, type LogMessage } from '../src/stream/message.js';
import { lastTimeOf, type RunEvent, type StreamEvent } from '../src/stream/streamEvent.js';
import type { VersionedTrips } from '../src/stream/tripSource.js';
import { type RuledZone, type Strictness, zoneRules } from '../src/zones/zoneRules.js';
import { newCell } from './newCell.js';

export interface MemoryRun {
  readonly events: readonly StreamEvent[];
  /** Processes a message of the unit `van` of company `c` at a time of the log's clock. Without fixes it is a tick. */
  handle(clock: number, fixes?: readonly Fix[]): Promise<void>;
  /** Whether the unit is set aside, and what an operator does then. */
  readonly isAside: boolean;
  retry(clock: number): Promise<void>;
  /** Commits the waiting outputs, with the states of some units. */
  commit(): void;
  /** Restarts from the committed state, as after a kill. */
  restart(): Promise<void>;
  /** Replaces the trips. */
  changeTrips(trips: VersionedTrips): Promise<void>;
}

export function memoryRun(
  index: ZoneIndex,
  {
    settings = {},
    trips,
    ruled = [],
    timeZone = 'UTC',
    route = null,
    others = new Map(),
    strictness = {},
  }: {
    /** The stored fixes of units of other cells. */
    readonly others?: ReadonlyMap<string, readonly Fix[]>;
    /** The line of every route. */
    readonly route?: readonly (readonly [number, number])[] | null;
    readonly timeZone?: string;
    /** What replaces the thresholds of speeding. */
    readonly strictness?: Strictness;
    readonly settings?: object;
    readonly trips?: VersionedTrips;
    /** Zones with the fields that rules read. */
    readonly ruled?: readonly RuledZone[];
  } = {},
): MemoryRun {
  const stored = new Map<number, Fix>();
  const events: StreamEvent[] = [];
  const states = new Map<string, StoredState>();
  const log: LogMessage[] = [];
  let aside: AsideRow[] = [];
  const zones = { version: 1, index, rules: zoneRules(ruled, { timeZone, holidays: [] }, strictness) };
  let followed = trips ?? { version: 1, timeZone: 'UTC', unitsOf: () => new Map() };
  let committed = {
    position: 0,
    clock: Number.NEGATIVE_INFINITY,
    replayFrom: 1,
    replayClock: Number.NEGATIVE_INFINITY,
  };
  let recorded = new Map<string, { seq: number; version: number }>();
  const open = (): CellRun =>
    cellRun({
      cell: 0,
      from: {
        ...newCell,
        ...committed,
        states: aside.length > 0 ? [] : [...states.values()],
        zones: recorded,
        asideUnits: new Map(
          aside.map(() => ['van', { companyId: 'c', from: Math.min(...aside.map(({ from }) => from)) }]),
        ),
      },
      store: {
        fixesOf: async (_, unitId, from, to = Number.POSITIVE_INFINITY) =>
          [...(others.get(unitId) ?? stored.values())]
            .filter(({ time }) => time >= from && time <= to)
            .sort((a, b) => a.time - b.time),
        firstFixOf: async () => (stored.size === 0 ? null : Math.min(...stored.keys())),
        firstFixesOf: async (_, unitIds) =>
          new Map(stored.size === 0 ? [] : unitIds.map((id) => [id, Math.min(...stored.keys())])),
        // Each unit has more than are read together.
        fixesOfUnits: async () => new Map(),
        eventsOf: async (_, __, from) => events.filter((event) => lastTimeOf(event) >= from),
        eventsOfUnits: async (_, units) =>
          new Map(
            units.map(({ unitId, from }) => [unitId, events.filter((event) => lastTimeOf(event) >= from)]),
          ),
        settingsOf: async () => new Map([['van', settings]]),
        tripDatesOf: async (_, __, tripId) =>
          events.flatMap((event) => ('tripId' in event && event.tripId === tripId ? [event.date] : [])),
        nextOrdinal: async () => 0,
        head: async () => ({ seq: log.length, stamp: log.at(-1)?.stamp ?? null }),
        forgetFixes: async () => {},
        fixCount: async () => 0,
        meetingEventsOf: async () => [],
        asideOf: async () => ({ state: states.get('van')?.state ?? null, rows: aside }),
        tripEventsOf: async (_, { tripId, date }) =>
          events.flatMap((event): RunEvent[] =>
            'tripId' in event && event.tripId === tripId && event.date === date ? [event] : [],
          ),
      },
      zones: {
        current: async () => zones,
        at: async () => zones,
        changes: async () => null,
        outdated: async () => [],
      },
      trips: { at: async () => followed },
      routes: async () => route,
      pairs: { of: async () => [], dateOf: async () => '' },
      latenessSeconds: 30,
    });
  let run = open();

  const append = async (stamp: number, payload: Uint8Array): Promise<void> => {
    const message = { seq: log.length + 1, stamp, payload };
    log.push(message);
    await run.handle(message);
  };

  return {
    events,
    get isAside() {
      return run.aside.has('van');
    },
    retry: (stamp) => append(stamp, encodeRetry({ companyId: 'c', unitId: 'van', skip: [] })),
    async handle(stamp, fixes) {
      for (const fix of fixes ?? []) {
        const known = stored.get(fix.time);
        if (known === undefined || isPreferred(fix, known)) stored.set(fix.time, fix);
      }
      const own = fixes?.map((fix) => ({ unitId: 'van', fix }));
      await append(stamp, own === undefined ? encodeTick() : encodeFixes('c', own));
    },
    commit() {
      const sealed = run.seal({ count: 1 });
      events.push(...sealed.events.map(({ event }) => event));
      for (const state of sealed.states) states.set(state.unitId, state);
      if (sealed.resumed.has('van')) aside = [];
      const earliest = sealed.earlier.get('van') ?? Number.POSITIVE_INFINITY;
      aside = [...aside, ...sealed.aside].map((row) => ({ ...row, from: Math.min(row.from, earliest) }));
      recorded = new Map(recorded);
      for (const { companyId, seq, version } of sealed.zones) recorded.set(companyId, { seq, version });
      committed = sealed;
      run.committedTo(sealed);
    },
    async restart() {
      run = open();
      for (const message of log.slice(committed.replayFrom - 1)) await run.handle(message);
    },
    async changeTrips(next) {
      followed = next;
      await run.changeTrips('c', next);
      // Stores the outputs together with the record of the version.
      this.commit();
    },
  };
}
