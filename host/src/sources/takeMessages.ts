/** Hands the fixes of messages to a host by `POST /positions`, until it has committed them. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeep } from '../http/isDeep.js';
import type { SourceMessage, Take } from './source.js';

/** A fix, or the message, that the host will never take. */
export interface Refused {
  readonly place: string;
  /** The platform's number, or a name. */
  readonly code: string | number;
  /** The field, with the number of the fix in its message: `[2].lon`. */
  readonly field: string;
  readonly message: string;
  /** The first characters of the fix or message. */
  readonly received: string;
}

export interface TakeOptions {
  /** Base address of the host. */
  readonly to: string;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly onRefused: (refused: Refused) => void;
  /** Called when the host takes nothing, with the reason and the milliseconds until the next try. */
  readonly onWaiting: (reason: string, ms: number) => void;
  /** Milliseconds before the second try; each further pause is twice as long, up to 10 s. Default 200. */
  readonly pauseMs?: number;
}

interface Item {
  readonly place: string;
  readonly index: number;
  readonly fix: unknown;
}

interface Answer {
  readonly errors: readonly Pick<Refused, 'code' | 'field' | 'message'>[];
}

/** Fixes of a request: the host reads so many without a pause. */
const MOST_FIXES = 1000;
const FIRST_PAUSE_MS = 200;
const MOST_PAUSE_MS = 10_000;
const ANSWER_MS = 60_000;
const SHOWN = 300;

/** Messages are a fix, a list of fixes, or NDJSON, as `POST /positions` takes them. */
export function takeMessages(options: TakeOptions): Take {
  return async (messages) => {
    const items = messages.flatMap((message) => itemsOf(message, options.onRefused));
    for (let from = 0; from < items.length; from += MOST_FIXES)
      await send(items.slice(from, from + MOST_FIXES), options);
  };
}

function itemsOf(
  { place, text, deviceKey }: SourceMessage,
  onRefused: (refused: Refused) => void,
): readonly Item[] {
  const fixes = readFixes(text);
  if (fixes === null) {
    onRefused({
      place,
      code: 'json-syntax',
      field: '',
      message: 'expected a fix, a list of fixes or NDJSON',
      received: text.slice(0, SHOWN),
    });
    return [];
  }
  return fixes.map((fix, index) => ({ place, index, fix: named(fix, deviceKey) }));
}

function readFixes(text: string): readonly unknown[] | null {
  if (isDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    try {
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as unknown]));
    } catch {
      return null;
    }
  }
}

function named(fix: unknown, deviceKey: string | null): unknown {
  const isNamed = Object(fix) !== fix || 'unit_id' in (fix as object) || 'device_key' in (fix as object);
  return isNamed || deviceKey === null ? fix : { ...(fix as object), device_key: deviceKey };
}

/** Sends until the host has answered. A body that is refused whole is halved, down to the fix that is the reason. */
async function send(items: readonly Item[], options: TakeOptions): Promise<void> {
  for (let pause = options.pauseMs ?? FIRST_PAUSE_MS; ; pause = Math.min(MOST_PAUSE_MS, 2 * pause)) {
    const answer = await post(items, options);
    if (answer.kind === 'taken') {
      for (const { code, field, message } of answer.errors) {
        const [, number, rest] = /^\[(\d+)\]\.?(.*)$/.exec(field)!;
        refuse(items[Number(number)]!, { code, field: rest!, message }, options);
      }
      return;
    }
    if (answer.kind === 'refused') {
      if (items.length === 1) return refuse(items[0]!, answer, options);
      const middle = items.length >> 1;
      await send(items.slice(0, middle), options);
      return send(items.slice(middle), options);
    }
    const ms = answer.afterMs ?? pause;
    options.onWaiting(answer.reason, ms);
    await sleep(ms, undefined, { signal: options.signal });
  }
}

function refuse(
  { place, index, fix }: Item,
  { code, field, message }: Pick<Refused, 'code' | 'field' | 'message'>,
  { onRefused }: TakeOptions,
): void {
  const at = field === '' ? `[${index}]` : `[${index}].${field}`;
  onRefused({ place, code, field: at, message, received: JSON.stringify(fix).slice(0, SHOWN) });
}

type Outcome =
  | { readonly kind: 'taken'; readonly errors: Answer['errors'] }
  | ({ readonly kind: 'refused' } & Pick<Refused, 'code' | 'field' | 'message'>)
  | { readonly kind: 'later'; readonly reason: string; readonly afterMs: number | null };

/** Throws when the source closes, and for a token that the host does not accept. */
async function post(items: readonly Item[], { to, token, signal }: TakeOptions): Promise<Outcome> {
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(`${to}/api_v1/positions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(items.map(({ fix }) => fix)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    body = await response.json().catch(() => null);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'later', reason: String((error as { cause?: unknown }).cause ?? error), afterMs: null };
  }
  const { status } = response;
  if (status === 200 && Array.isArray((body as Answer | null)?.errors))
    return { kind: 'taken', errors: (body as Answer).errors };
  const {
    code = `http-${status}`,
    field = '',
    message = 'refused',
  } = Object(body) as Partial<Pick<Refused, 'code' | 'field' | 'message'>>;
  if (status === 401 || status === 403 || status === 404) throw Object.assign(new Error(message), { code });
  if (status >= 400 && status < 500 && status !== 408 && status !== 429)
    return { kind: 'refused', code, field, message };
  const after = Number(response.headers.get('retry-after'));
  return { kind: 'later', reason: `${status} ${code}`, afterMs: after > 0 ? 1000 * after : null };
}
