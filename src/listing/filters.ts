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
