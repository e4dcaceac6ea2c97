/** Numbers of JSON text (RFC 8259 §6) that a double cannot hold: kept as their texts, so that nothing changes in silence. */

import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import { isRecord, type PlainRecord } from '../common/foreignFields.js';
import { MAX_JSON_DEPTH, stringEnd } from './parseJson.js';

/** The texts of numbers by their place in a value: a `NumberTree` for an array or object, the text for a number. */
export type NumberTree = Map<string | number, NumberTree | string>;

/** Is called for each number that a double may not hold: `isText` when its text is kept in its place. */
export type SayNumber = (field: string, text: string, isText: boolean) => void;

/**
 * The value of a text, in which each number that JavaScript would write with other digits (`1e400`, `9007199254740993`) is replaced by its text.
 * The value is changed in place. `textOf` is called when there is a number beyond 2^53. Throws `limit-depth`.
 */
export function keepNumberTexts(
  value: unknown,
  field: string,
  textOf: () => NumberTree | string | undefined,
  say: SayNumber,
): unknown {
  return hasDoubtful(value) ? kept(value, textOf(), field, say) : value;
}

/** Whether the value holds every number of the text that it was parsed from. Throws `limit-depth`, where it does not. */
export function holdsNumbersOf(text: string, value: unknown): boolean {
  let isExact = true;
  keepNumberTexts(
    value,
    '',
    () => numberTexts(text),
    () => {
      isExact = false;
    },
  );
  return isExact;
}

/**
 * A copy of a value that a caller parsed, as JSON would hold it. A number that is not finite, and a BigInt, becomes its text. A whole number
 * beyond 2^53 stays and is reported, since the caller's parser may have changed it.
 *
 * Throws `limit-depth` beyond so many levels, `json-value` for a function or symbol.
 */
export function copyJsonValue(value: unknown, field: string, maxDepth: number, say: SayNumber): unknown {
  if (typeof value === 'number') {
    if (!isDoubtful(value)) return value;
    const isNumber = Number.isFinite(value);
    say(field, String(value), !isNumber);
    return isNumber ? value : String(value);
  }
  if (typeof value === 'bigint') {
    say(field, String(value), true);
    return String(value);
  }
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw inputError('json-value', field, 'a value that JSON can hold', typeof value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (maxDepth <= 0) {
    throw new WayzoneError(
      'limit-depth',
      field,
      'expected fewer levels, received more, or a value that holds itself',
    );
  }
  if (isArray(value)) {
    return value.map((item, i) => copyJsonValue(item ?? null, `${field}[${i}]`, maxDepth - 1, say));
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return copyJsonValue(value.toJSON() as unknown, field, maxDepth - 1, say);
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, copyJsonValue(item, `${field}.${key}`, maxDepth - 1, say)]],
    ),
  );
}

/** The texts of all doubtful numbers of a JSON text that `JSON.parse` accepts; linear in its length. */
export function numberTexts(text: string): NumberTree | string | undefined {
  const root: Holder = { node: null, parent: null, isArray: true, index: 0, keyStart: 0, keyEnd: 0 };
  let holder = root;
  let expectsKey = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      const end = stringEnd(text, i);
      if (expectsKey) {
        holder.keyStart = i;
        holder.keyEnd = end + 1;
        expectsKey = false;
      }
      i = end;
    } else if (unit === ARRAY || unit === OBJECT) {
      holder = { node: null, parent: holder, isArray: unit === ARRAY, index: 0, keyStart: 0, keyEnd: 0 };
      expectsKey = unit === OBJECT;
    } else if (unit === ARRAY_END || unit === OBJECT_END) {
      holder = holder.parent ?? root;
      expectsKey = false;
    } else if (unit === COMMA) {
      holder.index++;
      expectsKey = !holder.isArray;
    } else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      NUMBER.lastIndex = i;
      const token = NUMBER.exec(text)?.[0] ?? text.charAt(i);
      if (isDoubtful(Number(token))) nodeOf(holder, text).set(keyOf(holder, text), token);
      i += token.length - 1;
    }
  }
  return root.node?.get(0);
}

/** An array or object while it is scanned; its node is made with the first doubtful number in it. */
interface Holder {
  node: NumberTree | null;
  readonly parent: Holder | null;
  readonly isArray: boolean;
  index: number;
  keyStart: number;
  keyEnd: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Goes up only as far as nodes are missing, so that all of it takes linear time. */
function nodeOf(holder: Holder, text: string): NumberTree {
  const missing: Holder[] = [];
  let at: Holder | null = holder;
  while (at !== null && at.node === null) {
    missing.push(at);
    at = at.parent;
  }
  for (const empty of missing.reverse()) {
    empty.node = new Map();
    const { parent } = empty;
    parent?.node?.set(keyOf(parent, text), empty.node);
  }
  return holder.node!;
}

function keyOf({ isArray: inArray, index, keyStart, keyEnd }: Holder, text: string): string | number {
  return inArray ? index : (JSON.parse(text.slice(keyStart, keyEnd)) as string);
}

/** Not finite, or a whole number beyond those that are each a double of their own. */
function isDoubtful(value: number): boolean {
  return !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

/** Whether a number in the value may not be the one of its text. */
export function hasDoubtful(root: unknown): boolean {
  if (typeof root === 'number') return isDoubtful(root);
  if (!hasItems(root)) return false;
  // Made for the first array or object in another: most values have none.
  let open: object[] | null = null;
  for (let value: object | undefined = root; value !== undefined; value = open?.pop()) {
    const list: readonly unknown[] | null = isArray(value) ? value : null;
    const keys = list === null ? Object.keys(value) : null;
    const count = list?.length ?? keys!.length;
    for (let i = 0; i < count; i++) {
      const item = list === null ? (value as PlainRecord)[keys![i]!] : list[i];
      if (typeof item === 'number') {
        if (isDoubtful(item)) return true;
      } else if (hasItems(item)) {
        open ??= [];
        open.push(item);
      }
    }
  }
  return false;
}

function hasItems(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A name that stands twice in its object may have left the text of its first value: a text counts for its own number only. */
function kept(
  value: unknown,
  tree: NumberTree | string | undefined,
  field: string,
  say: SayNumber,
  depth: number = 0,
): unknown {
  if (depth > MAX_JSON_DEPTH) {
    throw new WayzoneError('limit-depth', field, `expected at most ${MAX_JSON_DEPTH} levels, received more`);
  }
  if (typeof value === 'number') {
    if (!isDoubtful(value)) return value;
    const text = typeof tree === 'string' && Number(tree) === value ? tree : String(value);
    if (Number.isFinite(value) && isAsWritten(text, value)) return value;
    say(field, text, true);
    return text;
  }
  const below = tree instanceof Map ? tree : undefined;
  if (isArray(value)) {
    const list = value as unknown[];
    for (let i = 0; i < list.length; i++)
      list[i] = kept(list[i], below?.get(i), `${field}[${i}]`, say, depth + 1);
  } else if (isRecord(value)) {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      const before = record[key];
      const after = kept(before, below?.get(key), `${field}.${key}`, say, depth + 1);
      if (after !== before) record[key] = after;
    }
  }
  return value;
}

/** Whether JavaScript writes the number with the digits of its text: a whole number literally, any other by value. */
function isAsWritten(text: string, value: number): boolean {
  const written = String(value);
  return text === written || (!/^-?\d+$/.test(text) && digitsOf(text) === digitsOf(written));
}

/** Sign, digits without zeros around them, and the exponent of the first digit. */
function digitsOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = whole + fraction;
  let from = 0;
  let to = digits.length;
  while (from < to && digits.charAt(from) === '0') from++;
  while (to > from && digits.charAt(to - 1) === '0') to--;
  return `${sign}${digits.slice(from, to)}e${Number(exponent) + whole.length - from}`;
}
