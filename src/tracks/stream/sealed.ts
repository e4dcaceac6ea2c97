/** States that are stored: plain JSON with a kind, a version and a checksum over all other fields. */

import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import { textHash } from '../textHash.js';

/** The version of every state: of the trackers, of trips and of an operator's units. Versions 1 to 8 are of earlier formats. */
export const STATE_VERSION = 9;

/** A copy of a state with its checksum. The keys of every object ascend, so that the checksum does not depend on the order in which they were set. */
export function sealed<Body extends object>(body: Body): Body & { readonly checksum: string } {
  const own = inOrder(body);
  return { ...own, checksum: textHash(JSON.stringify(own)) };
}

/** The JSON text of `sealed(body)`. The text that its checksum is made of is written once, not twice. */
export function sealedText(body: object): string {
  const text = JSON.stringify(inOrder(body));
  return `${text.slice(0, -1)},"checksum":"${textHash(text)}"}`;
}

/** A copy of plain JSON with the keys of every object in ascending order. */
export function inOrder<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.map(inOrder) as Value;
  const copy = {};
  for (const key of Object.keys(value).sort()) setOwn(copy, key, inOrder(value[key as keyof Value]));
  return copy as Value;
}

/**
 * Opens a state or its JSON text, and returns a copy without the checksum. `path`: its name in errors. Errors: `state-version` for another version,
 * `state-corrupt` for anything else, `input-unreadable`.
 */
export function openSealed<Body extends object>(given: unknown, kind: string, path: string): Body {
  return guarded(path, () => {
    const state = typeof given === 'string' ? parsed(given, path) : given;
    if (typeof state !== 'object' || state === null || isArray(state))
      throw corrupt(path, 'an object', state);
    const { checksum, ...body } = state as Record<string, unknown>;
    const { version } = body;
    if (typeof version !== 'number') throw corrupt(`${path}.version`, 'a number', version);
    if (version !== STATE_VERSION)
      throw inputError('state-version', `${path}.version`, `version ${STATE_VERSION}`, version);
    if (body['kind'] !== kind) throw corrupt(`${path}.kind`, `'${kind}'`, body['kind']);
    if (typeof given === 'string' && isAsWritten(given, checksum)) return body as Body;
    // The caller may hold an object that it gave: the copy is ours.
    const own = inOrder(body);
    const hash = textHash(JSON.stringify(own));
    if (hash !== checksum) throw corrupt(`${path}.checksum`, `the checksum of the rest, ${hash}`, checksum);
    return own as Body;
  });
}

/** Whether a text is that of `sealedText`: a JSON column may write another. */
function isAsWritten(text: string, checksum: unknown): boolean {
  const end = `,"checksum":"${String(checksum)}"}`;
  return text.endsWith(end) && textHash(`${text.slice(0, -end.length)}}`) === checksum;
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corrupt(path, 'JSON', text);
  }
}

export function corrupt(field: string, what: string, received: unknown): WayzoneError {
  return inputError('state-corrupt', field, what, received);
}

/** The answer of `read`. What a tracker refuses in a snapshot, such as an option, is `state-corrupt` at `path` and the refused field. */
export function asCorrupt<Result>(path: string, what: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    throw corrupt(`${path}.${error.field}`, what, error.message);
  }
}

/** A copy of numbers, texts, booleans, null, lists and plain objects: for small values some five times as fast as `structuredClone`. */
export function plainCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return value.map(plainCopy) as Value;
  const copy = {};
  for (const key in value) setOwn(copy, key, plainCopy(value[key]));
  return copy as Value;
}

/** Sets a field of the object itself, also one named `__proto__`. */
function setOwn(target: object, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}
