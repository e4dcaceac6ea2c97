/**
 * A worker: takes cells that are due, handles their messages in memory, and commits positions, states and events in one transaction. Nobody owns a cell:
 * memory counts only while its version is that of the row, and a commit raises the version.
 */

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { every } from '../every.js';
import { grouped } from '../grouped.js';
import { ClockFailed } from './cellCore.js';
import { type CellRun, cellRun } from './cellRun.js';
import type { CellStore, DueCell, LoadedCell } from './cellStore.js';
import type { Sealed } from './commitSealed.js';
import { type Failure, failureOf } from './failure.js';
import type { LogMessage } from './message.js';
import type { StateChoice } from './stateChoice.js';
import { switchZones } from './switchZones.js';
import type { Sources } from './watchSources.js';

/** A cell in the memory of this worker. */
export interface HeldCell {
  readonly run: CellRun;
  readonly from: LoadedCell;
  /** The version that the row has if this memory counts. */
  version: number;
  /** Whether the run uses the worker's indexes. */
  hasJoined: boolean;
  /** Number of states that may be written by now, and when it was computed (milliseconds). */
  credit: number;
  savedAt: number;
  /** Messages that are handled one by one, unit by unit, after workers ended with this cell. */
  careful: number;
}

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
  /** Epoch milliseconds; null: the clock of the database. */
  readonly now: (() => number) | null;
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

/** Milliseconds between looks for due cells, while a turn runs and while none does: `wake` tells of fixes. */
const POLL_MS = 15;
const IDLE_MS = 250;
/** How long a turn begins new messages: processor time, and time with its waits for the database, milliseconds. */
const TURN_MS = 40;
const MOST_TURN_MS = 500;
/** After a message that took longer, other lanes may go on, milliseconds. */
const SLICE_MS = 3;
/** While a turn of a company lasts longer, no other of it begins, milliseconds. */
const LONG_MS = 100;
/** Turns that last longer, such as rebuilds after late fixes, beside the others. */
const MOST_LONG = 6;
/** Cells in one turn, and messages of each. */
const MOST_CELLS = 32;
const MOST_MESSAGES = 50;
/** Number of states of a cell in one commit, besides those that must be written. */
const MOST_STATES = 300;
/** Wait after a failure of the database, and after another one. */
const RETRY_MS = 200;
const LOOK_MS = 5000;
/** Loads without a commit after which messages are handled unit by unit, their number, and ends at one unit after which it is set aside. */
const MOST_LOADS = 3;
const CAREFUL_MESSAGES = 50;
const MOST_TRIES = 3;
/** Runs of trips and meetings look at the clock so often, milliseconds. */
const RUNS_MS = 30_000;
/** Fixes of a commit after which the next tick is not computed from each unit. */
const MANY_FIXES = 50;
const BEAT_MS = 1000;
const ZONES_MS = 500;
const TRIM_MS = 5000;
/** How long zones of earlier versions stay at least after nothing records them. */
const PRUNE_MS = 30_000;

export function cellWorker(options: WorkerOptions): CellWorker {
  const { id, store, zones, lanes, isShared, tickMs, rotationMs, now, onCommitted, onPaused } = options;
  const held = new Map<number, HeldCell>();
  /** Cells that a turn works on, and companies with the begins of their turns. */
  const busy = new Set<number>();
  const begins = new Map<string, number[]>();
  /** Halted cells, each with the time of the next attempt (milliseconds). */
  const stopped = new Map<number, number>();
  /** The units that fail with a message, each with the reason. */
  const refused = new Map<number, { readonly seq: number; readonly units: ReadonlyMap<string, string> }>();
  /** Cells whose next messages are committed one by one. */
  const alone = new Map<number, number>();
  const waiters = new Map<number, { readonly seq: number; readonly resolve: () => void }[]>();
  /** Milliseconds of turns by company; halved each second. */
  const spent = new Map<string, number>();
  /** By company, the tasks that no turn of it may overlap. Its turns wait until they have run. */
  const tasks = new Map<string, (() => Promise<void>)[]>();
  const tasksRun = new Set<string>();
  let at = { place: 0, workers: 1 };
  let isClosing = false;
  let isPaused = false;
  let active = 0;
  let wakeUps: (() => void)[] = [];
  let isWoken = false;

  const wake = (): void => {
    isWoken = true;
    for (const resume of wakeUps.splice(0)) resume();
  };
  const nap = async (ms: number): Promise<void> => {
    if (isWoken) {
      isWoken = false;
      return turn();
    }
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wakeUps.push(resolve);
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    wakeUps = [];
    isWoken = false;
  };
  const pause = (error: unknown): void => {
    isPaused = true;
    onPaused(failureOf(error));
  };
  const isReplaying = ({ run, from }: HeldCell): boolean => run.position < from.position;
  const drop = (cell: number): void => void held.delete(cell);
  const fail = async (one: HeldCell, error: unknown): Promise<void> => {
    const { cell } = one.run;
    if (held.get(cell) === one) drop(cell);
    const failure = failureOf(error);
    if (error instanceof ClockFailed) {
      alone.set(cell, CAREFUL_MESSAGES);
      one.careful = CAREFUL_MESSAGES;
      stopped.set(cell, performance.now() + RETRY_MS);
      clockFailed.add(cell);
      return;
    }
    const isAway = failure.kind === 'unavailable';
    stopped.set(cell, performance.now() + (isAway ? RETRY_MS : LOOK_MS));
    if (!isAway) await store.alarm(cell, one.version, failure.code).catch(() => {});
    pause(error);
  };
  /** Cells in which a tick fails for some unit. */
  const clockFailed = new Set<number>();

  const load = async ({ cell, version }: DueCell): Promise<HeldCell | null> => {
    const from = await store.load(cell, version, id);
    if (from === null) return null;
    const careful = from.unproven > MOST_LOADS || from.trying !== null ? CAREFUL_MESSAGES : 0;
    if (careful > 0) alone.set(cell, CAREFUL_MESSAGES);
    let one: HeldCell | null = null;
    const onUnit = async (unitId: string): Promise<void> => {
      await turn();
      if (one === null || one.careful === 0 || isReplaying(one)) return;
      const seq = one.run.position + 1;
      const before = from.trying?.seq === seq && from.trying.unitId === unitId ? from.trying.tries : 0;
      await store.recordTry(cell, { seq, unitId, tries: before + 1 });
    };
    one = {
      run: cellRun({ ...options, cell, from, ...(careful > 0 ? { onUnit } : {}) }),
      from,
      version,
      hasJoined: false,
      credit: 0,
      savedAt: performance.now(),
      careful,
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
      await refuse(rest, error);
    }
  };
  const refuse = async (all: readonly (readonly [HeldCell, Sealed])[], error: unknown): Promise<void> => {
    const { kind, code, message } = failureOf(error);
    const time = performance.now();
    for (const [, { cell }] of all) {
      drop(cell);
      if (kind === 'unavailable') stopped.set(cell, time + RETRY_MS);
      // One by one from here, to find the message that the database refuses.
      else alone.set(cell, CAREFUL_MESSAGES);
    }
    if (kind === 'unavailable') return pause(error);
    const [first] = all;
    if (all.length > 1 || first === undefined) return;
    const [one, sealed] = first;
    if (kind === 'alarm') {
      stopped.set(sealed.cell, time + LOOK_MS);
      await store.alarm(sealed.cell, sealed.version, code).catch(() => {});
      pause(error);
    } else if (sealed.position - one.run.committed === 1) {
      const found = await store.refusedUnits(sealed).catch(() => null);
      if (found === null) return;
      const known = refused.get(sealed.cell);
      const units = new Map(known?.seq === sealed.position ? known.units : []);
      for (const [unitId, reason] of found) units.set(unitId, reason);
      if (found.size === 0) units.set('', `the database refuses it: ${message}`);
      refused.set(sealed.cell, { seq: sealed.position, units });
    }
  };

  /** Handles one message, without the units that are known to fail with it. */
  const handleAlone = async (one: HeldCell, message: LogMessage): Promise<void> => {
    const { run, from } = one;
    const { cell } = run;
    const bad = refused.get(cell);
    const guilty = new Map(bad?.seq === message.seq ? bad.units : []);
    const { trying } = from;
    if (trying !== null && trying.seq === message.seq && trying.tries >= MOST_TRIES)
      guilty.set(trying.unitId, `it ended its worker ${trying.tries} times`);
    if (clockFailed.has(cell) || one.careful > 0) {
      const failing = await run.failing(message);
      if (failing.size > 0) clockFailed.delete(cell);
      for (const [unitId, reason] of failing) guilty.set(unitId, reason);
    }
    if (guilty.size > 0) await run.setAside(message, guilty);
    await run.handle(message);
    const left = (alone.get(cell) ?? 1) - 1;
    if (left > 0) alone.set(cell, left);
    else {
      alone.delete(cell);
      one.careful = 0;
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
      if (alone.has(cell) && message.seq > one.run.committed) {
        // One message in a commit.
        if (!one.run.hasPending) await handleAlone(one, message);
        return;
      }
      const from = performance.now();
      await one.run.handle(message, messages.slice(i + 1, i + 50));
      if (isOver()) return;
      // The other lanes wait for answers of the database.
      if (performance.now() - from > SLICE_MS) await turn();
    }
  };
  /** One turn of a company. */
  const work = async (due: readonly DueCell[]): Promise<void> => {
    const cells: HeldCell[] = [];
    for (const row of due) {
      const known = held.get(row.cell);
      if (known !== undefined && known.version !== row.version) drop(row.cell);
      const one =
        held.get(row.cell) ??
        (await load(row).catch((error: unknown) => {
          stopped.set(row.cell, performance.now() + RETRY_MS);
          pause(error);
          return null;
        }));
      if (one !== null) cells.push(one);
    }
    if (cells.length === 0) return;
    for (const one of cells)
      if (!one.hasJoined && !isReplaying(one)) {
        one.hasJoined = true;
        zoneSwitch.join(one as never).catch((error: unknown) => fail(one, error));
      }
    const ticking = due.filter(({ cell, isTickDue }) => isTickDue && held.has(cell)).map(({ cell }) => cell);
    if (ticking.length > 0) await store.tick(ticking, now?.() ?? null);
    const found = await store.messages(
      new Map(cells.map(({ run }) => [run.cell, run.position])),
      MOST_MESSAGES,
    );
    const begin = performance.now();
    const used = process.cpuUsage();
    const isOver = (): boolean => {
      if (performance.now() - begin >= MOST_TURN_MS) return true;
      const { user, system } = process.cpuUsage(used);
      return user + system >= 1000 * TURN_MS;
    };
    for (const one of cells) {
      const messages = found.get(one.run.cell);
      if (messages === undefined) continue;
      try {
        await handleSome(one, messages, isOver);
      } catch (error) {
        await fail(one, error);
      }
      if (isOver()) break;
    }
    const ready = cells.filter(
      (one) => held.get(one.run.cell) === one && one.run.hasPending && !isReplaying(one),
    );
    if (ready.length > 0) await commit(ready.map((one) => [one, sealOf(one, dueStates(one))] as const));
  };

  /** The cells of one company for the next turn: of the one that had the least. Empty: none is due. */
  const choose = (due: readonly DueCell[]): readonly DueCell[] => {
    const time = performance.now();
    const free = due.filter(
      ({ cell, companyId }) =>
        !busy.has(cell) &&
        !tasks.has(companyId) &&
        (stopped.get(cell) ?? 0) <= time &&
        !(begins.get(companyId) ?? []).some((begin) => time - begin > LONG_MS),
    );
    let best: readonly DueCell[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (const [companyId, own] of grouped(free, (one) => one.companyId)) {
      const used = spent.get(companyId) ?? 0;
      if (used < least) [best, least] = [own, used];
    }
    if (best.length <= MOST_CELLS) return best;
    const from = Math.floor(Math.random() * best.length);
    return [...best.slice(from), ...best.slice(0, from)].slice(0, MOST_CELLS);
  };
  let reading: Promise<readonly DueCell[]> | null = null;
  const readDue = (): Promise<readonly DueCell[]> => {
    reading ??= store.due(at.place, at.workers, now?.() ?? null).finally(() => {
      reading = null;
    });
    return reading;
  };
  const runTasks = async (companyId: string): Promise<void> => {
    if (tasksRun.has(companyId) || (begins.get(companyId) ?? []).length > 0) return;
    tasksRun.add(companyId);
    for (const own = tasks.get(companyId) ?? []; own.length > 0; ) await own.shift()!().catch(pause);
    tasks.delete(companyId);
    tasksRun.delete(companyId);
    wake();
  };
  /** Turns under way that others need not wait for. */
  const longTurns = (): number => {
    const time = performance.now();
    let count = 0;
    for (const own of begins.values()) for (const begin of own) if (time - begin > LONG_MS) count++;
    return count;
  };
  const lane = async (): Promise<void> => {
    while (!isClosing) {
      let chosen: readonly DueCell[] = [];
      if (active - longTurns() < lanes)
        try {
          const due = await readDue();
          if (isClosing) return;
          if (active - longTurns() < lanes) chosen = choose(due);
        } catch (error) {
          pause(error);
          await sleep(RETRY_MS);
          continue;
        }
      if (chosen.length === 0) {
        await nap(active > 0 ? POLL_MS : IDLE_MS);
        continue;
      }
      const { companyId } = chosen[0]!;
      const begin = performance.now();
      for (const { cell } of chosen) busy.add(cell);
      begins.set(companyId, [...(begins.get(companyId) ?? []), begin]);
      active++;
      try {
        await work(chosen);
      } catch (error) {
        for (const { cell } of chosen) drop(cell);
        pause(error);
        await sleep(RETRY_MS);
      } finally {
        active--;
        for (const { cell } of chosen) busy.delete(cell);
        const others = begins.get(companyId)!.filter((one) => one !== begin);
        if (others.length > 0) begins.set(companyId, others);
        else begins.delete(companyId);
        spent.set(companyId, (spent.get(companyId) ?? 0) + performance.now() - begin);
        if (tasks.has(companyId)) void runTasks(companyId);
      }
      // Requests and the other lanes; messages that come meanwhile share the next turn.
      await sleep(2);
    }
  };
  const exclusive = (companyId: string, task: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      if (isClosing) return reject(new Error('expected a running worker, received a closed one'));
      const own = tasks.get(companyId) ?? [];
      tasks.set(companyId, own);
      own.push(() => task().then(resolve, reject));
      void runTasks(companyId);
    });
  const zoneSwitch = switchZones({
    zones,
    trips: options.trips,
    held,
    exclusive,
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
    for (const [companyId, ms] of spent) {
      if (ms < 1) spent.delete(companyId);
      else spent.set(companyId, ms / 2);
    }
    if (!isShared) return;
    at = await store.beat(id);
    for (const cell of held.keys()) if (!busy.has(cell) && cell % at.workers !== at.place) drop(cell);
  };
  const begun = isShared ? beat().catch(pause) : Promise.resolve();
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
  const running = begun.then(() => Promise.all(Array.from({ length: lanes + MOST_LONG }, lane)));

  const end = async (): Promise<void> => {
    for (const timer of timers) clearInterval(timer);
    isClosing = true;
    wake();
    await running;
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
    wake,
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
