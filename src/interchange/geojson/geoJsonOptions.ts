/** Options of the GeoJSON readers. */

import { type OptionTable, OWN } from '../../core/options.js';
import { isRecord, own } from '../common/foreignFields.js';
import { READ_OPTIONS, type ReadOptions } from '../common/readOptions.js';
import { isWgs84Name, plainCrsName } from '../crs/crs.js';
import type { TableHints } from '../table/tableDescription.js';

/** The coordinate system of a file: WGS84 (also without the member), null, another named system, or a member without a name. */
export type CrsMember =
  | { readonly kind: 'wgs84' }
  | { readonly kind: 'null' }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'unreadable'; readonly value: unknown };

/** Fields that a property can be mapped to: `type` (point, circle, line, polygon), `width` in metres, `radius` of a circle in metres, others as on the wire. */
export type MappedField = 'type' | 'width' | 'radius' | 'color' | 'icon' | 'is_show_on_map';

export interface GeoJsonOptions extends ReadOptions {
  /** Property with a zone's id. Default: the feature's `id`, else its property `id`. */
  readonly idProperty?: string | undefined;
  /** Unit of a `radius` below 5 without `radiusUnits`. Default: such a zone is not read, because the radius can be metres or kilometres. */
  readonly radiusUnit?: 'm' | 'km' | 'ft' | 'mi' | 'nmi' | undefined;
  /** Property with a zone's name. Default: the first of `name`, `zone`, `title`, `label` with a text, in any case. */
  readonly nameProperty?: string | undefined;
  /**
   * Kind of features with times. `fixes`: every Point with a time is a fix. `zones`: no feature is a fix or track. Default: a Point with a time,
   * without radius and width, is a fix if it has a unit, a speed or another quantity of fixes, or no name. Without `zones`, lines with a time
   * for each position are tracks.
   */
  readonly as?: 'fixes' | 'zones' | undefined;
  /**
   * Facts about fixes, such as the zone of times and the unit of speeds. `columns` are properties. Default: the content is examined, as in a
   * table.
   */
  readonly table?: TableHints | undefined;
  /** Name of the file, used as unit id of fixes without units. */
  readonly fileName?: string | undefined;
  /**
   * Properties with the values of wire fields, by field: `{ width: 'radius_m', color: 'fill' }`. Another property with the name of the
   * field is kept as `width~2`.
   */
  readonly fieldProperties?: Partial<Readonly<Record<MappedField, string>>> | undefined;
}

export const GEOJSON_OPTIONS: OptionTable<GeoJsonOptions, 'radiusUnit' | 'as'> = {
  ...READ_OPTIONS,
  as: OWN,
  table: OWN,
  fileName: OWN,
  idProperty: OWN,
  nameProperty: OWN,
  radiusUnit: OWN,
  fieldProperties: OWN,
};

/** Table of the names in `fieldProperties`. */
export const MAPPED_FIELDS: OptionTable<NonNullable<GeoJsonOptions['fieldProperties']>> = {
  type: OWN,
  width: OWN,
  radius: OWN,
  color: OWN,
  icon: OWN,
  is_show_on_map: OWN,
};

/** The system that the member `crs` of the root object names (GeoJSON 2008, §3; RFC 7946 removed it). */
export function crsMember(root: unknown): CrsMember {
  const crs = isRecord(root) ? own(root, 'crs') : undefined;
  if (crs === undefined) return { kind: 'wgs84' };
  if (crs === null) return { kind: 'null' };
  const properties = isRecord(crs) ? own(crs, 'properties') : undefined;
  const name = isRecord(properties) ? own(properties, 'name') : undefined;
  if (typeof name !== 'string') return { kind: 'unreadable', value: crs };
  return isWgs84Name(name) ? { kind: 'wgs84' } : { kind: 'named', name: plainCrsName(name) };
}
