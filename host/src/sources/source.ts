/** Brokers in front of a host: messages are handed over in order, and acknowledged when the host has committed their fixes. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isDeep } from '../http/addBodies.js';

/** Fixes of a request: the host reads so many without a pause. */
const MOST_FIXES = 1000;
const FIRST_PAUSE_MS = 200;
const MOST_PAUSE_MS = 10_000;
const ANSWER_MS = 60_000;
const SHOWN = 300;

/** A message of a broker. */
export interface SourceMessage {
  /** Place of the message in the broker, for reports: topic, partition and offset. */
  readonly place: string;
  readonly text: string;
  /** The device that sent it, by the message's key or topic; null if neither names one. It counts for fixes that name no unit. */
  readonly deviceKey: string | null;
}

/**
 * Hands messages over. Resolves when all their fixes are committed or reported as refused; then they may be acknowledged. Rejects when the source
 * closes, and when the host refuses the token: the broker keeps the messages.
 */
export type Take = (messages: readonly SourceMessage[]) => Promise<void>;

/** Connection and subscription of a broker. */
export interface SourceOptions {
  /** Address of the broker: `kafka://host:port,…`, `kafkas:`, `nats:`, `tls:`, `mqtt:` or `mqtts:`. */
  readonly url: string;
  /** Kafka: the topic. NATS: the subjects of a stream. MQTT: a topic filter. */
  readonly topic: string;
  /** Name under which the broker remembers what was acknowledged. */
  readonly group: string;
  readonly username: string | null;
  readonly password: string | null;
  /** Called when the broker gives no messages, with the reason and the milliseconds until the next attempt. */
  readonly onWaiting: (reason: string, ms: number) => void;
}

/** A running source. */
export interface Source {
  /** Rejects with the error that ended it; pending until then. */
  readonly ended: Promise<never>;
  /** Stops reading. Messages that are not committed are not acknowledged. */
  close(): Promise<void>;
}

/** The end of a source: a promise that only `fail` settles. */
export function failureSignal(): { readonly ended: Promise<never>; readonly fail: (error: unknown) => void } {
  let fail: (error: unknown) => void = () => {};
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Nobody need look.
  ended.catch(() => {});
  return { ended, fail };
}

/** Most messages that are handed over at once. */
export const MOST_MESSAGES = 500;

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

interface TakeOptions {
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
