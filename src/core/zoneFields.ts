/**
 * Fields of geozones: one row for each, from which the fields of list requests and the columns of CSV follow; and the options that go with
 * every shape.
 */

import { type OptionTable, OWN } from './options.js';
import type { Geozone, ZoneOptions } from './wire.js';

/** Form of the values in a column of CSV. `entry`: the key of an entry; `mark`: `true`, or nothing. */
export type ColumnForm = 'text' | 'number' | 'flag' | 'mark' | 'entry';

interface ZoneFieldRow {
  /** Path by which lists are sorted. */
  readonly sort?: string;
  /** Paths for conditions of list requests. */
  readonly conditions?: readonly string[];
  /** Form of the field's column of CSV. A field without it is only in the column `wayzone`. */
  readonly column?: ColumnForm;
}

/** The rows, in the order of the columns of CSV. A field without a row has no column, and lists are not sorted or filtered by it. */
export const ZONE_FIELDS: Readonly<Partial<Record<keyof Geozone, ZoneFieldRow>>> = {
  id: { column: 'text' },
  name: { sort: 'name', conditions: ['name'], column: 'text' },
  type: { sort: 'type.key', conditions: ['type.key', 'type.type'], column: 'entry' },
  width: { column: 'number' },
  color: { sort: 'color.key', conditions: ['color.key', 'color.type'], column: 'entry' },
  icon: { sort: 'icon.key', conditions: ['icon.key', 'icon.type'], column: 'entry' },
  is_show_on_map: { column: 'flag' },
  is_delete: { sort: 'is_delete', conditions: ['is_delete'], column: 'mark' },
  companies: { conditions: ['companies', 'companies.id'] },
  created: { sort: 'created' },
};

/** The paths of all rows for sorting lists, or for conditions. */
export function zonePaths(what: 'sort' | 'conditions'): string[] {
  return Object.values(ZONE_FIELDS).flatMap((row) => row[what] ?? []);
}

/** The fields with a column of CSV, in its order. */
export const ZONE_FIELD_COLUMNS: readonly (keyof Geozone)[] = (
  Object.keys(ZONE_FIELDS) as (keyof Geozone)[]
).filter((field) => ZONE_FIELDS[field]?.column !== undefined);
export const ZONE_OPTIONS: OptionTable<ZoneOptions, 'defaultWidthMeters'> = {
  axisOrder: { words: ['lonlat', 'latlon'] },
  lineWidth: { words: ['total', 'each-side'] },
  defaultWidthMeters: OWN,
  boundary: { words: ['closed', 'half-open'] },
};
