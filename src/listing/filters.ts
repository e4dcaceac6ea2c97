/** The endpoints' lists: geozones, routes and trips, filtered, sorted and paged. */

import type { FilterAnswer, FilterQuery } from '../core/answers.js';
import { type FilterOptions, filterRows } from './filterRows.js';
import type { FilterFields } from './readQuery.js';

const GEOZONES: FilterFields = {
  sort: ['name', 'created', 'is_delete', 'icon.key', 'color.key', 'type.key'],
  conditions: [
    'name',
    'icon.key',
    'icon.type',
    'color.key',
    'color.type',
    'type.key',
    'type.type',
    'companies',
    'companies.id',
    'is_delete',
  ],
};

const ROUTES: FilterFields = {
  sort: ['name', 'created', 'is_delete'],
  conditions: ['name', 'company_id', 'is_delete'],
};

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
 * The geozones that match a list request: `max` counts all matches, `list` is the page, with the rows themselves.
 *
 * - All conditions must hold. `name` is a part of the name, taken literally, whatever its case in any script; a colour is compared
 *   without case, other fields exactly. An entry stored by its key alone has the type of its dictionary. `companies` (or
 *   `companies.id`) is the id of a company, `{id}` or a list of these: rows that belong to any of them; a row without companies to none.
 * - `is_delete`: true gives only deleted rows, false only live ones, `'all'` both; without it only live ones.
 * - Sorted by the alphabet of `language`, `created` by time: `yyyy-MM-dd HH:mm:ss` on the clocks of `timeZone` (UTC), or ISO 8601 with a
 *   zone; texts that are not times come after the times. The sort is stable, and rows without the field come last, both in
 *   either direction.
 *
 * Errors: `validation` with every wrong field (reasons `field-unknown`, `number-range`, `condition-value`, `type`,
 * `limit-conditions`); `list-type`, `row-type` (`list[2]`), `option-type`, `option-value`, `input-unreadable`.
 * Cost O(n log n), about one comparison of the collator a row.
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
 * The routes that match a list request; as `filterGeozones`, by `name`, `company_id` and `is_delete`, sorted by `name`, `is_delete` or
 * `created`.
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
 * The trips that match a list request; as `filterRoutes`, and by `unit.id`, `user_id`, `activation_type.key`, `passage_order_type.key`.
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
