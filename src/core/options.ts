/**
 * Options of public functions. Each function has one table with a row for each option. Names, defaults and ranges are checked by it, and
 * the compiler compares it with the type of the options.
 */

import type { ErrorCode } from './errorCode.js';
import { describe, inputError, isArray, WayzoneError } from './errors.js';
import { readNumber, unreadable } from './input.js';

/** Largest number of edits between near names; a third of their letters is allowed too. */
const MAX_EDITS = 2;
/** Length above which texts are not compared. */
const MAX_LENGTH = 100;
/** Least number of letters of a beginning that identifies a name. */
const LEAST_PREFIX = 3;

/** Row of a number from `min` (0) to `max` (unlimited). */
export interface NumberRow {
  readonly default: number;
  readonly min?: number;
  readonly max?: number;
  /** Whether fractions are rejected. */
  readonly isWhole?: true;
  /** Error code of a number out of range. Default `option-value`. */
  readonly code?: ErrorCode;
}

/** Row of a boolean. */
export interface BooleanRow {
  readonly default: boolean;
}

/** Row of a word from a closed set. The first word is the default. */
export interface WordRow<Word extends string = string> {
  readonly words: readonly [Word, ...Word[]];
}

/** Row of an option that its function reads and checks itself. */
export interface OwnRow {
  readonly own: true;
}

/** Row of one option. */
export type OptionRow = NumberRow | BooleanRow | WordRow | OwnRow;

/** The row of every option whose function reads it itself. */
export const OWN: OwnRow = { own: true };

type RowOf<Value> = [Value] extends [number]
  ? NumberRow
  : [Value] extends [boolean]
    ? BooleanRow
    : string extends Value
      ? OwnRow
      : [Value] extends [string]
        ? WordRow<Value>
        : OwnRow;

/** A row for each option of `Options`, the most used first. `Own`: numbers, flags and words that the function reads itself. */
export type OptionTable<Options, Own extends keyof Options = never> = {
  readonly [Name in keyof Options]-?: Name extends Own ? OwnRow : RowOf<NonNullable<Options[Name]>>;
};

type Rows = Readonly<Record<string, OptionRow>>;

type ValueOf<Row> = Row extends NumberRow
  ? number
  : Row extends BooleanRow
    ? boolean
    : Row extends WordRow<infer Word>
      ? Word
      : unknown;

/** The type of options with every option given. */
export type Filled<Options> = { readonly [Name in keyof Options]-?: Exclude<Options[Name], undefined> };

/** Value of each option, or its default. Options with an `OwnRow` are as given. */
export type OptionValues<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

/**
 * Throws `option-type` unless the options are an object, and `option-unknown` for a name that is neither in the table nor in `also`.
 * `field` is the path of the options.
 *
 * Only own enumerable text keys are names of options. A key with the value `undefined` is a name too.
 */
export function checkOptions(
  options: unknown,
  table: Rows,
  field: string = 'options',
  also: Rows = NONE,
): void {
  if (typeof options !== 'object' || options === null || isArray(options)) {
    throw inputError('option-type', field, 'an object of options', options);
  }
  // No list of keys and no closure, because every zone query passes here.
  try {
    for (const name in options) {
      if (Object.hasOwn(table, name) || Object.hasOwn(also, name) || !Object.hasOwn(options, name)) continue;
      throw unknownOption(name, table, also, field);
    }
  } catch (error) {
    throw unreadable(error, field);
  }
}

const NONE: Rows = {};

function unknownOption(name: string, table: Rows, also: Rows, field: string): WayzoneError {
  const names = Object.keys(table);
  const nearest = nearestName(name, names) ?? nearestName(name, Object.keys(also));
  const hint = nearest === null ? `; the options are ${names.join(', ')}` : `; did you mean ${nearest}?`;
  return new WayzoneError(
    'option-unknown',
    `${field}.${name}`,
    `expected the name of an option, received ${describe(name)}${hint}`,
  );
}

/** Checks the options and reads the value of each row. `undefined` options are an empty object. Errors: those of `checkOptions` and `readOption`. */
export function readOptions<Table extends { readonly [Name in keyof Table]: OptionRow }>(
  options: unknown,
  table: Table,
  field: string = 'options',
): OptionValues<Table> {
  if (options !== undefined) checkOptions(options, table as unknown as Rows, field);
  return valuesOf(options, table, field);
}

/** The value of an option as it is given. Without a closure, because trackers read some hundred options. */
function optionOf(options: unknown, name: string, field: string): unknown {
  try {
    return (options as Readonly<Record<string, unknown>> | undefined)?.[name];
  } catch (error) {
    throw unreadable(error, `${field}.${name}`);
  }
}

/** The value of an option that is not given. */
function absentOf(row: OptionRow): unknown {
  if ('own' in row) return undefined;
  return 'words' in row ? row.words[0] : row.default;
}

/** The value of each row. Other options are ignored. */
export function valuesOf<Table extends { readonly [Name in keyof Table]: OptionRow }>(
  options: unknown,
  table: Table,
  field: string = 'options',
): OptionValues<Table> {
  const values: Record<string, unknown> = {};
  for (const name in table) {
    const row: OptionRow = table[name];
    const value = optionOf(options, name, field);
    values[name] = value === undefined ? absentOf(row) : readOption(row, value, `${field}.${name}`);
  }
  return values as OptionValues<Table>;
}

/**
 * The value of one option, or its default if it is `undefined`; for a number or flag also if it is `null`. Errors: `option-value`, or the
 * code of the row.
 */
export function readOption<Row extends OptionRow>(row: Row, value: unknown, field: string): ValueOf<Row>;

export function readOption(row: OptionRow, value: unknown, field: string): unknown {
  if ('own' in row) return value;
  if ('words' in row) {
    if (value === undefined) return row.words[0];
    if (row.words.includes(value as string)) return value;
    throw inputError('option-value', field, `one of ${row.words.join(', ')}`, value);
  }
  if (value === undefined || value === null) return row.default;
  if (isFlag(row)) {
    if (typeof value === 'boolean') return value;
    throw inputError('option-value', field, 'true or false', value);
  }
  const { min = 0, max = Number.POSITIVE_INFINITY, code = 'option-value', isWhole = false } = row;
  // `+ 0` turns -0 into 0: a division by -0 would give -Infinity.
  if (!isWhole) return readNumber(value, field, code, min, max) + 0;
  if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max)
    return (value as number) + 0;
  throw inputError(
    code,
    field,
    `a whole number from ${min}${max === Number.POSITIVE_INFINITY ? '' : ` to ${max}`}`,
    value,
  );
}

function isFlag(row: NumberRow | BooleanRow): row is BooleanRow {
  return typeof row.default === 'boolean';
}

/** Options that are in a table and not `undefined`. */
export function pickOptions<Options extends object>(
  options: Options | undefined,
  table: Rows,
): Partial<Options> {
  const picked: Record<string, unknown> = {};
  for (const name in table) {
    const value = optionOf(options, name, 'options');
    if (value !== undefined) picked[name] = value;
  }
  return picked as Partial<Options>;
}

/** The defaults of a table. */
export function defaultsOf<Table extends { readonly [Name in keyof Table]: OptionRow }>(
  table: Table,
): OptionValues<Table> {
  return valuesOf(undefined, table);
}

/** The values with each `…Seconds` as `…Ms`. */
export type InMilliseconds<Values> = {
  readonly [Name in keyof Values as Name extends `${infer Stem}Seconds` ? `${Stem}Ms` : Name]: Values[Name];
};

/** The values of a table's rows, with each `…Seconds` as `…Ms` in milliseconds. Other values are left out. */
export function inMilliseconds<Table extends object>(
  values: OptionValues<Table>,
  table: Table,
): InMilliseconds<OptionValues<Table>> {
  const read = values as Readonly<Record<string, unknown>>;
  const made: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    if (name.endsWith('Seconds'))
      made[`${name.slice(0, -'Seconds'.length)}Ms`] = (read[name] as number) * 1000;
    else made[name] = read[name];
  }
  return made as InMilliseconds<OptionValues<Table>>;
}

/**
 * The name of `names` with the fewest edits from `name` (a letter inserted, removed, replaced, or two neighbours exchanged; upper case
 * counts only between equals). If none is near: the first name that begins with `name`, is a beginning of it, or has the same end. Null if
 * there is none.
 */
export function nearestName(name: string, names: readonly string[]): string | null {
  if (name.length > MAX_LENGTH) return null;
  const lower = name.toLowerCase();
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const known of names) {
    const edits = editsBetween(lower, known.toLowerCase()) + editsBetween(name, known) / 1000;
    if (edits < least) [best, least] = [known, edits];
  }
  if (
    best !== null &&
    least < best.length &&
    Math.floor(least) <= Math.max(MAX_EDITS, Math.floor(best.length / 3))
  )
    return best;
  return names.find((known) => isPart(lower, known.toLowerCase())) ?? null;
}

function isPart(name: string, known: string): boolean {
  const [short, long] = name.length < known.length ? [name, known] : [known, name];
  return short.length >= LEAST_PREFIX && (long.startsWith(short) || long.endsWith(short));
}

/** Optimal string alignment distance. */
function editsBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, before[j - 2]! + 1);
      row.push(edits);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
