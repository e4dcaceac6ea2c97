/** Validates the custom fields of a unit by the table of definitions. */

import type { CustomFieldValue } from '../core/customField.js';
import { expected, isArray } from '../core/errors.js';
import { type OptionTable, readOptions } from '../core/options.js';
import { CustomFieldInputs } from './customField.js';
import { CUSTOM_FIELDS } from './customFields.js';
import { FieldErrors } from './fieldErrors.js';
import { readerOf } from './reader.js';
import type { ShapeOf } from './wireSchema.js';

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
