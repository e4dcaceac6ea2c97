/** The platform's wire shapes, spelled as its API spells them. Unknown further fields are kept everywhere. */

import type { MultiPolygonCoordinates } from './geometry.js';

/** An entry of a dictionary; on input only `key` is needed. */
export interface DictionaryEntry<Key extends string = string> {
  readonly key: Key;
  readonly type?: string;
  readonly value?: string;
}

export type ZoneTypeKey = 'point' | 'circle' | 'line' | 'polygon';

/** A pair of degrees in the caller's axis order. */
export type Pair = readonly [number, number];

/** What all geometry works on: the common part of a geozone, a route point and a trip point. */
export interface ZoneShape {
  readonly type: DictionaryEntry<ZoneTypeKey>;
  /** Pairs in the caller's axis order; one pair for a point and a circle. */
  readonly geometry: readonly Pair[];
  /** Metres: radius of a point or circle, corridor width of a line. */
  readonly width?: number | null;
  /** MultiPolygon coordinates, `[lon, lat]`, where a polygon has holes or several parts. */
  readonly parts?: MultiPolygonCoordinates | null;
}

export interface Geozone extends ZoneShape {
  readonly id: string;
  readonly name: string;
  readonly polygon_geometry?: readonly Pair[];
  readonly color?: DictionaryEntry | null;
  readonly icon?: DictionaryEntry | null;
  readonly area?: number | null;
  readonly perimeter?: number | null;
  readonly is_show_on_map?: boolean;
  readonly companies?: readonly { readonly id: string }[];
  readonly is_delete?: boolean | number | string;
  readonly created?: string;
}

/** A geozone as it is sent to be created: the id may be missing. */
export interface GeozoneInput extends Omit<Geozone, 'id'> {
  readonly id?: string;
}

export interface GeozoneGroup {
  readonly id: string;
  readonly name: string;
  readonly geozones: readonly { readonly id: string }[];
}

/** A group as it is sent to be created: the id may be missing. */
export interface GeozoneGroupInput extends Omit<GeozoneGroup, 'id'> {
  readonly id?: string;
}

/** A picture of a custom geozone type. */
export interface Photo {
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly param_type: string;
}

/** A geozone type of a company's own, with its picture. */
export interface CustomGeozoneType {
  readonly company_id: string;
  readonly name: string;
  readonly photo: { readonly original: Photo; readonly small: Photo };
}

export interface RoutePoint {
  readonly name: string;
  readonly type: DictionaryEntry<ZoneTypeKey>;
  readonly width?: number | null;
  readonly geometry?: readonly Pair[];
  /** An input may say `coordinates` instead of `geometry`. */
  readonly coordinates?: readonly Pair[];
  /** As a geozone's. */
  readonly parts?: MultiPolygonCoordinates | null;
}

export interface Route {
  readonly id: string;
  readonly name: string;
  readonly company_id?: string;
  readonly points: readonly RoutePoint[];
}

/** A route as it is sent to be created: the id may be missing. */
export interface RouteInput extends Omit<Route, 'id'> {
  readonly id?: string;
}

/** How a caller's shapes are to be read; goes with every function that takes one. */
export interface ZoneOptions {
  /** Order of the pairs in wire objects. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon';
  /** Whether a line's `width` is the whole corridor or each side of it. Default `total`. */
  readonly lineWidth?: 'total' | 'each-side';
  /** Metres, for shapes without a `width`. Default: none. */
  readonly defaultWidthMeters?: number;
  /** `closed`: the boundary is inside. `half-open`: in a tiling of polygons each position is in exactly one. Default `closed`. */
  readonly boundary?: 'closed' | 'half-open';
}

/** Whether a stored row is marked deleted: `is_delete` is true, 1, '1' or 'true'. */
export function isDeleted(row: { readonly is_delete?: unknown }): boolean {
  const mark = row.is_delete;
  return mark === true || mark === 1 || mark === '1' || mark === 'true';
}
