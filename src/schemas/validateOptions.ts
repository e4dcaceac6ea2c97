/** Makes a validator from a schema and further checks, and reads its options. */

import {
  DICTIONARY_NAMES,
  DICTIONARY_OPTIONS,
  type Dictionaries,
  type Dictionary,
  type DictionaryOptions,
  filledEntry,
  OWN_DICTIONARIES,
} from '../core/dictionaries.js';
import { ENTRY_FIELDS, type EntryKind } from '../core/entryFields.js';
import { inputError, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { checkOptions, type OptionTable } from '../core/options.js';
import type { ZoneOptions } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { FieldErrors } from './fieldErrors.js';
import { type Hooks, type ObjectCheck, readerOf } from './reader.js';
import type { WireSchema } from './wireSchema.js';

/** Options of the validators: how to read positions and widths, and the dictionaries that fill in entries. */
export interface ValidateOptions extends ZoneOptions, DictionaryOptions {}

export const VALIDATE_OPTIONS: OptionTable<ValidateOptions, 'defaultWidthMeters'> = {
  ...ZONE_OPTIONS,
  ...DICTIONARY_OPTIONS,
};

/**
 * The result type of a validator. If the input is a stored row, it is the type of the input. If the input has an id (or is `any`), it is a
 * stored row. Otherwise it is a row with an optional id.
 */
export type Validated<Input, Stored, Sent> = 0 extends 1 & Input
  ? Stored
  : Input extends Stored
    ? Input
    : Input extends { readonly id: string }
      ? Stored
      : Sent;

/** Settings of one validation for its readers and checks. */
export interface ValidationContext {
  readonly zones: ZoneOptions;
  readonly language: string | undefined;
  readonly dictionaries: Dictionaries;
}

/** Reads the options; `table` has their names. The library's dictionaries are the defaults. */
export function readContext(
  options: ValidateOptions,
  table: Parameters<typeof checkOptions>[1],
): ValidationContext {
  checkOptions(options, table);
  return guarded('options', () => {
    const { language, dictionaries, ...zones } = options;
    if (language !== undefined && typeof language !== 'string') {
      throw inputError('option-value', 'options.language', 'a language as a text', language);
    }
    return {
      zones,
      language,
      dictionaries: dictionaries === undefined ? OWN_DICTIONARIES : readDictionaries(dictionaries),
    };
  });
}

function readDictionaries(
  given: NonNullable<DictionaryOptions['dictionaries']>,
): ValidationContext['dictionaries'] {
  checkOptions(given, DICTIONARY_NAMES, 'options.dictionaries');
  for (const [name, dictionary] of Object.entries(given) as [string, Dictionary | undefined][]) {
    if (dictionary !== undefined && !isArray(dictionary?.entries?.en)) {
      const field = `options.dictionaries.${name}`;
      throw inputError('option-type', field, 'a dictionary', dictionary);
    }
  }
  const names = Object.keys(OWN_DICTIONARIES) as (keyof Dictionaries)[];
  return Object.fromEntries(
    names.map((name) => [name, given[name] ?? OWN_DICTIONARIES[name]]),
  ) as unknown as Dictionaries;
}

/** Checks that set `type` and `value` of each entry of a kind of rows from its dictionary, which may have fewer keys than the schema. */
export function entryChecks(kind: EntryKind): Readonly<Record<string, ObjectCheck<ValidationContext>>> {
  return Object.fromEntries(
    Object.entries(ENTRY_FIELDS[kind]).map(([path, name]) => [path, fillEntry(name)]),
  );
}

function fillEntry(name: keyof Dictionaries): ObjectCheck<ValidationContext> {
  return (copy, path, errors, context) => {
    const { key } = copy;
    if (typeof key !== 'string' || errors.list.some(({ field }) => field === `${path}.key`)) return;
    const dictionary = context.dictionaries[name] as Dictionary;
    try {
      Object.assign(copy, filledEntry({ key }, dictionary, context.language));
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      errors.add(`${path}.key`, error.code, error.message);
    }
  };
}

/** A function that returns the typed copy of an input, or throws a `WayzoneError` with every field error. */
export function validatorOf<Shape>(
  what: string,
  schema: WireSchema<Shape>,
  hooks: Hooks<ValidationContext> = {},
): (input: unknown, options: ValidateOptions) => Shape {
  const read = readerOf(schema, hooks);
  return (input, options) => {
    const context = readContext(options, VALIDATE_OPTIONS);
    const errors = new FieldErrors();
    const copy = read(input, '', errors, context);
    errors.throwIfAny(what);
    return copy as Shape;
  };
}
