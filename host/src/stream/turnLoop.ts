/** Gives turns to companies with due cells: several at a time, the next one to the company that had the least. */

import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { grouped } from '../grouped.js';
import type { DueCell } from './cellStore.js';
import { gather } from './gather.js';

export interface TurnLoopOptions {
  /** Turns at a time, besides long ones. */
  readonly lanes: number;
  /** Reads the cells that are due. */
  readonly due: () => Promise<readonly DueCell[]>;
  /** Whether a due cell must wait, because it failed. */
  readonly waits: (cell: number) => boolean;
  /** One turn: works on due cells of one company. Returns whether more work is known to wait. */
  readonly work: (due: readonly DueCell[]) => Promise<boolean>;
  /** Called with what a turn, a task or a look for due cells throws. */
  readonly onFailed: (error: unknown, due: readonly DueCell[]) => void;
}

export interface TurnLoop {
  /** Looks for due cells at once. */
  wake(): void;
  /** Whether a turn works on the cell. */
  isBusy(cell: number): boolean;
  /** Runs a task that no turn of the company overlaps. */
  exclusive(companyId: string, task: () => Promise<void>): Promise<void>;
  /** Forgets half of what companies had. Call it each second. */
  halve(): void;
  /** Begins no more turns. Resolves when those under way have ended. */
  close(): Promise<void>;
}

/**
 * Milliseconds between looks for due cells, beside a turn and without one. `wake` announces fixes, so these looks find the fixes that it
 * did not announce.
 */
const POLL_MS = 50;
const IDLE_MS = 250;
/** Looks for due cells begin at least so far apart, so that fixes of several requests share a turn, milliseconds. */
const GATHER_MS = 15;
/** A turn that lasts longer leaves its place to others. No other of its company begins meanwhile, milliseconds. */
const LONG_MS = 100;
/** Number of such turns, as of rebuilds after late fixes. */
const MOST_LONG = 6;
const MOST_CELLS = 32;
/** Wait after a failure of the database. */
const RETRY_MS = 200;

export function turnLoop({ lanes, due, waits, work, onFailed }: TurnLoopOptions): TurnLoop {
  const busy = new Set<number>();
  /** The begins of turns under way by company. */
  const begins = new Map<string, number[]>();
  /** Milliseconds of turns by company. */
  const spent = new Map<string, number>();
  const tasks = new Map<string, (() => Promise<void>)[]>();
  const tasksRun = new Set<string>();
  const turns = new Set<Promise<void>>();
  const looks = gather(GATHER_MS);
  let wakes = 0;
  let seen = 0;
  /** Whether cells are due for which there was no room. */
  let hasLeft = false;
  let resume = (): void => {};
  let isClosing = false;

  const wake = (): void => {
    wakes++;
    resume();
  };
  const isLong = (begin: number): boolean => performance.now() - begin > LONG_MS;
  const hasRoom = (): boolean => {
    const long = [...begins.values()].flat().filter(isLong).length;
    return !isClosing && turns.size - long < lanes && turns.size < lanes + MOST_LONG;
  };
  /** The cells of the next turn; empty: none. */
  const choose = (found: readonly DueCell[]): readonly DueCell[] => {
    const free = found.filter(
      ({ cell, companyId }) =>
        !busy.has(cell) &&
        !tasks.has(companyId) &&
        !waits(cell) &&
        !(begins.get(companyId) ?? []).some(isLong),
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
  const runTasks = async (companyId: string): Promise<void> => {
    if (tasksRun.has(companyId) || begins.has(companyId)) return;
    tasksRun.add(companyId);
    for (const own = tasks.get(companyId) ?? []; own.length > 0; ) await own.shift()!();
    tasks.delete(companyId);
    tasksRun.delete(companyId);
    wake();
  };
  const run = async (chosen: readonly DueCell[]): Promise<void> => {
    const { companyId } = chosen[0]!;
    const begin = performance.now();
    for (const { cell } of chosen) busy.add(cell);
    begins.set(companyId, [...(begins.get(companyId) ?? []), begin]);
    let isMore = false;
    try {
      isMore = await work(chosen);
    } catch (error) {
      onFailed(error, chosen);
      await sleep(RETRY_MS);
    } finally {
      for (const { cell } of chosen) busy.delete(cell);
      const others = begins.get(companyId)!.filter((one) => one !== begin);
      if (others.length > 0) begins.set(companyId, others);
      else begins.delete(companyId);
      spent.set(companyId, (spent.get(companyId) ?? 0) + performance.now() - begin);
      if (tasks.has(companyId)) void runTasks(companyId);
      // Fixes that came meanwhile for these cells were not chosen.
      if (isMore || hasLeft || wakes !== seen) wake();
    }
  };
  const nap = async (ms: number): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      resume = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  };
  const loop = async (): Promise<void> => {
    while (!isClosing) {
      if (hasRoom())
        try {
          await looks.begin();
          const told = wakes - seen;
          seen = wakes;
          const found = await due();
          looks.had(told);
          hasLeft = false;
          for (let chosen = choose(found); chosen.length > 0; chosen = choose(found)) {
            hasLeft = !hasRoom();
            if (hasLeft) break;
            const one: Promise<void> = run(chosen).finally(() => turns.delete(one));
            turns.add(one);
          }
        } catch (error) {
          onFailed(error, []);
          await sleep(RETRY_MS);
        }
      // Requests of this process and turns that wait for the database.
      await turn();
      if (!isClosing && (wakes === seen || !hasRoom())) await nap(turns.size > 0 ? POLL_MS : IDLE_MS);
    }
    await Promise.all(turns);
  };
  const running = loop();

  return {
    wake,
    isBusy: (cell) => busy.has(cell),
    exclusive: (companyId, task) =>
      new Promise((resolve, reject) => {
        if (isClosing) return reject(new Error('expected a running worker, received a closed one'));
        const own = tasks.get(companyId) ?? [];
        tasks.set(companyId, own);
        own.push(() => task().then(resolve, reject));
        void runTasks(companyId);
      }),
    halve() {
      for (const [companyId, ms] of spent) {
        if (ms < 1) spent.delete(companyId);
        else spent.set(companyId, ms / 2);
      }
    },
    close() {
      isClosing = true;
      resume();
      return running;
    },
  };
}
