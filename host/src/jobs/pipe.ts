/** A two-way stream of chunks between two processes, with back-pressure: a sender waits while `WINDOW` chunks are unread. */

import { processEnded, receivedError, type SentError, sentError } from './sentError.js';

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
