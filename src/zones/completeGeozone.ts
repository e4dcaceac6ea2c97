/** Completes a geozone with the computed fields of the platform's API. */

import {
  COLORS,
  DICTIONARY_NAMES,
  DICTIONARY_OPTIONS,
  type Dictionary,
  type DictionaryOptions,
  type FullEntry,
  filledEntry,
  GEOZONE_TYPES,
  ICONS,
} from '../core/dictionaries.js';
import { expected, inputError, isArray, WayzoneError } from '../core/errors.js';
import type { Issue } from '../core/fix.js';
import { guarded } from '../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import type { DictionaryEntry, Geozone, GeozoneInput, ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import type { ZoneTypeKey } from '../core/zoneTypes.js';
import { lineToPolygon } from './corridor/corridor.js';
import { measureShape, measureZone } from './measureZone.js';
import { readShape, refuseWithoutExtent } from './readShape.js';

export interface CompleteOptions extends ZoneOptions, DictionaryOptions {
  /**
   * Called for every given value that differs from the computed value. The result always has the computed value. Default: differences are not
   * reported.
   */
  readonly onIssue?: ((issue: Issue) => void) | undefined;
  /**
   * The stored row that an update replaces. A client that edits a row also sends the former `area`, `perimeter` and `polygon_geometry`. Values
   * that equal the stored values are not reported. Default: none.
   */
  readonly stored?: Geozone | GeozoneInput | null | undefined;
}

const OPTIONS: OptionTable<CompleteOptions, 'defaultWidthMeters'> = {
  ...ZONE_OPTIONS,
  ...DICTIONARY_OPTIONS,
  onIssue: OWN,
  stored: OWN,
};

/** A geozone whose computed fields are present. A line also has `polygon_geometry`. */
export type CompletedGeozone<Input extends GeozoneInput = Geozone> = Omit<
  Input,
  'type' | 'color' | 'icon' | 'area' | 'perimeter'
> & {
  /** The type with its dictionary's name (`type`) and display name (`value`). */
  readonly type: FullEntry<ZoneTypeKey>;
  /** The colour with `type` and `value`; absent if the input has no colour. */
  readonly color?: FullEntry;
  /** The icon with `type` and `value`; absent if the input has no icon. */
  readonly icon?: FullEntry;
  /** Area on the ellipsoid, square metres. */
  readonly area: number;
  /** Length of the edges on the ellipsoid, metres. */
  readonly perimeter: number;
};

/** Largest difference of a given area or perimeter, relative to the computed one, that is not reported. */
const TOLERATED_SHARE = 0.01;

/** Fields that are left out if empty. Unknown fields are always kept. */
const OPTIONAL: ReadonlySet<string> = new Set([
  'width',
  'parts',
  'polygon_geometry',
  'color',
  'icon',
  'area',
  'perimeter',
  'is_show_on_map',
  'companies',
  'is_delete',
  'created',
]);

/**
 * The geozone with computed `area` and `perimeter`, and for a line with `polygon_geometry`. The dictionary entries get `type` and `value` by
 * their keys. Rules: docs/rules/zones.md.
 *
 * The input is checked only for its shape; use `validateGeozone` for the rest. `onIssue` receives a warning for each given value that differs
 * from the computed one (`area-differs`, `perimeter-differs`, `polygon-differs`). `stored` is the row before an update: a value that equals the
 * stored value gives no warning.
 *
 * Accuracy and cost: as `measureZone`, for a line also as `lineToPolygon`. Errors: the errors of the shape, also `radius-range` for a circle of
 * less than 1 mm and `line-too-short` for a line of one position; `dictionary-key` (`color.key`), `geozone-type`, `option-type`,
 * `input-unreadable`.
 *
 * @example
 * import { completeGeozone } from 'wayzone';
 * const depot = { name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 100, color: null };
 * completeGeozone(depot).perimeter; // 628.31…
 * completeGeozone(depot).type; // { key: 'circle', type: 'geozone_type', value: 'Circle' }
 */
export function completeGeozone(input: Geozone, options?: CompleteOptions): CompletedGeozone;
export function completeGeozone(
  input: GeozoneInput,
  options?: CompleteOptions,
): CompletedGeozone<GeozoneInput>;
export function completeGeozone(
  input: GeozoneInput,
  options: CompleteOptions = {},
): CompletedGeozone<GeozoneInput> {
  checkOptions(options, OPTIONS);
  if (typeof input !== 'object' || input === null || isArray(input)) {
    throw inputError('geozone-type', '', 'a geozone', input);
  }
  const { language, dictionaries = {}, onIssue, stored, ...zoneOptions } = options;
  checkOptions(dictionaries, DICTIONARY_NAMES, 'options.dictionaries');
  if (onIssue !== undefined && typeof onIssue !== 'function') {
    throw inputError('option-type', 'options.onIssue', 'a function', onIssue);
  }
  const row = guarded('', () => withoutEmpty(input));
  const sent = changedFields(row, stored);
  const shape = row as unknown as ZoneShape;
  const normal = readShape(shape, zoneOptions);
  refuseWithoutExtent(normal, '', null);
  const { area, perimeter, length } = measureShape(normal, shape);
  const lineArea = length === null ? null : area;
  if (onIssue !== undefined) {
    for (const issue of [
      ...differing('area', 'm²', sent['area'], area),
      ...differing('perimeter', 'm', sent['perimeter'], perimeter),
      ...differingPolygon(sent['polygon_geometry'], lineArea, zoneOptions),
    ])
      onIssue(issue);
  }
  if (lineArea === null) delete row['polygon_geometry'];
  else row['polygon_geometry'] = lineToPolygon(shape, zoneOptions).polygon_geometry;
  row['type'] = filled(row, 'type', dictionaries.geozoneTypes ?? GEOZONE_TYPES, language);
  if (row['color'] !== undefined)
    row['color'] = filled(row, 'color', dictionaries.colors ?? COLORS, language);
  if (row['icon'] !== undefined) row['icon'] = filled(row, 'icon', dictionaries.icons ?? ICONS, language);
  row['area'] = area;
  row['perimeter'] = perimeter;
  return row as unknown as CompletedGeozone<GeozoneInput>;
}

/** Computed fields that the client sent and that differ from the stored row's. */
function changedFields(
  row: Readonly<Record<string, unknown>>,
  stored: unknown,
): Readonly<Record<string, unknown>> {
  const { area, perimeter, polygon_geometry } = row;
  const sent = { area, perimeter, polygon_geometry };
  if (stored === undefined || stored === null) return sent;
  if (typeof stored !== 'object' || isArray(stored)) {
    throw inputError('option-type', 'options.stored', 'the stored geozone', stored);
  }
  const own = guarded('options.stored', () => ({ ...(stored as Readonly<Record<string, unknown>>) }));
  return Object.fromEntries(
    Object.entries(sent).filter(([key, value]) => !guarded(key, () => isEqual(value, own[key]))),
  );
}

/** Whether two values are the same number, or lists of the same pairs. */
function isEqual(a: unknown, b: unknown): boolean {
  if (!isArray(a) || !isArray(b)) return Object.is(a, b);
  return a.length === b.length && a.every((item, i) => isEqual(item, b[i]));
}

function withoutEmpty(input: object): Record<string, unknown> {
  // A spread keeps a field named `__proto__`; an assignment would set the prototype.
  const row: Record<string, unknown> = { ...input };
  for (const key of Object.keys(row)) {
    const value = row[key];
    const empty =
      value === undefined || value === null || value === '' || (isArray(value) && value.length === 0);
    if (empty && OPTIONAL.has(key)) delete row[key];
  }
  return row;
}

function filled(
  row: Readonly<Record<string, unknown>>,
  field: string,
  dictionary: Dictionary,
  language: string | undefined,
): DictionaryEntry {
  const entry = row[field];
  try {
    return guarded(field, () => filledEntry(Object(entry) as DictionaryEntry, dictionary, language));
  } catch (error) {
    if (!(error instanceof WayzoneError) || error.code !== 'dictionary-key') throw error;
    throw new WayzoneError(error.code, `${field}.key`, error.message);
  }
}

interface Difference extends Issue {
  readonly code: 'area-differs' | 'perimeter-differs' | 'polygon-differs';
}

function differing(field: 'area' | 'perimeter', unit: string, sent: unknown, computed: number): Difference[] {
  if (sent === undefined) return [];
  if (typeof sent === 'number' && Math.abs(sent - computed) <= TOLERATED_SHARE * computed) return [];
  const message = `${expected(`the ${field} of the geometry within 1 %, ${computed} ${unit}`, sent)}`;
  return [{ code: `${field}-differs`, severity: 'warning', field, message }];
}

/**
 * Reports a given polygon whose area differs from that of the computed one, or one given for a zone that is not a line (`area` null). Only
 * areas are compared, because the same corridor can have other vertices.
 */
function differingPolygon(sent: unknown, area: number | null, options: ZoneOptions): Difference[] {
  if (sent === undefined) return [];
  if (area === null) return [polygonDiffers('expected a polygon of lines only, received one')];
  let sentArea: number | null = null;
  try {
    const polygon: ZoneShape = { type: { key: 'polygon' }, geometry: sent as ZoneShape['geometry'] };
    sentArea = measureZone(polygon, options).area;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
  }
  if (sentArea !== null && Math.abs(sentArea - area) <= TOLERATED_SHARE * area) return [];
  const received = sentArea === null ? 'a ring that has none' : `${sentArea} m²`;
  return [
    polygonDiffers(
      `expected a polygon with the corridor's area within 1 %, ${area} m², received ${received}`,
    ),
  ];
}

function polygonDiffers(message: string): Difference {
  return { code: 'polygon-differs', severity: 'warning', field: 'polygon_geometry', message };
}
