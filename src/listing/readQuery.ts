/** Reads a list request, and reports all field errors at once in the platform's form. */

import type { FilterCondition, FilterQuery } from '../core/answers.js';
import type { FieldReason } from '../core/errorCode.js';
import { describe, expected, type FieldError, inputError, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { readReferences } from './readIds.js';

/** The fields of one kind of row by which it can be sorted and filtered. */
export interface FilterFields {
  readonly sort: readonly string[];
  readonly conditions: readonly string[];
}

/** A list request with defaults filled in. */
export interface ReadQuery {
  readonly from: number;
  readonly count: number;
  readonly sortField: string | null;
  readonly descending: boolean;
  readonly conditions: readonly ReadCondition[];
}

export interface ReadCondition {
  readonly field: string;
  /** Value of a condition on `is_delete`: `deleted`, `live` or `all`. */
  readonly value: string;
  /** Ids of a condition on `companies`. A row matches if it belongs to one of them. */
  readonly ids?: readonly string[];
}

const MAX_CONDITIONS = 100;

/**
 * The request, or a `validation` error with every field error: `type`, `number-range`, `field-unknown`, `condition-value`,
 * `limit-conditions`.
 */
export function readQuery(query: unknown, fields: FilterFields): ReadQuery {
  const errors: FieldError[] = [];
  const fail = (reason: FieldReason, field: string, message: string): void => {
    errors.push({ code: 4221, field, message, reason });
  };
  if (query !== undefined && (typeof query !== 'object' || query === null || isArray(query))) {
    throw inputError('option-type', 'query', 'an object', query);
  }
  const given = guarded('query', () => ({ ...(query as FilterQuery | undefined) }));
  const whole = (field: 'from' | 'count', fallback: number): number => {
    const value: unknown = given[field] ?? fallback;
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    if (number === fallback || (Number.isSafeInteger(number) && (number as number) >= 0))
      return number as number;
    fail('number-range', field, expected('a whole number of at least 0', value));
    return fallback;
  };
  const read = {
    from: whole('from', 0),
    count: whole('count', Infinity),
    sortField: given.sortField ?? null,
    descending: given.sortDesc === true || given.sortDesc === 'true',
  };
  if (read.sortField !== null && !fields.sort.includes(read.sortField)) {
    fail('field-unknown', 'sortField', expected(`one of ${fields.sort.join(', ')}`, read.sortField));
  }
  if (![undefined, null, true, false, 'true', 'false'].includes(given.sortDesc)) {
    fail('type', 'sortDesc', expected('true or false', given.sortDesc));
  }
  const conditions = readConditions(given.conditions, fields, fail);
  const [first] = errors;
  if (first !== undefined) {
    const message = `expected a list request, received ${errors.length} wrong ${errors.length === 1 ? 'field' : 'fields'}; ${first.message}`;
    throw new WayzoneError('validation', first.field, message, { errors });
  }
  return { ...read, conditions };
}

function readConditions(
  given: unknown,
  fields: FilterFields,
  fail: (reason: FieldReason, field: string, message: string) => void,
): ReadCondition[] {
  if (given === undefined || given === null) return [];
  if (!isArray(given)) {
    fail('type', 'conditions', expected('an array', given));
    return [];
  }
  const length = guarded('conditions', () => given.length);
  if (length > MAX_CONDITIONS) {
    fail('limit-conditions', 'conditions', expected(`at most ${MAX_CONDITIONS} conditions`, length));
    return [];
  }
  return guarded('conditions', () => Array.from(given)).flatMap((condition, i) => {
    const path = `conditions[${i}]`;
    if (typeof condition !== 'object' || condition === null) {
      fail('type', path, expected('an object with field and value', condition));
      return [];
    }
    const { field, value } = guarded(path, () => ({ ...(condition as FilterCondition) }));
    if (typeof field !== 'string' || !fields.conditions.includes(field)) {
      fail('field-unknown', `${path}.field`, expected(`one of ${fields.conditions.join(', ')}`, field));
      return [];
    }
    if (isCompanies(field)) {
      const ids = companyIds(value);
      if (ids !== null) return [{ field, value: '', ids }];
      const what = 'the id of a company, an object with one, or a list of these';
      fail('condition-value', `${path}.value`, expected(what, value));
      return [];
    }
    const text = field === 'is_delete' ? markOf(value) : typeof value === 'string' ? value : null;
    if (text === null) {
      const what = field === 'is_delete' ? "true, false or 'all'" : 'a text';
      fail('condition-value', `${path}.value`, `expected ${what}, received ${describe(value)}`);
      return [];
    }
    return [{ field, value: text }];
  });
}

/** The ids of a condition on companies. Null if the value has no valid id. */
function companyIds(value: unknown): readonly string[] | null {
  try {
    const ids = readReferences(typeof value === 'object' && !isArray(value) ? [value] : value, 'value');
    return ids.length > 0 ? ids : null;
  } catch (error) {
    if (!(error instanceof WayzoneError) || error.code !== 'id-type') throw error;
    return null;
  }
}

/** Whether a condition's field is `companies`, in one of its two forms. */
export function isCompanies(field: string): boolean {
  return field === 'companies' || field === 'companies.id';
}

function markOf(value: unknown): 'deleted' | 'live' | 'all' | null {
  if (value === true || value === 1 || value === 'true' || value === '1') return 'deleted';
  if (value === false || value === 0 || value === 'false' || value === '0') return 'live';
  return value === 'all' ? 'all' : null;
}
