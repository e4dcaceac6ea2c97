/**
 * Threads that answer the positions of `wayzone locate` and make their rows, while the caller's thread reads and writes. They also read CSV, of
 * which the caller gives them pieces.
 */

import type { Worker } from 'node:worker_threads';
import { WayzoneError } from '../../../core/errors.js';
import type { CsvPieceAnswer } from '../../../interchange/csv/readSplitCsv.js';
import { startThread, threadLost } from '../../../parallel/startThread.js';
import type { ZoneRow } from '../../../zones/index/types.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import type { Format } from '../../flags/options.js';
import { PACKAGE_ROOT } from '../../packageRoot.js';
import type {
  LocateAnswer,
  LocateColumns,
  LocateFile,
  LocateMessage,
  LocateOrder,
  LocateRowsAnswer,
} from './locateOrder.js';
import type { PlaceColumns } from './placeColumns.js';

/** Batches per thread: one in work and one that waits. Before the zones are there threads only parse, and take more. */
const MOST_BATCHES = 2;
const MOST_EARLY_BATCHES = 16;
/** Batches per thread whose rows are not written yet. */
const MOST_UNWRITTEN = 4;

interface Thread {
  readonly worker: Worker;
  batches: number;
  /** The list of names of which the thread has a copy, and the length of that copy. */
  names: readonly string[] | null;
  count: number;
  /** The CSV file whose pieces it can read. */
  file: LocateFile | null;
}

/** Takes the answer to a piece; false: its rows are not written. */
type OnPiece = (answer: CsvPieceAnswer, positions: number) => boolean;

export class LocatePool {
  readonly #threads: Thread[] = [];
  readonly #write: (rows: Uint8Array) => Promise<void>;
  /** Answers by the number of their batch, until those before are written. */
  readonly #answers = new Map<number, LocateRowsAnswer>();
  readonly #onPiece = new Map<number, OnPiece>();
  readonly #spare: LocateColumns[] = [];
  /** Buffers of rows that are written. */
  readonly #spareRows: ArrayBuffer[] = [];
  #isOpen = false;
  #asked = 0;
  /** The next batch whose rows are handed on, and how many are written. */
  #following = 0;
  #written = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** Called on each answer and on failure. */
  #wake: (() => void) | null = null;

  /** Begins the threads, which load their modules while the zones are read. `write` takes the rows in the order of the positions; once it resolves
   * their bytes change. */
  constructor(
    count: number,
    write: (rows: Uint8Array) => Promise<void>,
    program: URL = new URL('dist/cli/commands/locate/locateWorker.js', PACKAGE_ROOT),
  ) {
    this.#write = write;
    for (let i = 0; i < count; i++) {
      const worker = startThread(
        program,
        (answer: LocateAnswer) => this.#take(thread, answer),
        (error) => this.#fail(error),
      );
      const thread: Thread = { worker, batches: 0, names: null, count: 0, file: null };
      this.#threads.push(thread);
    }
  }

  /** Gives the threads the zones. Positions may be asked before. */
  open(index: ZoneIndex<ZoneRow>, format: Format): void {
    const buffer = index.toBuffer({ shared: true, rows: false, cells: true });
    const order: LocateOrder = { kind: 'order', format, index: buffer, ...idsOf(index) };
    for (const thread of this.#threads) send(thread, order);
    this.#isOpen = true;
  }

  /** Takes the positions, which `places` then no longer has; waits while all threads have enough to do. Throws as `end`. */
  async ask(places: PlaceColumns): Promise<void> {
    const thread = await this.#free();
    const isNew = thread.names !== places.names;
    if (isNew) thread.count = 0;
    const { length, names } = places;
    const columns = places.handOver(this.#spare.pop());
    const batch = this.#asked++;
    const moved = [columns.unit.buffer, columns.time.buffer, columns.lonLat.buffer];
    send(thread, { kind: 'batch', batch, length, names: names.slice(thread.count), isNew, columns }, moved);
    thread.names = names;
    thread.count = names.length;
    thread.batches++;
  }

  /** Takes whole rows of a file, as `ask` takes positions; `onPiece` is called in the order of all batches and pieces. */
  async askPiece(file: LocateFile, bytes: Uint8Array<ArrayBuffer>, onPiece: OnPiece): Promise<void> {
    const thread = await this.#free();
    if (thread.file !== file) send(thread, file);
    thread.file = file;
    const batch = this.#asked++;
    this.#onPiece.set(batch, onPiece);
    const room = this.#spareRows.pop() ?? null;
    send(
      thread,
      { kind: 'piece', batch, bytes, room },
      room === null ? [bytes.buffer] : [bytes.buffer, room],
    );
    thread.batches++;
  }

  /** Waits until all that was asked is written. Throws `worker-failed` for a thread that died, and what `write` or a position throws. */
  async end(): Promise<void> {
    while (this.#written < this.#asked) await this.#next();
    this.#check();
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    this.#fail(threadLost('the end of the work'));
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  /** The thread with the least to do, once it can take more. */
  async #free(): Promise<Thread> {
    for (;;) {
      this.#check();
      const thread = this.#threads.reduce((best, next) => (next.batches < best.batches ? next : best));
      const most = this.#isOpen ? MOST_BATCHES : MOST_EARLY_BATCHES;
      const unwritten = Math.max(most, MOST_UNWRITTEN) * this.#threads.length;
      if (thread.batches < most && this.#asked - this.#written < unwritten) return thread;
      await this.#next();
    }
  }

  #check(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** Waits for an answer, or until a batch is written. */
  async #next(): Promise<void> {
    this.#check();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#check();
  }

  #take(thread: Thread, answer: LocateAnswer): void {
    thread.batches--;
    if ('error' in answer) {
      const { code, field, message } = answer.error;
      this.#fail(new WayzoneError(code, field, message));
      return;
    }
    if (answer.columns !== null) this.#spare.push(answer.columns);
    this.#answers.set(answer.batch, answer);
    for (let next = this.#answers.get(this.#following); next !== undefined; ) {
      this.#answers.delete(this.#following);
      this.#writing = this.#writeAfter(this.#writing, this.#rowsOf(next));
      next = this.#answers.get(++this.#following);
    }
    this.#wake?.();
  }

  /** The rows that are to be written. */
  #rowsOf({ batch, rows, piece, length }: LocateRowsAnswer): Uint8Array<ArrayBuffer> {
    const onPiece = this.#onPiece.get(batch);
    this.#onPiece.delete(batch);
    const isWritten = piece === null || onPiece === undefined || onPiece(piece, length);
    return isWritten ? rows : new Uint8Array(0);
  }

  async #writeAfter(before: Promise<void>, rows: Uint8Array<ArrayBuffer>): Promise<void> {
    await before;
    if (this.#failure !== null) return;
    try {
      await this.#write(rows);
      this.#written++;
      if (rows.length > 0) this.#spareRows.push(rows.buffer);
      if (this.#spareRows.length > this.#threads.length) this.#spareRows.shift();
      this.#wake?.();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}

function idsOf(index: ZoneIndex<ZoneRow>): { readonly ids: string; readonly idEnds: Uint32Array } {
  const ids: string[] = [];
  const ends: number[] = [];
  let end = 0;
  for (let ordinal = 0, left = index.size; left > 0; ordinal++) {
    const id = index.idOf(ordinal);
    if (id !== null) left--;
    ids.push(id ?? '');
    end += id?.length ?? 0;
    ends.push(end);
  }
  return { ids: ids.join(''), idEnds: Uint32Array.from(ends) };
}

function send({ worker }: Thread, message: LocateMessage, moved: ArrayBuffer[] = []): void {
  worker.postMessage(message, moved);
}
