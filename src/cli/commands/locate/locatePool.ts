/** Threads that answer the positions of `wayzone locate` and make their rows, while the caller's thread reads and writes. */

import { Worker } from 'node:worker_threads';
import { WayzoneError } from '../../../core/errors.js';
import type { ZoneRow } from '../../../zones/index/types.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import type { Format } from '../../flags/options.js';
import type { LocateAnswer, LocateBatch, LocateColumns, LocateOrder } from './locateTask.js';
import type { PlaceColumns } from './placeColumns.js';

/** Batches that a thread has at a time: one in work, one that waits. */
const MOST_BATCHES = 2;
/** Batches a thread that are not written yet. */
const MOST_UNWRITTEN = 4;

interface Thread {
  readonly worker: Worker;
  batches: number;
  /** The list of names that it knows, and how many of them. */
  names: readonly string[] | null;
  count: number;
}

export class LocatePool {
  readonly #threads: Thread[] = [];
  readonly #write: (text: string) => Promise<void>;
  /** Rows by the number of their batch, until those before are written. */
  readonly #rows = new Map<number, Uint8Array>();
  readonly #spare: LocateColumns[] = [];
  #asked = 0;
  /** The next batch whose rows are handed on, and how many are written. */
  #following = 0;
  #written = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** Called when an answer or a failure came. */
  #wake: (() => void) | null = null;

  /** Begins the threads, which load their modules while the zones are read. `write` takes the rows in the order of the positions. */
  constructor(
    count: number,
    write: (text: string) => Promise<void>,
    program: URL = new URL('./locateWorker.js', import.meta.url),
  ) {
    this.#write = write;
    for (let i = 0; i < count; i++) {
      const thread: Thread = { worker: new Worker(program), batches: 0, names: null, count: 0 };
      thread.worker.on('message', (answer: LocateAnswer) => this.#take(thread, answer));
      thread.worker.on('error', (error) => this.#fail(lost(error.message)));
      thread.worker.on('exit', (code) => this.#fail(lost(`its end with code ${code}`)));
      this.#threads.push(thread);
    }
  }

  /** Gives the threads the zones. */
  open(index: ZoneIndex<ZoneRow>, format: Format): void {
    const buffer = index.toBuffer({ shared: true, rows: false, cells: true });
    const ids: (string | null)[] = [];
    for (const id of index.ids()) ids[index.ordinalOf(id)!] = id;
    const order: LocateOrder = { kind: 'order', format, index: buffer, ids };
    for (const { worker } of this.#threads) worker.postMessage(order);
  }

  /** Takes the positions, which `places` then no longer has; waits while all threads have enough to do. Throws as `end`. */
  async ask(places: PlaceColumns): Promise<void> {
    let thread = this.#idlest();
    const unwritten = MOST_UNWRITTEN * this.#threads.length;
    while (thread.batches >= MOST_BATCHES || this.#asked - this.#written >= unwritten) {
      await this.#next();
      thread = this.#idlest();
    }
    this.#check();
    const isNew = thread.names !== places.names;
    if (isNew) thread.count = 0;
    const { length, names } = places;
    const columns = places.handOver(this.#spare.pop());
    const message: LocateBatch = {
      kind: 'batch',
      batch: this.#asked++,
      length,
      names: names.slice(thread.count),
      isNew,
      columns,
    };
    thread.names = names;
    thread.count = names.length;
    thread.batches++;
    thread.worker.postMessage(message, [columns.unit.buffer, columns.time.buffer, columns.lonLat.buffer]);
  }

  /** Waits until all is written. Throws `worker-failed` for a thread that died, and what `write` or a position throws. */
  async end(): Promise<void> {
    while (this.#written < this.#asked) await this.#next();
    this.#check();
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    this.#failure ??= lost('the end of the work');
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  #idlest(): Thread {
    return this.#threads.reduce((best, thread) => (thread.batches < best.batches ? thread : best));
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
    this.#spare.push(answer.columns);
    this.#rows.set(answer.batch, answer.rows);
    for (let rows = this.#rows.get(this.#following); rows !== undefined; ) {
      this.#rows.delete(this.#following++);
      this.#writing = this.#writeAfter(this.#writing, rows);
      rows = this.#rows.get(this.#following);
    }
    this.#wake?.();
  }

  async #writeAfter(before: Promise<void>, rows: Uint8Array): Promise<void> {
    await before;
    if (this.#failure !== null) return;
    try {
      await this.#write(Buffer.from(rows.buffer, rows.byteOffset, rows.length).toString());
      this.#written++;
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

function lost(what: string): WayzoneError {
  return new WayzoneError('worker-failed', 'workers', `expected rows from a thread, received ${what}`);
}
