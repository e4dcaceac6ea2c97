/** Filters, sorts and pages lists of geozones, routes and trips, as the endpoints do. */

import type { FilterAnswer, FilterQuery } from '../core/answers.js';
import { zonePaths } from '../core/zoneFields.js';
import { type FilterOptions, filterRows } from './filterRows.js';
import type { FilterFields } from './readQuery.js';

const GEOZONES: FilterFields = { sort: zonePaths('sort'), conditions: zonePaths('conditions') };

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
 * - A row matches if all conditions hold. `name` matches a part of the name, literally and without case in any script. A colour is compared
 *   without case, other fields exactly. The `type` of an entry is that of its dictionary; the row's own is ignored. `companies` (or
 *   `companies.id`) is the id of a company, `{id}`, or a list of these, and matches rows of any of them. A row without companies matches
 *   none.
 * - `is_delete`: `true` matches deleted rows, `false` live rows, `'all'` both. Default: live rows, but both in a list sorted by
 *   `is_delete`.
 * - Texts are sorted by the alphabet of `language`. `created` is sorted by time: `yyyy-MM-dd HH:mm:ss` on the clocks of `timeZone` (UTC),
 *   or ISO 8601 with a time zone. Texts that are not times come after the times. In both directions the sort is stable and rows without the
 *   field come last.
 *
 * Errors: `validation` with every wrong field (reasons `field-unknown`, `number-range`, `condition-value`, `type`, `limit-conditions`);
 * `list-type`, `row-type` (`list[2]`), `option-type`, `option-value`, `input-unreadable`. Cost: O(n log n), with about one comparison by
 * the collator per row.
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
