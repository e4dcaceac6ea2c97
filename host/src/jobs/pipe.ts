/** A two-way stream of chunks between two processes, with back-pressure: a sender waits while `WINDOW` chunks are unread. */

import { type FieldError, WayzoneError } from 'wayzone';

/** Size of a chunk, bytes: about a millisecond. */
const PIECE_BYTES = 1 << 20;

export type Chunk = string | Uint8Array<ArrayBuffer>;

export interface Pipe {
  /** Sends a chunk; resolves when the next one may be sent. `false`: the other end has failed or is closed. */
  send(chunk: Chunk): Promise<boolean>;
  /** Ends this direction; `value` is what the other end's `chunks` returns. */
  end(value?: unknown): void;
  /** Ends this direction with an error that the other end's `chunks` throws. */
  fail(error: unknown): void;
  /** Yields the chunks of the other end. Throws `worker-failed` if the other process dies. */
  chunks(): AsyncGenerator<Chunk, unknown, undefined>;
  close(): void;
}

export type PipeMessage =
  | { readonly kind: 'chunk'; readonly chunk: Chunk }
  | { readonly kind: 'taken' }
  | { readonly kind: 'end'; readonly value: unknown }
  | { readonly kind: 'fail'; readonly error: SentError };

const WINDOW = 4;

/** Carries the messages of a pipe in both directions. */
export interface Carrier {
  onMessage(listener: (message: PipeMessage) => void): void;
  /** Called when the other end is closed, or this one was. */
  onClose(listener: () => void): void;
  post(message: PipeMessage): void;
  close(): void;
}

export function pipeOver(carrier: Carrier): Pipe {
  const received: PipeMessage[] = [];
  const waiting = new Set<() => void>();
  let untaken = 0;
  let isOver = false;

  const wake = (): void => {
    for (const resume of waiting) resume();
    waiting.clear();
  };
  const change = (): Promise<void> => new Promise((resolve) => void waiting.add(resolve));
  carrier.onMessage((message) => {
    if (message.kind === 'taken') untaken--;
    else {
      if (message.kind === 'fail') isOver = true;
      received.push(message);
    }
    wake();
  });
  carrier.onClose(() => {
    isOver = true;
    received.push({ kind: 'fail', error: sentError(processEnded('its end')) });
    wake();
  });

  const post = (message: PipeMessage): void => carrier.post(message);
  return {
    async send(chunk) {
      while (untaken >= WINDOW && !isOver) await change();
      if (isOver) return false;
      untaken++;
      post({ kind: 'chunk', chunk });
      return true;
    },
    end: (value) => post({ kind: 'end', value }),
    fail: (error) => post({ kind: 'fail', error: sentError(error) }),
    async *chunks() {
      for (;;) {
        const message = received.shift();
        if (message === undefined) await change();
        else if (message.kind === 'end') return message.value;
        else if (message.kind === 'fail') throw receivedError(message.error);
        else if (message.kind === 'chunk') {
          post({ kind: 'taken' });
          yield message.chunk;
        }
      }
    },
    close() {
      isOver = true;
      wake();
      carrier.close();
    },
  };
}

interface SentError {
  readonly message: string;
  /** Fields of a `WayzoneError`; null for any other error. */
  readonly coded: {
    readonly code: WayzoneError['code'];
    readonly field: string;
    readonly errors: readonly FieldError[];
    readonly status: number;
    readonly wireCode: number | null;
  } | null;
}

function sentError(error: unknown): SentError {
  if (!(error instanceof WayzoneError))
    return { message: error instanceof Error ? error.message : String(error), coded: null };
  const { message, code, field, errors, status, wireCode } = error;
  return { message, coded: { code, field, errors, status, wireCode } };
}

function receivedError({ message, coded }: SentError): Error {
  if (coded === null) return new Error(message);
  const { code, field, errors, status, wireCode } = coded;
  return new WayzoneError(code, field, message, {
    errors,
    status,
    ...(wireCode === null ? {} : { wireCode }),
  });
}

/** The error for a process that ended before its answer. Status 503, because the client may repeat the request. */
export function processEnded(reason: string): WayzoneError {
  return new WayzoneError('worker-failed', '', `expected an answer, received ${reason}`, {
    status: 503,
    wireCode: 503,
  });
}

/** The error for what still runs or waits when the host ends. */
export function hostEnds(): WayzoneError {
  return processEnded('the end of the host');
}

export function* chunksOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield bytes.subarray(from, from + PIECE_BYTES) as Uint8Array<ArrayBuffer>;
}

/** Sends the length, as eight bytes, and then the buffer. */
export async function sendBytes(pipe: Pipe, bytes: Uint8Array): Promise<void> {
  await pipe.send(new Uint8Array(new Float64Array([bytes.length]).buffer));
  for (const chunk of chunksOf(bytes)) await pipe.send(chunk);
}

/** The buffers that a job sends with `sendBytes`, and its final value. */
export async function receivedBytes<Value>(
  chunks: AsyncGenerator<Chunk, Value>,
): Promise<{ readonly buffers: readonly Uint8Array[]; readonly value: Value }> {
  const buffers: Uint8Array[] = [];
  let left = 0;
  for (;;) {
    const { value, done } = await chunks.next();
    if (done === true) return { buffers, value };
    const chunk = value as Uint8Array;
    if (left === 0) {
      [left] = new Float64Array(chunk.slice().buffer) as unknown as [number];
      // Shared memory: V8 counts other memory as pressure on the heap.
      buffers.push(new Uint8Array(new SharedArrayBuffer(left)));
    } else {
      const buffer = buffers.at(-1)!;
      buffer.set(chunk, buffer.length - left);
      left -= chunk.length;
    }
  }
}
