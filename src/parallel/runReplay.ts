/** Runs a replay. Lanes read units and pass them to threads; results are returned in the order of the units. */

import { inputError } from '../core/errors.js';
import type { Trip } from '../core/trip.js';
import { type AnyIterable, type AnyIterator, close, FixFeed, isIterable, type Send } from './fixFeed.js';
import { failedUnit, type ReplayTask } from './openReplay.js';
import { ownExecutor, type ReplayExecutor, ThreadExecutor } from './replayExecutor.js';
import type { ReplayInput, ReplayProgress, ReplayResult } from './replayOptions.js';
import { aborted } from './startThread.js';

/** Number of units per thread at a time: one is computed while the next is read. */
const LANES = 2;
/** Largest number of results per thread that wait for the caller. */
const MAX_WAITING = 8;

export interface RunPlan {
  readonly task: ReplayTask;
  readonly trips: ReadonlyMap<string, readonly Trip[]>;
  readonly workers: number;
  readonly maxFixes: number;
  readonly onProgress: ((progress: ReplayProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

export async function* runReplay(
  units: Iterable<ReplayInput> | AsyncIterable<ReplayInput>,
  plan: RunPlan,
): AsyncGenerator<ReplayResult, void, undefined> {
  const run = new ReplayRun(units, plan);
  try {
    for (;;) {
      const result = await run.next();
      if (result === null) return;
      yield result;
    }
  } finally {
    await run.stop();
  }
}

class ReplayRun {
  readonly #plan: RunPlan;
  readonly #units: AnyIterator<ReplayInput>;
  readonly #executors: readonly ReplayExecutor[];
  readonly #limit: number;
  /** Open iterators, closed when the work is stopped. */
  readonly #open = new Set<AnyIterator<unknown>>();
  readonly #seen = new Set<string>();
  /** Ids of units that only trips name. */
  #absent: Iterator<string> | null = null;
  readonly #results = new Map<number, ReplayResult>();
  #begun = 0;
  #taken = 0;
  #isRead = false;
  #isStopped = false;
  #failure: { readonly error: unknown } | null = null;
  #wake: () => void = () => undefined;
  #room: (() => void)[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  #done = 0;
  #fixes = 0;

  constructor(units: Iterable<ReplayInput> | AsyncIterable<ReplayInput>, plan: RunPlan) {
    const { task, workers, signal } = plan;
    this.#plan = plan;
    if (signal?.aborted === true) throw aborted(signal);
    signal?.addEventListener('abort', this.#abort, { once: true });
    this.#units = this.#opened(units);
    this.#executors =
      workers === 0 ? [ownExecutor(task)] : Array.from({ length: workers }, () => new ThreadExecutor(task));
    this.#limit = MAX_WAITING * this.#executors.length;
    for (const executor of this.#executors) {
      const lanes = workers === 0 ? 1 : LANES;
      for (let lane = 0; lane < lanes; lane++)
        this.#runLane(executor).catch((error: unknown) => this.#fail(error));
    }
  }

  /** The next result in order; `null` after the last one. */
  async next(): Promise<ReplayResult | null> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      const result = this.#results.get(this.#taken);
      if (result !== undefined) {
        this.#results.delete(this.#taken++);
        this.#giveRoom();
        return result;
      }
      if (this.#isRead && this.#taken === this.#begun) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#plan.signal?.removeEventListener('abort', this.#abort);
    this.#giveRoom();
    for (const iterator of this.#open) close(iterator);
    await Promise.all(this.#executors.map((executor) => executor.stop()));
  }

  readonly #abort = (): void => this.#fail(aborted(this.#plan.signal!));

  #fail(error: unknown): void {
    if (this.#isStopped) return;
    this.#failure ??= { error };
    this.#wake();
  }

  async #runLane(executor: ReplayExecutor): Promise<void> {
    for (;;) {
      const next = await this.#nextUnit();
      if (next === null || this.#isStopped) return;
      const { job, unit } = next;
      const result = await this.#workOut(executor, job, unit);
      if (this.#isStopped) return;
      this.#results.set(job, result);
      this.#done++;
      this.#reportProgress();
      this.#wake();
    }
  }

  /** The next unit. Only one lane at a time fetches a unit, so that jobs are numbered in the order of the units. */
  #nextUnit(): Promise<{ job: number; unit: ReplayInput } | null> {
    const turn = this.#turn.then(async () => {
      while (!this.#isStopped && this.#begun - this.#taken >= this.#limit) {
        await new Promise<void>((resolve) => {
          this.#room.push(resolve);
        });
      }
      if (this.#isStopped || this.#failure !== null) return null;
      const unit = this.#absent === null ? await this.#readUnit() : this.#absentUnit();
      if (unit !== null) return { job: this.#begun++, unit };
      this.#isRead = true;
      this.#wake();
      return null;
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #readUnit(): Promise<ReplayInput | null> {
    const step = await this.#units.next();
    if (step.done !== true) return step.value;
    this.#open.delete(this.#units);
    this.#absent = [...this.#plan.trips.keys()].filter((id) => !this.#seen.has(id)).values();
    return this.#absentUnit();
  }

  #absentUnit(): ReplayInput | null {
    const { done, value } = this.#absent!.next();
    return done === true ? null : { unitId: value, fixes: [] };
  }

  async #workOut(executor: ReplayExecutor, job: number, unit: ReplayInput): Promise<ReplayResult> {
    const feed = new FixFeed(this.#plan.task.track, this.#plan.maxFixes);
    let unitId = '';
    executor.begin(job);
    try {
      unitId = readId(unit, job);
      this.#checkNew(unitId, job);
      const { fixes, settings } = unit;
      if (!isIterable(fixes)) throw inputError('fixes-type', 'fixes', 'an iterable of fixes', fixes);
      await this.#readFixes(fixes, feed, (columns) => executor.append(job, columns));
      const { rejected, rolledOver } = feed;
      const trips = this.#plan.trips.get(unitId) ?? [];
      return await executor.finish(job, { unitId, rejected, rolledOver, settings: settings ?? null, trips });
    } catch (error) {
      executor.drop(job);
      return failedUnit(unitId, feed.count, error);
    }
  }

  #checkNew(id: string, job: number): void {
    if (this.#seen.has(id)) {
      const wanted = 'a unit that did not come before';
      throw inputError('duplicate-id', `units[${job}].unitId`, wanted, id);
    }
    this.#seen.add(id);
  }

  async #readFixes(fixes: AnyIterable<unknown>, feed: FixFeed, send: Send): Promise<void> {
    const iterator = this.#opened(fixes);
    let counted = 0;
    const count = (): void => {
      this.#fixes += feed.count - counted;
      counted = feed.count;
    };
    let isEnded = false;
    try {
      isEnded = await feed.read(
        iterator,
        () => this.#isStopped,
        (columns) => {
          count();
          this.#reportProgress();
          return send(columns);
        },
      );
    } finally {
      count();
      this.#open.delete(iterator);
      if (!isEnded) close(iterator);
    }
  }

  #opened<Item>(items: Iterable<Item> | AsyncIterable<Item>): AnyIterator<Item> {
    const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#open.add(iterator);
    return iterator;
  }

  #giveRoom(): void {
    const waiting = this.#room;
    this.#room = [];
    for (const resolve of waiting) resolve();
  }

  #reportProgress(): void {
    try {
      this.#plan.onProgress?.({ units: this.#done, fixes: this.#fixes });
    } catch (error) {
      this.#fail(error);
    }
  }
}

function readId(unit: ReplayInput, job: number): string {
  const id: unknown = unit?.unitId;
  if (typeof id === 'string') return id;
  throw inputError('unit-id', `units[${job}].unitId`, 'a text', id);
}
