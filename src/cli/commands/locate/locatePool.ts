/**
 * Threads that answer the positions of `wayzone locate` and make their rows: workers and, once the zones are read, the caller's own thread
 * between reading and writing. They also read pieces of CSV that the caller passes to them.
 */

import type { Worker } from 'node:worker_threads';
import { WayzoneError } from '../../../core/errors.js';
import type { CsvPieceAnswer } from '../../../interchange/csv/readSplitCsv.js';
import { startThread, threadLost } from '../../../parallel/startThread.js';
import type { ZoneRow } from '../../../zones/index/index.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import type { Format } from '../../flags/options.js';
import { PACKAGE_ROOT } from '../../packageRoot.js';
import { LocateDesk } from './locateDesk.js';
import type {
  LocateAnswer,
  LocateColumns,
  LocateFile,
  LocateOrder,
  LocateRowsAnswer,
  LocateTask,
} from './locateOrder.js';
import type { PlaceColumns } from './placeColumns.js';

/** Most batches per worker: one in progress, the others queued while the caller's thread is busy. That thread has one at a time. */
const MOST_BATCHES = 3;
/** Most batches of all threads before the zones are read: workers only parse them. */
const MOST_EARLY_BATCHES = 32;
/** Most batches per thread whose rows are not written yet. */
const MOST_UNWRITTEN = 4;

interface Thread {
  readonly post: (message: LocateTask, moved: ArrayBuffer[]) => void;
  batches: number;
  /** The list of names that the thread has copied, and the length of the copy. */
  names: readonly string[] | null;
  count: number;
  /** The CSV file whose pieces the thread can read. */
  file: LocateFile | null;
}

/** Receives the answer to a piece. If it returns false, the rows are not written. */
type OnPiece = (answer: CsvPieceAnswer, positions: number) => boolean;

export class LocatePool {
  readonly #workers: Worker[] = [];
  /** The last one is the caller's own thread. */
  readonly #threads: Thread[] = [];
  readonly #desk: LocateDesk;
  readonly #write: (rows: Uint8Array) => Promise<void>;
  /** Answers by batch number that wait for earlier answers. */
  readonly #answers = new Map<number, LocateRowsAnswer>();
  readonly #onPiece = new Map<number, OnPiece>();
  readonly #spare: LocateColumns[] = [];
  /** Buffers of written rows, for reuse. */
  readonly #spareRows: ArrayBuffer[] = [];
  #isOpen = false;
  #asked = 0;
  /** The next batch whose rows go to `#write`, and the number of written batches. */
  #following = 0;
  #written = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** Called on each answer and on failure. */
  #wake: (() => void) | null = null;

  /**
   * Starts `count` threads, of which all but one are workers. They load their modules while the zones are read. `write` gets the rows in the
   * order of the positions; their bytes are reused after it resolves.
   */
  constructor(
    count: number,
    write: (rows: Uint8Array) => Promise<void>,
    program: URL = new URL('dist/cli/commands/locate/locateWorker.js', PACKAGE_ROOT),
  ) {
    this.#write = write;
    for (let i = 1; i < count; i++) {
      const worker = startThread(
        program,
        (answer: LocateAnswer) => this.#take(thread, answer),
        (error) => this.#fail(error),
      );
      const thread = this.#addThread((message, moved) => worker.postMessage(message, moved));
      this.#workers.push(worker);
    }
    // Let events of files and workers run before each piece of work.
    const own = this.#addThread((message) => setImmediate(() => this.#doHere(message)));
    this.#desk = new LocateDesk((answer) => this.#take(own, answer));
  }

  #addThread(post: Thread['post']): Thread {
    const thread = { post, batches: 0, names: null, count: 0, file: null };
    this.#threads.push(thread);
    return thread;
  }

  #doHere(message: LocateTask): void {
    if (this.#failure !== null) return;
    try {
      this.#desk.do(message);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Sends the zones to the threads. Positions may be sent before. */
  open(index: ZoneIndex<ZoneRow>, format: Format): void {
    if (this.#workers.length > 0) {
      const buffer = index.toBuffer({ shared: true, rows: false, cells: true });
      const order: LocateOrder = { kind: 'order', format, index: buffer, ...idsOf(index) };
      for (const worker of this.#workers) worker.postMessage(order);
    }
    this.#desk.open(index, format, (ordinal) => index.idOf(ordinal));
    this.#isOpen = true;
    this.#wake?.();
  }

  /** Moves the positions of `places` to a thread, after waiting while all threads are busy. Throws the errors of `end`. */
  async ask(places: PlaceColumns): Promise<void> {
    const thread = await this.#free();
    const isNew = thread.names !== places.names;
    if (isNew) thread.count = 0;
    const { length, names } = places;
    const columns = places.handOver(this.#spare.pop());
    const batch = this.#asked++;
    const moved = [columns.unit.buffer, columns.time.buffer, columns.lonLat.buffer];
    thread.post({ kind: 'batch', batch, length, names: names.slice(thread.count), isNew, columns }, moved);
    thread.names = names;
    thread.count = names.length;
    thread.batches++;
  }

  /** Like `ask`, for whole rows of a CSV file. `onPiece` is called in the order of all batches and pieces. */
  async askPiece(file: LocateFile, bytes: Uint8Array<ArrayBuffer>, onPiece: OnPiece): Promise<void> {
    const thread = await this.#free();
    if (thread.file !== file) thread.post(file, []);
    thread.file = file;
    const batch = this.#asked++;
    this.#onPiece.set(batch, onPiece);
    const room = this.#spareRows.pop() ?? null;
    thread.post({ kind: 'piece', batch, bytes, room }, room === null ? [bytes.buffer] : [bytes.buffer, room]);
    thread.batches++;
  }

  /** Waits until all rows are written. Throws `worker-failed` if a thread died, and errors of `write` and of positions. */
  async end(): Promise<void> {
    while (this.#written < this.#asked) await this.#next();
    this.#check();
  }

  /** Ends the threads at once. */
  async close(): Promise<void> {
    this.#fail(threadLost('the end of the work'));
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  /** The thread with the least work, after waiting until it can accept more. */
  async #free(): Promise<Thread> {
    for (;;) {
      this.#check();
      const most = this.#isOpen ? MOST_UNWRITTEN * this.#threads.length : MOST_EARLY_BATCHES;
      const thread = this.#asked - this.#written < most ? this.#idle() : null;
      if (thread !== null) return thread;
      await this.#next();
    }
  }

  /** The worker with the least work; the caller's own thread if all workers have enough and the zones are read. */
  #idle(): Thread | null {
    const own = this.#threads.at(-1)!;
    let best: Thread | null = this.#isOpen && own.batches === 0 ? own : null;
    for (const thread of this.#threads) {
      if (thread === own || (this.#isOpen && thread.batches >= MOST_BATCHES)) continue;
      if (best === null || best === own || thread.batches < best.batches) best = thread;
    }
    return best;
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

  /** The rows to write; empty if the caller drops the piece. */
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
