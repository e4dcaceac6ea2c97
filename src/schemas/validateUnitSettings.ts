/** Validates the custom fields of a unit by the table of definitions, and a definition itself. */

import { expected, isArray } from '../core/errors.js';
import { type OptionTable, readOptions } from '../core/options.js';
import type { CustomFieldDefinition, CustomFieldValue } from '../core/trackSettings.js';
import { CUSTOM_FIELDS, CustomFieldDefinitionSchema, CustomFieldInputs } from './customFields.js';
import { FieldErrors } from './fieldErrors.js';
import { type ObjectCheck, readerOf } from './reader.js';
import { type ValidateOptions, type ValidationContext, validatorOf } from './validateOptions.js';
import type { ShapeOf } from './wireSchema.js';

/** Longest pattern, characters. */
const MAX_PATTERN = 1000;

/** Options of `validateUnitSettings`. */
export interface UnitSettingsOptions {
  /** Whether to add the required fields that are missing, with their defaults. Default false. */
  readonly fillMissing?: boolean | undefined;
}

const OPTIONS: OptionTable<UnitSettingsOptions> = { fillMissing: { default: false } };

type Sent = ShapeOf<typeof CustomFieldInputs>[number];

const read = readerOf(CustomFieldInputs);

/**
 * Returns the custom fields of a unit as a list of `{name, key, value, group}`. Throws `validation` with every field error. Rules and reasons:
 * as `validateGeozone`.
 *
 * The input is an object of values by key, or the platform's list. A field of the platform gets its name and group from `listCustomFields` and
 * must match its pattern (else `field-pattern`). Numbers may be numbers or texts. Any other key belongs to the company. Its value is any text or
 * number, its default name is the key, and its default group is `cf_custom`. A repeated key is `duplicate-id`.
 *
 * The list keeps the order of the input. With `fillMissing`, missing required fields follow with their defaults.
 *
 * @example
 * import { validateUnitSettings } from 'wayzone/schemas';
 * validateUnitSettings({ tripdetector_minparktime: 600 })[0]?.group; // 'cf_trips'
 */
export function validateUnitSettings(input: unknown, options: UnitSettingsOptions = {}): CustomFieldValue[] {
  const { fillMissing } = readOptions(options, OPTIONS);
  const errors = new FieldErrors();
  const isList = isArray(input);
  const list = read(isList ? input : listOf(input, errors), '', errors, undefined) as
    | readonly Sent[]
    | undefined;
  const seen = new Set<string>();
  const found: CustomFieldValue[] = [];
  for (const [i, item] of (list ?? []).entries()) {
    const { key, value, name, group } = Object(item) as Sent;
    if (typeof key !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) continue;
    const path = isList ? `[${i}]` : key;
    const row = CUSTOM_FIELDS.get(key);
    if (seen.has(key)) errors.add(`${path}.key`, 'duplicate-id', expected('a key that occurs once', key));
    seen.add(key);
    if (row !== undefined && !new RegExp(row.form.pattern).test(String(value)))
      errors.add(isList ? `${path}.value` : path, 'field-pattern', expected(row.form.what, value));
    found.push({
      name: row?.en ?? name ?? key,
      key,
      value: Object.is(value, -0) ? 0 : value,
      group: row?.group ?? group ?? 'cf_custom',
    });
  }
  errors.throwIfAny('list of custom fields');
  if (fillMissing)
    for (const { key, missing, en, group } of CUSTOM_FIELDS.values())
      if (missing !== null && !seen.has(key)) found.push({ name: en, key, value: missing, group });
  return found;
}

/** An object of values by key as a list. */
function listOf(input: unknown, errors: FieldErrors): unknown {
  if (typeof input !== 'object' || input === null) {
    errors.add('', 'type', expected('an object or a list', input));
    return [];
  }
  let entries: readonly (readonly [string, unknown])[];
  try {
    entries = Object.entries(input);
  } catch {
    errors.add('', 'input-unreadable', 'expected a readable object, received one that throws when read');
    return [];
  }
  return entries.flatMap(([key, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)))
      return [{ key, value }];
    errors.add(key, 'type', expected('a text or a finite number', value));
    return [];
  });
}

const checkDefinition: ObjectCheck<ValidationContext> = (copy, _path, errors) => {
  checkPattern(copy['pattern'], errors);
  checkValues(copy, errors);
  checkFixed(copy, errors);
};

const readDefinition = validatorOf('custom field definition', CustomFieldDefinitionSchema, {
  checks: { '': checkDefinition },
});

/**
 * Returns the definition of a custom field as a typed copy. Throws `validation` with every field error. Rules and reasons: as `validateGeozone`.
 *
 * A field of type `list` needs `values` with unique keys, and its default is one of them. `pattern` must compile as a regular expression of at
 * most 1,000 characters, but it is not run. For a field of the platform, name (in either language), type, group and pattern must equal
 * `listCustomFields`, and the default must match the pattern (else `field-pattern`).
 *
 * @example
 * import { validateCustomFieldDefinition } from 'wayzone/schemas';
 * validateCustomFieldDefinition({ name: 'Depot', key: 'depot', type: 'text', group: 'cf_custom' }).key; // 'depot'
 */
export function validateCustomFieldDefinition(
  input: unknown,
  options: ValidateOptions = {},
): CustomFieldDefinition {
  return readDefinition(input, options);
}

function checkPattern(pattern: unknown, errors: FieldErrors): void {
  if (typeof pattern !== 'string') return;
  if (pattern.length > MAX_PATTERN) {
    errors.add('pattern', 'pattern-invalid', expected(`at most ${MAX_PATTERN} characters`, pattern.length));
    return;
  }
  try {
    new RegExp(pattern);
  } catch {
    errors.add('pattern', 'pattern-invalid', expected('a regular expression', pattern));
  }
}

function checkValues(copy: Readonly<Record<string, unknown>>, errors: FieldErrors): void {
  const { type, values, default_value: missing } = copy;
  if (type !== 'list') return;
  if (values === undefined) {
    errors.add('values', 'required', expected('the entries of the list', undefined));
    return;
  }
  if (!isArray(values)) return;
  const keys = values.map((entry) => (Object(entry) as { readonly key?: unknown }).key);
  for (const [i, key] of keys.entries())
    if (typeof key === 'string' && keys.indexOf(key) < i)
      errors.add(`values[${i}].key`, 'duplicate-id', expected('a key that occurs once', key));
  if (missing !== undefined && !keys.includes(missing))
    errors.add('default_value', 'dictionary-key', expected(`one of ${keys.join(', ')}`, missing));
}

/** Compares a field of the platform with the table. */
function checkFixed(copy: Readonly<Record<string, unknown>>, errors: FieldErrors): void {
  const { key, name, type, group, pattern, values, default_value: missing } = copy;
  const row = typeof key === 'string' ? CUSTOM_FIELDS.get(key) : undefined;
  if (row === undefined) return;
  const { form } = row;
  const fixedType = form.values === undefined ? 'text' : 'list';
  const fixed: readonly (readonly [field: string, sent: unknown, allowed: readonly string[]])[] = [
    ['name', name, [row.en, row.ru]],
    ['type', type, [fixedType]],
    ['group', group, [row.group]],
  ];
  for (const [field, sent, allowed] of fixed)
    if (typeof sent === 'string' && sent !== '' && !allowed.includes(sent))
      errors.add(field, 'dictionary-key', expected(`${allowed.join(' or ')} for ${row.key}`, sent));
  if (typeof pattern === 'string' && pattern !== form.pattern)
    errors.add('pattern', 'pattern-invalid', expected(`${form.pattern} for ${row.key}`, pattern));
  if (isArray(values) && form.values !== undefined) {
    const own = form.values.map(([allowed]) => allowed);
    const sent = values.map((entry) => String((Object(entry) as { readonly key?: unknown }).key));
    if (sent.toSorted().join() !== own.toSorted().join())
      errors.add('values', 'dictionary-key', expected(`${own.join(', ')} for ${row.key}`, sent.join(', ')));
  }
  if (
    (typeof missing === 'string' || typeof missing === 'number') &&
    !new RegExp(form.pattern).test(String(missing))
  )
    errors.add('default_value', 'field-pattern', expected(form.what, missing));
}
