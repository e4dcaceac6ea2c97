/** Runs the computations of requests in processes, with a budget of time and memory each. */

import type { ChildProcess } from 'node:child_process';
import { WayzoneError } from 'wayzone';
import type { ComputeInput, ComputeName, ComputeOptions } from './computeTypes.js';
import { jobProcesses, type Processes, type ProcessesOptions } from './jobProcesses.js';
import type { Piece } from './pipe.js';

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

/** What a computation has beside its input. Both are sent when its turn has come, so that computations which wait hold no memory. */
export interface Given {
  /** Pages of rows (JSON texts joined with commas), by name. */
  readonly pages?: Readonly<Record<string, () => AsyncIterable<string>>>;
  /** The buffer of a company's index. A process keeps it for later computations. */
  readonly index?: Uint8Array;
}

/** Size of a piece of an index, bytes: sending it takes the event loop about a millisecond. */
const PIECE_BYTES = 1 << 20;
/** Number of attempts at a computation whose process something else ends. */
const ATTEMPTS = 3;
/** Maximum size of the indexes that a process keeps, unless a single one is larger, bytes. */
const MOST_KEPT = 256e6;

export function computeProcesses({
  budgetMs = 10_000,
  ...options
}: Partial<ProcessesOptions> & {
  /** Limit of one computation, milliseconds. Default 10,000. */
  readonly budgetMs?: number;
} = {}): Compute {
  const processesOf = (most: number): Processes =>
    jobProcesses({
      file: 'compute',
      most,
      // One process remains for the others.
      mostOfCompany: most - 1,
      mostWaiting: 50,
      silentMs: budgetMs,
      idleMs: 300_000,
      heapMegabytes: 512,
      what: 'a computation',
      ...options,
    });
  const withPages = processesOf(3);
  // Apart: pages wait for the database, which may wait for these, because a transaction completes a row that has changed.
  const withoutPages = processesOf(2);
  const numbers = new WeakMap<Uint8Array, number>();
  let count = 0;
  const numberOf = (index: Uint8Array): number => {
    const number = numbers.get(index) ?? ++count;
    numbers.set(index, number);
    return number;
  };
  /** The sizes of the indexes of each process by number, the least recently used one first. */
  const kept = new WeakMap<ChildProcess, Map<number, number>>();

  const indexFor = (child: ChildProcess, index: Uint8Array): NonNullable<ComputeOptions['index']> => {
    const own = kept.get(child) ?? new Map<number, number>();
    kept.set(child, own);
    const number = numberOf(index);
    const isKept = own.delete(number);
    let bytes = index.byteLength + [...own.values()].reduce((sum, size) => sum + size, 0);
    const dropped: number[] = [];
    for (const [other, size] of own) {
      if (bytes <= MOST_KEPT) break;
      own.delete(other);
      dropped.push(other);
      bytes -= size;
    }
    if (isKept) own.set(number, index.byteLength);
    return { number, bytes: index.byteLength, isKept, dropped };
  };

  const once = async (
    companyId: string,
    name: ComputeName,
    input: unknown,
    { pages, index }: Given,
  ): Promise<string> => {
    const job = (pages === undefined ? withoutPages : withPages).run(
      companyId,
      (child) => {
        const found = index === undefined ? null : indexFor(child, index);
        const sent = async function* (): AsyncGenerator<Piece> {
          if (found !== null && !found.isKept) {
            for (let from = 0; from < found.bytes; from += PIECE_BYTES)
              yield index!.subarray(from, from + PIECE_BYTES) as Uint8Array<ArrayBuffer>;
            kept.get(child)!.set(found.number, found.bytes);
          }
          for (const pagesOf of Object.values(pages ?? {})) {
            yield* pagesOf();
            yield '';
          }
        };
        const ordered: ComputeOptions = { input, pages: Object.keys(pages ?? {}), index: found };
        return { order: { name, options: ordered }, input: sent() };
      },
      (child) => index !== undefined && kept.get(child)?.has(numberOf(index)) === true,
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
    },
  };
}
