/** Filters and sorts lists of geozones in a thread. Answers are ids in order; the rows are read from the database. */

import { Worker } from 'node:worker_threads';
import type { GeozoneGroup } from 'wayzone';
import type { FilterQuery } from 'wayzone/listing';
import type { ExportRequest } from 'wayzone/schemas';
import { receivedError, type SentError, threadEnded } from './sentError.js';
import type { ZoneHead } from './zoneHead.js';

interface OfCompany {
  readonly companyId: string;
}

export interface FilterQuestion extends OfCompany {
  readonly query: FilterQuery;
  readonly language: string;
  readonly timeZone: string;
}

/** Messages to the thread. Answers arrive in the order of the messages. */
export interface Question {
  /** Starts to read a company again: `add` appends heads, `commit` replaces the company's earlier heads. */
  readonly begin: OfCompany;
  readonly add: OfCompany & { readonly heads: string };
  readonly commit: OfCompany;
  readonly change: OfCompany & { readonly heads: readonly ZoneHead[] };
  readonly drop: OfCompany;
  readonly filter: FilterQuestion;
  readonly select: OfCompany & { readonly groups: readonly GeozoneGroup[]; readonly request: ExportRequest };
}

export type QuestionName = keyof Question;

interface ListAnswer {
  readonly begin: undefined;
  readonly add: undefined;
  readonly commit: undefined;
  readonly change: undefined;
  readonly drop: undefined;
  /** `max` counts all matches, `ids` are those of the page. null if the thread does not hold the company. */
  readonly filter: { readonly max: number; readonly ids: readonly string[] } | null;
  readonly select: readonly string[] | null;
}

export interface ZoneLists {
  ask<Name extends QuestionName>(name: Name, question: Question[Name]): Promise<ListAnswer[Name]>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

type Answer = { readonly number: number } & ({ readonly value: unknown } | { readonly error: SentError });

/** The built file, also when a test runs the sources. */
const FILE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/threads/listsThread.js' : './listsThread.js',
  import.meta.url,
);

/** Calls `onLost` when the thread has died and all heads are lost. The next message starts an empty thread. */
export function zoneLists(onLost: () => void): ZoneLists {
  let thread: Worker | null = null;
  let count = 0;
  const waiting = new Map<number, Waiting>();

  const start = (): Worker => {
    // Node refuses the caller's `--input-type` for a thread that runs a file.
    const started = new Worker(FILE, { execArgv: [] });
    started.unref();
    started.on('message', (answer: Answer) => {
      const request = waiting.get(answer.number);
      waiting.delete(answer.number);
      if ('error' in answer) request?.reject(receivedError(answer.error));
      else request?.resolve(answer.value as never);
    });
    const end = (reason: string): void => {
      if (thread !== started) return;
      thread = null;
      const lost = [...waiting.values()];
      waiting.clear();
      onLost();
      for (const { reject } of lost) reject(threadEnded(reason));
    };
    started.on('error', (error: unknown) => end(error instanceof Error ? error.message : String(error)));
    started.on('exit', () => end('its end'));
    return started;
  };

  return {
    ask(name, question) {
      thread ??= start();
      const number = count++;
      const answer = new Promise<never>((resolve, reject) => waiting.set(number, { resolve, reject }));
      thread.postMessage({ number, name, question });
      return answer;
    },
    async close() {
      const ended = thread;
      thread = null;
      await ended?.terminate();
      for (const { reject } of waiting.values()) reject(threadEnded('its end'));
      waiting.clear();
    },
  };
}
