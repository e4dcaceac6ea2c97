/** Keeps the texts of JSON numbers (RFC 8259 §6) that a double does not represent exactly. */

import { COMMA, MINUS, NINE, QUOTE, ZERO } from '../../core/ascii.js';
import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import { isRecord, type PlainRecord } from '../common/foreignFields.js';
import { ARRAY, ARRAY_END, OBJECT, OBJECT_END } from './jsonBytes.js';
import { MAX_JSON_DEPTH, stringEnd } from './parseJson.js';

/** Texts of numbers by array index or member name: a `NumberTree` for an array or object, a text for a number. */
type NumberTree = Map<string | number, NumberTree | string>;

/** Returns the texts of the numbers in a value. */
export type ReadTexts = () => NumberTree | string | undefined;

/** Reports a number that a double may not represent exactly. `isText`: its text replaces it in the value. */
export type ReportNumber = (field: string, text: string, isText: boolean) => void;

/**
 * Replaces each number of a parsed value that JavaScript would write with other digits (`1e400`, `9007199254740993`) by its text.
 * Changes the value in place and returns it. Calls `readTexts` only if the value contains a number beyond 2^53. Throws `limit-depth`.
 */
export function keepNumberTexts(
  value: unknown,
  field: string,
  readTexts: ReadTexts,
  report: ReportNumber,
): unknown {
  return hasInexactNumber(value) ? withTexts(value, readTexts(), field, report) : value;
}

/** Whether `value`, which was parsed from `text`, represents every number of the text exactly. Throws `limit-depth`. */
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
 * Copies a value that the caller parsed, as JSON represents it. A number that is not finite becomes its text, and so does a BigInt. A whole
 * number beyond 2^53 is kept and reported, because the caller's parser may have changed it.
 *
 * Throws `limit-depth` for more than `maxDepth` levels, `json-value` for a function or symbol.
 */
export function copyJsonValue(
  value: unknown,
  field: string,
  maxDepth: number,
  report: ReportNumber,
): unknown {
  if (typeof value === 'number') {
    if (!mayBeInexact(value)) return value;
    const isNumber = Number.isFinite(value);
    report(field, String(value), !isNumber);
    return isNumber ? value : String(value);
  }
  if (typeof value === 'bigint') {
    report(field, String(value), true);
    return String(value);
  }
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw inputError('json-value', field, 'a value that JSON can represent', typeof value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (maxDepth <= 0) {
    throw new WayzoneError(
      'limit-depth',
      field,
      'expected fewer levels, received more, or a value that contains itself',
    );
  }
  if (isArray(value)) {
    return value.map((item, i) => copyJsonValue(item ?? null, `${field}[${i}]`, maxDepth - 1, report));
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return copyJsonValue(value.toJSON() as unknown, field, maxDepth - 1, report);
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [[key, copyJsonValue(item, `${field}.${key}`, maxDepth - 1, report)]],
    ),
  );
}

/** `numberTexts`, computed on the first call only. */
export function lazyNumberTexts(text: string): ReadTexts {
  let texts: { readonly tree: ReturnType<ReadTexts> } | null = null;
  return () => {
    texts ??= { tree: numberTexts(text) };
    return texts.tree;
  };
}

/** The texts of a member or item of the value; null if `readTexts` is null. */
export function textsOf(readTexts: ReadTexts | null, key: string | number): ReadTexts | null {
  if (readTexts === null) return null;
  return () => {
    const tree = readTexts();
    return tree instanceof Map ? tree.get(key) : undefined;
  };
}

/** Texts of numbers that doubles may not represent exactly, in a JSON text that `JSON.parse` accepts. Linear in its length. */
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
      if (mayBeInexact(Number(token))) nodeOf(holder, text).set(keyOf(holder, text), token);
      i += token.length - 1;
    }
  }
  return root.node?.get(0);
}

/** An array or object being scanned. Its node is created with its first inexact number. */
interface Holder {
  node: NumberTree | null;
  readonly parent: Holder | null;
  readonly isArray: boolean;
  index: number;
  keyStart: number;
  keyEnd: number;
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** The holder's node, created with the missing nodes above it. Stops at the first existing node, so that the whole scan is linear. */
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

/** Whether the number is not finite or beyond 2^53, where several whole numbers share one double. */
function mayBeInexact(value: number): boolean {
  return !(Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}

/** Whether a number in the value may differ from the text that it was parsed from. */
export function hasInexactNumber(root: unknown): boolean {
  if (typeof root === 'number') return mayBeInexact(root);
  if (!hasItems(root)) return false;
  // Created with the first nested array or object: most values have none.
  let open: object[] | null = null;
  for (let value: object | undefined = root; value !== undefined; value = open?.pop()) {
    const list: readonly unknown[] | null = isArray(value) ? value : null;
    const keys = list === null ? Object.keys(value) : null;
    const count = list?.length ?? keys!.length;
    for (let i = 0; i < count; i++) {
      const item = list === null ? (value as PlainRecord)[keys![i]!] : list[i];
      if (typeof item === 'number') {
        if (mayBeInexact(item)) return true;
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

/**
 * `keepNumberTexts` for the texts already read. If a member name is repeated, the tree may contain the text of another value, so a text is
 * used only where it gives the number.
 */
function withTexts(
  value: unknown,
  tree: NumberTree | string | undefined,
  field: string,
  report: ReportNumber,
  depth: number = 0,
): unknown {
  if (depth > MAX_JSON_DEPTH) {
    throw new WayzoneError('limit-depth', field, `expected at most ${MAX_JSON_DEPTH} levels, received more`);
  }
  if (typeof value === 'number') {
    if (!mayBeInexact(value)) return value;
    const text = typeof tree === 'string' && Number(tree) === value ? tree : String(value);
    if (Number.isFinite(value) && isAsWritten(text, value)) return value;
    report(field, text, true);
    return text;
  }
  const below = tree instanceof Map ? tree : undefined;
  if (isArray(value)) {
    const list = value as unknown[];
    for (let i = 0; i < list.length; i++)
      list[i] = withTexts(list[i], below?.get(i), `${field}[${i}]`, report, depth + 1);
  } else if (isRecord(value)) {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      const before = record[key];
      const after = withTexts(before, below?.get(key), `${field}.${key}`, report, depth + 1);
      if (after !== before) record[key] = after;
    }
  }
  return value;
}

/**
 * Whether JavaScript writes the number with the digits of its text. A whole number must be equal as text; other numbers in digits and
 * exponent.
 */
function isAsWritten(text: string, value: number): boolean {
  const written = String(value);
  return text === written || (!/^-?\d+$/.test(text) && digitsOf(text) === digitsOf(written));
}

/** The sign, the digits without leading and trailing zeros, and the exponent of the first digit. */
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
