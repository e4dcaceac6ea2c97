/** Filters, sorts and pages lists of geozones, routes and trips, as the endpoints do. */

import type { FilterAnswer, FilterQuery } from '../core/answers.js';
import { OWN_DICTIONARIES } from '../core/dictionaries.js';
import { ENTRY_FIELDS } from '../core/entryFields.js';
import { inputError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { type LocalClock, makeClock, readWallTime } from '../core/localClock.js';
import { type OptionTable, OWN } from '../core/options.js';
import { isDeleted } from '../core/wire.js';
import { zonePaths } from '../core/zoneFields.js';
import { readItems, referencesOf } from './readIds.js';
import { type FilterFields, isCompanies, type ReadCondition, readQuery } from './readQuery.js';
import { collatorOf, LANGUAGE_OPTIONS, type LanguageOptions, sortTexts } from './sortTexts.js';

/** A date and time with a time zone (ISO 8601). */
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;
/** `type` of every entry at a path, which replaces the row's own. */
const ENTRY_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(ENTRY_FIELDS.geozone).map(([path, name]) => [`${path}.type`, OWN_DICTIONARIES[name].type]),
);
const GEOZONES: FilterFields = { sort: zonePaths('sort'), conditions: zonePaths('conditions') };
const ROUTES: FilterFields = {
  sort: ['name', 'created', 'is_delete'],
  conditions: ['name', 'company_id', 'is_delete'],
};

/** Language and time zone for sorting a list. */
export interface FilterOptions extends LanguageOptions {
  /** Time zone of times without a zone (`created`), an IANA name. Default `UTC`. */
  readonly timeZone?: string | undefined;
}

const OPTIONS: OptionTable<FilterOptions> = { ...LANGUAGE_OPTIONS, timeZone: OWN };

export function filterRows<Row extends object>(
  list: readonly Row[],
  query: FilterQuery | undefined,
  options: FilterOptions,
  fields: FilterFields,
): FilterAnswer<Row> {
  const collator = collatorOf(options, OPTIONS);
  const timeZone: unknown = guarded('options.timeZone', () => options.timeZone);
  const clock = timeZone === undefined ? null : makeClock(timeZone);
  const { from, count, sortField, descending, conditions } = readQuery(query, fields);
  const tests = conditions.map(test);
  // A list sorted by `is_delete` has both deleted and live rows.
  if (sortField !== 'is_delete' && !conditions.some(({ field }) => field === 'is_delete'))
    tests.unshift(test({ field: 'is_delete', value: 'live' }));
  const rows = readItems(list, 'list');
  const found = guarded('list', () =>
    rows.filter((row, i) => isRow(row, i) && tests.every((matches) => matches(row))),
  );
  const sorted =
    sortField === null ? found : guarded('list', () => sortBy(found, sortField, descending, collator, clock));
  return { max: found.length, list: sorted.slice(from, from + count) };
}

function isRow(row: unknown, i: number): boolean {
  if (typeof row === 'object' && row !== null) return true;
  throw inputError('row-type', `list[${i}]`, 'an object', row);
}

function test({ field, value, ids }: ReadCondition): (row: object) => boolean {
  if (isCompanies(field)) return (row) => referencesOf(row, 'companies').some((id) => ids?.includes(id));
  if (field === 'is_delete') return (row) => value === 'all' || isDeleted(row) === (value === 'deleted');
  const textAt = reader(field);
  if (field === 'name') {
    const part = folded(value);
    return (row) => {
      const name = textAt(row);
      return name !== null && folded(name).includes(part);
    };
  }
  if (field === 'color.key') return (row) => textAt(row)?.toLowerCase() === value.toLowerCase();
  return (row) => textAt(row) === value;
}

/** Reads the text of a field; null if it is absent. */
function reader(path: string): (row: object) => string | null {
  const [key, child] = path.split('.') as [string, string?];
  const own = (from: object, name: string): unknown =>
    Object.hasOwn(from, name) ? (from as Record<string, unknown>)[name] : undefined;
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  if (child === undefined) return (row) => textOf(own(row, key));
  const type = ENTRY_TYPES.get(path);
  return (row) => {
    const entry = own(row, key);
    if (typeof entry !== 'object' || entry === null) return null;
    return type ?? textOf(own(entry, child));
  };
}

/** Removes differences of case and of Unicode normalisation: full case folding through upper case, after NFC. */
function folded(text: string): string {
  // Other texts have only Latin, Greek and Cyrillic letters without combining marks, which are already in NFC.
  const composed = /[\u0300-\u036f\u0530-\uffff]/.test(text) ? text.normalize('NFC') : text;
  return composed.toUpperCase().toLowerCase();
}

/** Sorts rows by a field. Rows without it come last in both directions. Stable. */
function sortBy<Row extends object>(
  rows: readonly Row[],
  field: string,
  descending: boolean,
  collator: Intl.Collator,
  clock: LocalClock | null,
): Row[] {
  const textAt = field === 'is_delete' ? (row: Row) => (isDeleted(row) ? '1' : '0') : reader(field);
  const texts: string[] = [];
  const withText: Row[] = [];
  const without: Row[] = [];
  for (const row of rows) {
    const text = textAt(row);
    if (text === null) without.push(row);
    else {
      texts.push(text);
      withText.push(row);
    }
  }
  const places =
    field === 'created' ? createdOrder(texts, descending, clock) : textOrder(texts, descending, collator);
  const sorted = places.map((place) => withText[place]!);
  for (const row of without) sorted.push(row);
  return sorted;
}

function textOrder(texts: readonly string[], descending: boolean, collator: Intl.Collator): number[] {
  const order = sortTexts(texts, collator);
  return descending ? reversed(order, (a, b) => collator.compare(texts[a]!, texts[b]!) === 0) : order;
}

/** Reverses the order, except among equal items. */
function reversed(order: readonly number[], same: (a: number, b: number) => boolean): number[] {
  const turned: number[] = [];
  for (let end = order.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && same(order[start - 1]!, order[start]!)) start--;
    for (let i = start; i < end; i++) turned.push(order[i]!);
    end = start;
  }
  return turned;
}

/**
 * Indices that sort the texts by time: platform times on the clock of `clock` (null: UTC), or ISO 8601 with a time zone.
 *
 * Texts that are not times come after all times, by UTF-16 units. The sort is stable in both directions.
 */
function createdOrder(texts: readonly string[], descending: boolean, clock: LocalClock | null): number[] {
  const times = texts.map((text) => timeOf(text, clock));
  const sign = descending ? -1 : 1;
  const compare = (a: number, b: number): number => {
    const [first, second] = [times[a]!, times[b]!];
    const isTime = !Number.isNaN(first);
    if (isTime !== !Number.isNaN(second)) return isTime ? -1 : 1;
    if (isTime) return sign * (first - second);
    return texts[a]! < texts[b]! ? -sign : texts[a]! > texts[b]! ? sign : 0;
  };
  return texts.map((_, i) => i).sort((a, b) => compare(a, b) || a - b);
}

function timeOf(text: string, clock: LocalClock | null): number {
  const wallTime = readWallTime(text) ?? readWallTime(text.replace('T', ' ').replace(/\.\d+$/, ''));
  if (wallTime !== null) return clock === null ? wallTime : clock.epochOf(wallTime);
  return ZONED.test(text)
    ? Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
    : Number.NaN;
}

const TRIPS: FilterFields = {
  sort: ['name', 'created', 'is_delete'],
  conditions: [
    'name',
    'company_id',
    'unit.id',
    'user_id',
    'activation_type.key',
    'passage_order_type.key',
    'is_delete',
  ],
};

/**
 * The geozones that match a list request. `max` counts all matches; `list` is the page, with the rows themselves. A row matches if all conditions
 * hold. Rules of comparing and sorting: docs/rules/lists.md.
 *
 * Deleted rows match only with the condition `is_delete` `true` or `'all'`, or in a list sorted by `is_delete`. The sort is stable in both
 * directions.
 *
 * Errors: `validation` with every wrong field (reasons `field-unknown`, `number-range`, `condition-value`, `type`, `limit-conditions`); `list-type`,
 * `row-type` (`list[2]`), `option-type`, `option-value`, `input-unreadable`.
 * Cost: O(n log n), with about one comparison by the collator per row.
 *
 * @example
 * import { filterGeozones } from 'wayzone/listing';
 * filterGeozones([{ name: 'Склад' }, { name: 'База' }], { conditions: [{ field: 'name', value: 'БАЗ' }] }); // { max: 1, list: [{ name: 'База' }] }
 */
export function filterGeozones<Row extends object>(
  list: readonly Row[],
  query?: FilterQuery,
  options: FilterOptions = {},
): FilterAnswer<Row> {
  return filterRows(list, query, options, GEOZONES);
}

/**
 * The routes that match a list request, by the rules of `filterGeozones`. Conditions: `name`, `company_id`, `is_delete`. Sort fields: `name`,
 * `is_delete`, `created`.
 *
 * @example
 * import { filterRoutes } from 'wayzone/listing';
 * filterRoutes([{ name: 'B' }, { name: 'a' }], { sortField: 'name', count: 1 }); // { max: 2, list: [{ name: 'a' }] }
 */
export function filterRoutes<Row extends object>(
  list: readonly Row[],
  query?: FilterQuery,
  options: FilterOptions = {},
): FilterAnswer<Row> {
  return filterRows(list, query, options, ROUTES);
}

/**
 * The trips that match a list request, by the rules of `filterRoutes`. Further conditions: `unit.id`, `user_id`, `activation_type.key`,
 * `passage_order_type.key`.
 *
 * @example
 * import { filterTrips } from 'wayzone/listing';
 * filterTrips([{ name: 'A', unit: { id: 'u' } }], { conditions: [{ field: 'unit.id', value: 'u' }], count: 0 }); // { max: 1, list: [] }
 */
export function filterTrips<Row extends object>(
  list: readonly Row[],
  query?: FilterQuery,
  options: FilterOptions = {},
): FilterAnswer<Row> {
  return filterRows(list, query, options, TRIPS);
}
