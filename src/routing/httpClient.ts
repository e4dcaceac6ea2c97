/** Sends requests to an engine over HTTP. `fetch` and waiting are arguments; timeouts are abort signals. */

import { inputError } from '../core/errors.js';
import { type OptionTable, OWN, readOption } from '../core/options.js';
import { engineError } from './engineAnswer.js';

/** The used part of the standard `fetch`. The global `fetch` has this type. */
export type Fetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST';
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<{
  /** The HTTP status. */
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** Options of requests to an engine's server. */
export interface HttpOptions {
  /** URL of the engine, without the service's path. */
  readonly url: string;
  /** The function that sends a request, such as the global `fetch`. */
  readonly fetch: Fetch;
  /** Headers of every request, such as a key. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Time limit of one attempt in seconds, up to 86,400. Default 30. */
  readonly timeoutSeconds?: number | undefined;
  /** Number of times that a request is repeated on 429 and 503, if `wait` is given. Default 2. */
  readonly retries?: number | undefined;
  /** Waits for `Retry-After` before a retry, else for 1 s, doubled each time. Ends early on the signal. Default: no retry. */
  readonly wait?: ((seconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Longest delay before a retry, seconds. A longer `Retry-After` gives `engine-busy`. Default 60. */
  readonly maxWaitSeconds?: number | undefined;
}

export const HTTP_OPTIONS: OptionTable<HttpOptions> = {
  url: OWN,
  fetch: OWN,
  headers: OWN,
  timeoutSeconds: { default: 30, min: 0.001, max: 86_400 },
  retries: { default: 2, max: 100 },
  wait: OWN,
  maxWaitSeconds: { default: 60, max: 86_400 },
};

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface HttpClient {
  ask(path: string, body: object | null, signal: AbortSignal | undefined): Promise<HttpAnswer>;
}

/** Checks the options and returns the function that sends a request. Errors of an answer: `engine-timeout`, `engine-unreachable`, `engine-busy`, `engine-response`. */
export function httpClient(engine: string, options: HttpOptions): HttpClient {
  const { url, fetch: send, headers = {}, wait } = options;
  if (typeof url !== 'string' || !/^https?:\/\/\S+$/.test(url)) {
    throw inputError('option-value', 'options.url', 'an http or https URL', url);
  }
  if (typeof send !== 'function') {
    throw inputError('option-type', 'options.fetch', 'a fetch function', send);
  }
  const number = (name: 'timeoutSeconds' | 'retries' | 'maxWaitSeconds'): number =>
    readOption(HTTP_OPTIONS[name], options[name], `options.${name}`);
  const timeout = number('timeoutSeconds');
  const retries = wait === undefined ? 0 : number('retries');
  const maxWait = number('maxWaitSeconds');
  let end = url.length;
  while (url.endsWith('/', end)) end--;
  const base = url.slice(0, end);

  const attempt = async (path: string, body: object | null, signal: AbortSignal | undefined) => {
    const deadline = AbortSignal.timeout(Math.ceil(timeout * 1000));
    try {
      const response = await send(`${base}/${path}`, {
        method: body === null ? 'GET' : 'POST',
        headers: body === null ? { ...headers } : { 'content-type': 'application/json', ...headers },
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        ...(body === null ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text(), delay: delayOf(response.headers) };
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted) {
        const message = `no answer within ${timeout} s`;
        throw engineError('engine-timeout', engine, 'timeout', message, 'points', error);
      }
      const message = error instanceof Error ? error.message : 'the request failed';
      throw engineError('engine-unreachable', engine, 'network', message, 'points', error);
    }
  };

  return {
    async ask(path, body, signal) {
      for (let tries = 0; ; tries++) {
        signal?.throwIfAborted();
        const { status, text, delay } = await attempt(path, body, signal);
        if (status !== 429 && status !== 503) return { status, body: parse(engine, status, text) };
        const seconds = delay ?? 2 ** tries;
        if (wait === undefined || tries >= retries || seconds > maxWait) {
          const retryHint = delay === null ? '' : `, which asks to retry after ${delay} s`;
          throw engineError('engine-busy', engine, `HTTP ${status}`, `a busy server${retryHint}`);
        }
        await wait(seconds, signal);
      }
    },
  };
}

/** Seconds of a `Retry-After`: a number, or a date against the answer's own `Date`. Null if it is absent or unreadable. */
function delayOf(headers: { get(name: string): string | null }): number | null {
  const after = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(after)) return Number(after);
  const until = Date.parse(after);
  const sent = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(until - sent) ? null : Math.max(0, (until - sent) / 1000);
}

function parse(engine: string, status: number, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const start = text.slice(0, 60).replace(/\s+/g, ' ');
    throw engineError(
      'engine-response',
      engine,
      `HTTP ${status}`,
      `no JSON: ${JSON.stringify(start)}`,
      'points',
      error,
    );
  }
}
