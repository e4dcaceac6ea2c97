/** Runs the computations of requests in processes, with a budget of time and memory each. */

import type { ChildProcess } from 'node:child_process';
import { WayzoneError } from 'wayzone';
import { jobProcesses, type Processes, type ProcessesOptions } from './jobProcesses.js';
import type { ComputeInput, ComputeName, ComputeOptions } from './jobTypes.js';
import { type Chunk, chunksOf } from './pipe.js';

export interface Compute {
  /**
   * The JSON text of the result. Throws `limit-time`, `limit-memory` (422) or `limit-queue` (429) when a budget is spent. A computation whose
   * process was ended by something else is repeated, twice at most.
   */
  run<Name extends ComputeName>(
    companyId: string,
    name: Name,
    input: ComputeInput[Name],
    given?: Given,
  ): Promise<string>;
  /** Ends all processes. Computations that run or wait fail. */
  close(): void;
}

/** Rows and index of a computation. They are sent when its turn has come, so that waiting computations hold no memory. */
export interface Given {
  /** Pages of rows (JSON texts joined with commas), by name. */
  readonly pages?: Readonly<Record<string, () => AsyncIterable<string>>>;
  /** A company's index, or the heads of its geozones. A process keeps it for later computations. */
  readonly buffer?: Uint8Array;
}

/** Number of attempts at a computation whose process something else ends. */
const ATTEMPTS = 3;
/** Heads of this size give their list another budget of time, bytes: some 300,000 geozones. A million are read and sorted in 8 to 20 s. */
const HEADS_OF_BUDGET = 50e6;
/** As `mostIndexes`, for heads: the heaps of their processes have room for so many. */
const MOST_HEADS = 600e6;

/** A buffer that a process keeps. */
interface Kept {
  readonly companyId: string;
  readonly bytes: number;
}

export function computeProcesses({
  budgetMs = 10_000,
  mostIndexes = 256e6,
  now = Date.now,
  ...options
}: Partial<ProcessesOptions> & {
  /** Limit of one computation, milliseconds. Default 10,000. */
  readonly budgetMs?: number;
  /** Maximum size of the indexes that a process keeps, unless a single one is larger, bytes. Default 256e6. */
  readonly mostIndexes?: number;
  /** The time at which tracks are read, epoch milliseconds. Default: that of the system. */
  readonly now?: () => number;
} = {}): Compute {
  const processesOf = (most: number, heapMegabytes: number): Processes =>
    jobProcesses({
      file: 'compute',
      most,
      // One process remains for the others.
      mostOfCompany: most - 1,
      mostWaiting: 50,
      silentMs: budgetMs,
      idleMs: 300_000,
      heapMegabytes,
      what: 'a computation',
      ...options,
    });
  const withPages = processesOf(3, 512);
  // Apart: pages wait for the database, which may wait for these, because a transaction completes a row that has changed.
  const withoutPages = processesOf(2, 512);
  // Apart: these keep parsed heads, which take up to six times the memory of their texts.
  const ofLists = processesOf(2, 4096);
  const isList = (name: ComputeName): boolean => name === 'zoneList' || name === 'zoneSelection';
  const poolOf = (name: ComputeName, { pages }: Given): Processes => {
    if (isList(name)) return ofLists;
    return pages === undefined ? withoutPages : withPages;
  };
  const numbers = new WeakMap<Uint8Array, number>();
  let count = 0;
  const numberOf = (buffer: Uint8Array): number => {
    const number = numbers.get(buffer) ?? ++count;
    numbers.set(buffer, number);
    return number;
  };
  /** The buffers of each process by number, the least recently used one first. */
  const kept = new WeakMap<ChildProcess, Map<number, Kept>>();

  const bufferFor = (
    child: ChildProcess,
    companyId: string,
    buffer: Uint8Array,
    most: number,
  ): NonNullable<ComputeOptions['buffer']> => {
    const own = kept.get(child) ?? new Map<number, Kept>();
    kept.set(child, own);
    const number = numberOf(buffer);
    const { byteLength } = buffer;
    const isKept = own.delete(number);
    let bytes = byteLength + [...own.values()].reduce((sum, other) => sum + other.bytes, 0);
    const dropped: number[] = [];
    for (const [other, { companyId: of, bytes: size }] of own) {
      // An earlier buffer of the company will not be asked for again.
      if (bytes <= most && of !== companyId) continue;
      own.delete(other);
      dropped.push(other);
      bytes -= size;
    }
    if (isKept) own.set(number, { companyId, bytes: byteLength });
    return { number, bytes: byteLength, isKept, dropped };
  };

  const once = async (
    companyId: string,
    name: ComputeName,
    input: unknown,
    given: Given,
  ): Promise<string> => {
    const { pages, buffer } = given;
    const job = poolOf(name, given).run(
      companyId,
      (child) => {
        const most = isList(name) ? MOST_HEADS : mostIndexes;
        const found = buffer === undefined ? null : bufferFor(child, companyId, buffer, most);
        const sent = async function* (): AsyncGenerator<Chunk> {
          if (found !== null && !found.isKept) {
            yield* chunksOf(buffer!);
            kept.get(child)!.set(found.number, { companyId, bytes: found.bytes });
          }
          for (const pagesOf of Object.values(pages ?? {})) {
            yield* pagesOf();
            yield '';
          }
        };
        const names = Object.keys(pages ?? {});
        const ordered: ComputeOptions = { input, readAt: now(), pages: names, buffer: found };
        const times = isList(name) ? 1 + buffer!.length / HEADS_OF_BUDGET : 1;
        return { order: { name, options: ordered }, input: sent(), silentMs: budgetMs * times };
      },
      (child) => buffer !== undefined && kept.get(child)?.has(numberOf(buffer)) === true,
    );
    return (await job.next()).value as string;
  };

  return {
    async run(companyId, name, input, given = {}) {
      for (let attempt = 1; ; attempt++)
        try {
          return await once(companyId, name, input, given);
        } catch (error) {
          const isEnded = error instanceof WayzoneError && error.code === 'worker-failed';
          if (!isEnded || attempt === ATTEMPTS) throw error;
        }
    },
    close() {
      withPages.close();
      withoutPages.close();
      ofLists.close();
    },
  };
}
