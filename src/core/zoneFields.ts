/** The fields of geozones: a row for each, from which the fields of list requests and the columns of CSV follow. */

import type { Geozone } from './wire.js';

/** What a column of CSV holds. `entry`: the key of an entry; `mark`: `true`, or nothing. */
export type ColumnForm = 'text' | 'number' | 'flag' | 'mark' | 'entry';

interface ZoneFieldRow {
  /** The path by which lists are sorted. */
  readonly sort?: string;
  /** Paths of conditions of lists. */
  readonly conditions?: readonly string[];
  /** What its column of CSV holds. Fields without a column are in the column `wayzone` alone. */
  readonly column?: ColumnForm;
}

/** The rows, in the order of the columns of CSV. Fields without a row have no column, and lists are neither sorted nor filtered by them. */
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

/** The paths of all rows by which lists are sorted, or that conditions have. */
export function zonePaths(what: 'sort' | 'conditions'): string[] {
  return Object.values(ZONE_FIELDS).flatMap((row) => row[what] ?? []);
}

/** The fields with a column of CSV, in its order. */
export const ZONE_FIELD_COLUMNS: readonly (keyof Geozone)[] = (
  Object.keys(ZONE_FIELDS) as (keyof Geozone)[]
).filter((field) => ZONE_FIELDS[field]?.column !== undefined);
