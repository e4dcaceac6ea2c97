/** Validates the definition of a custom field. */

import type { CustomFieldDefinition } from '../core/customField.js';
import { expected, isArray } from '../core/errors.js';
import { CustomFieldDefinitionSchema } from './customField.js';
import { CUSTOM_FIELDS } from './customFields.js';
import type { FieldErrors } from './fieldErrors.js';
import type { ObjectCheck } from './reader.js';
import type { ValidateOptions, ValidationContext } from './validateOptions.js';
import { validatorOf } from './validatorOf.js';

/** Longest pattern, characters. */
const MAX_PATTERN = 1000;

const checkDefinition: ObjectCheck<ValidationContext> = (copy, _path, errors) => {
  checkPattern(copy['pattern'], errors);
  checkValues(copy, errors);
  checkFixed(copy, errors);
};

const read = validatorOf('custom field definition', CustomFieldDefinitionSchema, {
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
  return read(input, options);
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
