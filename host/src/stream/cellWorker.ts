/**
 * A worker: takes cells that are due, handles their messages in memory, and commits positions, states and events in one transaction. Nobody owns a cell:
 * memory counts only while its version is that of the row, and a commit raises the version.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { every } from '../every.js';
import { carefulCells, type HeldCell } from './carefulCells.js';
import { UNITS_OF_CELL } from './cellMap.js';
import { cellRun, type StateChoice } from './cellRun.js';
import type { CellStore, DueCell } from './cellStore.js';
import type { Sealed } from './commitSealed.js';
import { type Failure, failureOf } from './failure.js';
import type { LogMessage } from './message.js';
import { switchZones } from './switchZones.js';
import { turnLoop } from './turnLoop.js';
import type { Sources } from './watchSources.js';

export type OnTurn = <Result>(
  companyId: string,
  cells: number,
  turn: () => Promise<Result>,
) => Promise<Result>;

export interface WorkerOptions extends Omit<Sources, 'store'> {
  readonly id: string;
  readonly store: CellStore;
  readonly latenessSeconds: number;
  /** Turns at a time, besides long ones. */
  readonly lanes: number;
  /** Whether other processes may have workers. */
  readonly isShared: boolean;
  /** Least milliseconds between two ticks of a cell; 0: no ticks. */
  readonly tickMs: number;
  /** Time within which the state of each changed unit is written, milliseconds. */
  readonly rotationMs: number;
  /** Number of units above which a cell is divided. Default: 1000. */
  readonly mostUnits?: number;
  /** Epoch milliseconds; null: the clock of the database. */
  readonly now: (() => number) | null;
  /** Runs each turn: the work on some cells of a company. */
  readonly onTurn?: OnTurn;
  /** Called after a commit with the number of fixes, the number of events by type, and the companies with fixes or events. */
  readonly onCommitted: (
    fixes: number,
    events: ReadonlyMap<string, number>,
    companyIds: ReadonlySet<string>,
  ) => void;
  /** Called with the failure when work pauses because the database is unavailable, and with null when it continues. */
  readonly onPaused: (failure: Failure | null) => void;
}

export interface CellWorker {
  /** Resolves when this worker has committed the message. */
  committed(cell: number, seq: number, signal: AbortSignal): Promise<void>;
  /** Waits until the worker uses at least this version of the company's zones. */
  reach(companyId: string, version: number): Promise<void>;
  /** Looks for due cells at once. */
  wake(): void;
  /** Whether the cell is one of this worker's by now. */
  owns(cell: number): boolean;
  /** Cells in memory. */
  running(): number[];
  /** Writes all states, and ends. */
  close(): Promise<void>;
}

/** How long a turn begins new messages, milliseconds. */
const TURN_MS = 50;
/** If a message took longer than this, the other turns go on first, milliseconds. */
const SLICE_MS = 3;
/** Messages of a cell in one turn. */
const MOST_MESSAGES = 50;
/** Number of states of a cell in one commit, besides the forced ones. */
const MOST_STATES = 300;
/** Runs of trips and meetings look at the clock so often, milliseconds. */
const RUNS_MS = 30_000;
/** Fixes of a commit after which the next tick is not computed from each unit. */
const MANY_FIXES = 50;
const BEAT_MS = 1000;
const ZONES_MS = 500;
const TRIM_MS = 5000;
/** How long zones of earlier versions stay at least after nothing records them. */
const PRUNE_MS = 30_000;

const runNow: OnTurn = (_companyId, _cells, turn) => turn();

export function cellWorker(options: WorkerOptions): CellWorker {
  const {
    id,
    store,
    zones,
    lanes,
    isShared,
    tickMs,
    rotationMs,
    now,
    onCommitted,
    onPaused,
    onTurn = runNow,
    mostUnits = 2 * UNITS_OF_CELL,
  } = options;
  const held = new Map<number, HeldCell>();
  const waiters = new Map<number, { readonly seq: number; readonly resolve: () => void }[]>();
  let at = { place: 0, workers: 1 };
  let isPaused = false;

  const pause = (error: unknown): void => {
    isPaused = true;
    onPaused(failureOf(error));
  };
  const isReplaying = ({ run, from }: HeldCell): boolean => run.position < from.position;
  const drop = (cell: number): void => void held.delete(cell);
  const careful = carefulCells({ store, drop, onFailed: pause });

  const load = async ({ cell, version }: DueCell): Promise<HeldCell | null> => {
    const from = await store.load(cell, version, id);
    if (from === null) return null;
    const isTrial = careful.begin(from);
    let one: HeldCell | null = null;
    const onUnit = async (unitId: string): Promise<void> => {
      await turn();
      if (one?.isTrial !== true || isReplaying(one)) return;
      const seq = one.run.position + 1;
      const before = from.trying?.seq === seq && from.trying.unitId === unitId ? from.trying.tries : 0;
      await store.recordTry(cell, { seq, unitId, tries: before + 1 });
    };
    one = {
      run: cellRun({ ...options, cell, from, ...(isTrial ? { onUnit } : {}) }),
      from,
      version,
      committedAt: Number.NEGATIVE_INFINITY,
      hasJoined: false,
      credit: 0,
      savedAt: performance.now(),
      isTrial,
    };
    held.set(cell, one);
    return one;
  };

  const sealOf = (
    one: HeldCell,
    choice: StateChoice,
    zonesOf?: { companyId: string; version: number },
  ): Sealed => {
    const { run, version } = one;
    // Many fixes wait for the lateness: some are due all the time.
    const wakeAt = run.pendingFixes > MANY_FIXES ? 0 : (run.wakeAt() ?? Number.POSITIVE_INFINITY);
    const tickIn = tickMs === 0 ? null : Math.max(tickMs, Math.min(wakeAt, run.ticked + RUNS_MS) - run.clock);
    return { ...run.seal(choice, zonesOf), version, tickIn, now: now?.() ?? null };
  };
  /** The states that are due, so that each is written once in `rotationMs`. */
  const dueStates = (one: HeldCell): StateChoice => {
    const time = performance.now();
    const { dirtyUnits } = one.run;
    one.credit = Math.min(dirtyUnits, one.credit + (dirtyUnits * (time - one.savedAt)) / rotationMs);
    one.savedAt = time;
    const count = Math.min(MOST_STATES, Math.floor(one.credit));
    one.credit -= count;
    return { count };
  };
  const committedTo = (one: HeldCell, sealed: Sealed): void => {
    one.version = sealed.version + 1;
    one.committedAt = performance.now();
    one.run.committedTo(sealed);
    const waiting = waiters.get(sealed.cell);
    if (waiting === undefined) return;
    const left = waiting.filter(({ seq }) => seq > sealed.position);
    for (const { seq, resolve } of waiting) if (seq <= sealed.position) resolve();
    if (left.length > 0) waiters.set(sealed.cell, left);
    else waiters.delete(sealed.cell);
  };
  /** Commits these cells. Those that cannot be committed are dropped: they are loaded again. */
  const commit = async (all: readonly (readonly [HeldCell, Sealed])[]): Promise<void> => {
    let rest = all;
    try {
      while (rest.length > 0) {
        const fenced = await store.commit(rest.map(([, sealed]) => sealed));
        for (const cell of fenced) drop(cell);
        if (fenced.length > 0) {
          rest = rest.filter(([, { cell }]) => !fenced.includes(cell));
          continue;
        }
        for (const [one, sealed] of rest) committedTo(one, sealed);
        const { fixes, events, companyIds } = contentsOf(rest.map(([, sealed]) => sealed));
        if (isPaused) {
          isPaused = false;
          onPaused(null);
        }
        if (companyIds.size > 0) onCommitted(fixes, events, companyIds);
        return;
      }
    } catch (error) {
      await careful.refuse(rest, error);
    }
  };

  const handleSome = async (
    one: HeldCell,
    messages: readonly LogMessage[],
    isOver: () => boolean,
  ): Promise<void> => {
    const { cell } = one.run;
    for (const [i, message] of messages.entries()) {
      if (held.get(cell) !== one) return;
      if (careful.isAlone(cell) && message.seq > one.run.committed) {
        // One message in a commit.
        if (!one.run.hasPending) await careful.handle(one, message);
        return;
      }
      const from = performance.now();
      await one.run.handle(message, messages.slice(i + 1, i + 50));
      if (isOver()) return;
      // The other turns wait for answers of the database.
      if (performance.now() - from > SLICE_MS) await turn();
    }
  };
  /** Divides a cell with many units. Gives the units of a closed cell to its parts when all messages are handled. */
  const divide = async (one: HeldCell, last: number | null): Promise<void> => {
    const { cell, units } = one.run;
    if (last === null) {
      if (units > mostUnits) await store.divide(cell, 2 ** Math.floor(Math.log2((2 * units) / mostUnits)));
      return;
    }
    if (one.run.committed < last) return;
    while (held.get(cell) === one && one.run.replayFrom <= last)
      await commit([[one, sealOf(one, { count: MOST_STATES })]]);
    if (held.get(cell) === one && !(await store.handOver(cell, one.version))) careful.delay(cell);
    drop(cell);
  };
  /** One turn of a company. Returns whether messages are left. */
  const work = async (due: readonly DueCell[]): Promise<boolean> => {
    const cells: HeldCell[] = [];
    for (const row of due) {
      const known = held.get(row.cell);
      // An earlier version: the row was read before this worker's last commit, or the database has lost it.
      if (known !== undefined && known.version !== row.version && known.committedAt < row.readAt)
        drop(row.cell);
      const one =
        held.get(row.cell) ??
        (await load(row).catch((error: unknown) => {
          careful.delay(row.cell);
          pause(error);
          return null;
        }));
      if (one !== null) cells.push(one);
    }
    if (cells.length === 0) return false;
    for (const one of cells)
      if (!one.hasJoined && !isReplaying(one)) {
        one.hasJoined = true;
        zoneSwitch.join(one).catch((error: unknown) => careful.fail(one, error));
      }
    const ticking = due.filter(({ cell, isTickDue }) => isTickDue && held.has(cell)).map(({ cell }) => cell);
    if (ticking.length > 0) await store.tick(ticking, now?.() ?? null);
    const found = await store.messages(
      new Map(cells.map(({ run }) => [run.cell, run.position])),
      MOST_MESSAGES,
    );
    const begin = performance.now();
    const isOver = (): boolean => performance.now() - begin >= TURN_MS;
    for (const one of cells) {
      const messages = found.get(one.run.cell);
      if (messages === undefined) continue;
      try {
        await handleSome(one, messages, isOver);
      } catch (error) {
        await careful.fail(one, error);
      }
      if (isOver()) break;
    }
    const ready = cells.filter(
      (one) => held.get(one.run.cell) === one && one.run.hasPending && !isReplaying(one),
    );
    if (ready.length > 0) await commit(ready.map((one) => [one, sealOf(one, dueStates(one))] as const));
    for (const one of cells)
      if (held.get(one.run.cell) === one && !isReplaying(one))
        await divide(one, due.find(({ cell }) => cell === one.run.cell)!.last);
    return cells.some(({ run }) => {
      const messages = found.get(run.cell) ?? [];
      return messages.length === MOST_MESSAGES || (messages.at(-1)?.seq ?? 0) > run.position;
    });
  };
  const register = async (): Promise<void> => {
    if (isShared) at = await store.beat(id);
  };
  const begun = register().catch(pause);
  const loop = turnLoop({
    lanes,
    due: () => begun.then(() => store.due(at.place, at.workers, now?.() ?? null)),
    waits: (cell) => careful.waits(cell),
    work: (due) => onTurn(due[0]!.companyId, due.length, () => work(due)),
    onFailed(error, due) {
      for (const { cell } of due) drop(cell);
      pause(error);
    },
  });
  const zoneSwitch = switchZones({
    zones,
    trips: options.trips,
    held,
    exclusive: (companyId, task) => loop.exclusive(companyId, task),
    async commitNow(runs, choice, changed) {
      const ones = runs.flatMap((run) => {
        const one = held.get(run.cell);
        if (one?.run !== run) return [];
        if (!isReplaying(one)) return [one];
        // It begins again, at the recorded version.
        drop(run.cell);
        return [];
      });
      await commit(ones.map((one) => [one, sealOf(one, choice, changed)] as const));
    },
  });

  let prunable: ReadonlyMap<string, number> = new Map();
  const beat = async (): Promise<void> => {
    loop.halve();
    await register();
    for (const cell of held.keys()) if (!loop.isBusy(cell) && cell % at.workers !== at.place) drop(cell);
  };
  const timers = [
    [BEAT_MS, beat],
    [
      ZONES_MS,
      async () => {
        for (const companyId of await zones.outdated()) await zoneSwitch.sync(companyId);
      },
    ],
    [TRIM_MS, () => store.trim([...held.keys()])],
    [
      PRUNE_MS,
      async () => {
        await store.pruneZones(prunable);
        prunable = await store.prunableZones();
      },
    ],
  ].map(([ms, task]) => every(ms as number, task as () => Promise<unknown>));

  const end = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    await loop.close();
    if (isShared) await store.retire(id).catch(() => {});
    for (const one of held.values())
      while (held.get(one.run.cell) === one && !isReplaying(one) && one.run.dirtyUnits > 0) {
        const before = one.run.dirtyUnits;
        await commit([[one, sealOf(one, { count: MOST_STATES })]]);
        // Units whose fixes wait stay out of date.
        if (one.run.dirtyUnits >= before || before <= MOST_STATES) break;
      }
  };
  let ending: Promise<void> | undefined;
  return {
    committed: (cell, seq, signal) =>
      new Promise((resolve) => {
        if ((held.get(cell)?.run.committed ?? 0) >= seq) return resolve();
        const list = waiters.get(cell) ?? [];
        waiters.set(cell, list);
        list.push({ seq, resolve });
        signal.addEventListener('abort', () => {
          const own = waiters.get(cell)?.filter((one) => one.resolve !== resolve) ?? [];
          if (own.length > 0) waiters.set(cell, own);
          else waiters.delete(cell);
        });
      }),
    async reach(companyId, version) {
      if (![...held.values()].some(({ run }) => run.follows(companyId))) return;
      const current = await zones.current(companyId);
      if (current !== null && current.version < version) await zoneSwitch.sync(companyId);
    },
    wake: () => loop.wake(),
    owns: (cell) => cell % at.workers === at.place,
    running: () => [...held.keys()],
    close() {
      ending ??= end();
      return ending;
    },
  };
}

/** The number of fixes, the number of events by type, and the companies with fixes or events. */
function contentsOf(sealed: readonly Sealed[]) {
  const companyIds = new Set<string>();
  const events = new Map<string, number>();
  let fixes = 0;
  for (const one of sealed) {
    fixes += one.fixCount;
    for (const companyId of one.companyIds) companyIds.add(companyId);
    for (const { companyId, event } of one.events) {
      events.set(event.type, (events.get(event.type) ?? 0) + 1);
      companyIds.add(companyId);
    }
  }
  return { fixes, events, companyIds };
}
