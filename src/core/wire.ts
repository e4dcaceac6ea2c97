/** The platform's wire shapes, spelled as its API spells them. Unknown further fields are kept everywhere. */

import type { MultiPolygonCoordinates } from './geometry.js';
import type { ZoneTypeKey } from './zoneTypes.js';

/** An entry of a dictionary; on input only `key` is needed. */
export interface DictionaryEntry<Key extends string = string> {
  /** The key in the data: `circle`, `#F56C6C`. */
  readonly key: Key;
  /** Name of the dictionary: `geozone_type`. */
  readonly type?: string | undefined;
  /** The name for people, in their language. */
  readonly value?: string | undefined;
}

/** A pair of degrees in the caller's axis order. */
export type Pair = readonly [number, number];

/**
 * The common part of a geozone, a route point and a trip point, on which all geometry works. The types take a row of a database as it is:
 * every function checks the key and the pairs.
 */
export interface ZoneShape {
  /** Type of the zone, from the dictionary `geozone_type`. */
  readonly type: {
    /** `point`, `circle`, `line` or `polygon`. */
    readonly key: string;
  };
  /** Pairs in the caller's axis order; one pair for a point or circle. */
  readonly geometry: readonly (readonly number[])[];
  /** Radius of a point or circle, or width of a line's corridor, metres. */
  readonly width?: number | null | undefined;
  /** MultiPolygon coordinates, `[lon, lat]`, of a polygon with holes or several parts. */
  readonly parts?: readonly (readonly (readonly (readonly number[])[])[])[] | null | undefined;
}

/** A shape in the form that functions return. */
export interface WrittenShape extends ZoneShape {
  readonly type: DictionaryEntry<ZoneTypeKey>;
  readonly geometry: readonly Pair[];
  readonly width?: number | null | undefined;
  readonly parts?: MultiPolygonCoordinates | null | undefined;
}

/** A geozone as the platform stores it. */
export interface Geozone extends WrittenShape {
  /** Any text up to 65,536 code units. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** A line's corridor as one flat ring, in the caller's axis order: see `lineToPolygon`. */
  readonly polygon_geometry?: readonly Pair[] | undefined;
  /** Colour: an entry of the dictionary `color_code`, or any `#rrggbb`. */
  readonly color?: DictionaryEntry | null | undefined;
  /** Icon: an entry of the dictionary `geo_icon`, or any key. */
  readonly icon?: DictionaryEntry | null | undefined;
  /** Area on the ellipsoid, square metres. */
  readonly area?: number | null | undefined;
  /** Length of the edges on the ellipsoid, metres. */
  readonly perimeter?: number | null | undefined;
  /** Whether maps show the zone. */
  readonly is_show_on_map?: boolean | undefined;
  /** Companies that own the zone. */
  readonly companies?: readonly { readonly id: string }[] | undefined;
  /** Deleted when true, 1, '1' or 'true': see `isDeleted`. */
  readonly is_delete?: boolean | number | string | undefined;
  /** Time of storage, in the platform's format. */
  readonly created?: string | undefined;
}

/** A geozone to be created: the id may be absent. */
export interface GeozoneInput extends Omit<Geozone, 'id'> {
  /** Id. If absent, the platform gives one. */
  readonly id?: string | undefined;
}

/** A named set of geozones; a geozone may be in several. */
export interface GeozoneGroup {
  /** Any text. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** Geozones of the group, by id. */
  readonly geozones: readonly { readonly id: string }[];
}

/** A group to be created: the id may be absent. */
export interface GeozoneGroupInput extends Omit<GeozoneGroup, 'id'> {
  /** Id. If absent, the platform gives one. */
  readonly id?: string | undefined;
}

/** A picture of a custom geozone type. */
export interface Photo {
  /** Address of the picture. */
  readonly url: string;
  /** Width, pixels. */
  readonly width: number;
  /** Height, pixels. */
  readonly height: number;
  /** Kind of the picture's owner, in the platform's words: `users`, `geozones`. */
  readonly param_type: string;
}

/** A company's own geozone type, with its picture. */
export interface CustomGeozoneType {
  /** The company that owns the type. */
  readonly company_id: string;
  /** Name for people. */
  readonly name: string;
  /** The picture as sent, and a small picture for maps. */
  readonly photo: { readonly original: Photo; readonly small: Photo };
}

/** The fields of a shape, each read once, because a getter of the caller may return other values on a second read. */
export function shapeFields({ type, geometry, width, parts }: ZoneShape): ShapeFields {
  return { type, geometry, width, parts };
}

/** The fields of a shape, unchecked. */
export type ShapeFields = { readonly [Field in keyof Required<ZoneShape>]: ZoneShape[Field] };

/** The numbers of a shape besides its pairs, by which shapes are compared; -1 for an absent one. */
export function sizesOf({ width }: Pick<ZoneShape, 'width'>): number[] {
  return [width ?? -1];
}

/** The fields of a shape besides its type and pairs, without absent and null ones. */
export function sizeFieldsOf({ width, parts }: Pick<ZoneShape, 'width' | 'parts'>): {
  readonly width?: number;
  readonly parts?: MultiPolygonCoordinates;
} {
  return {
    ...(width === undefined || width === null ? {} : { width }),
    ...(parts === undefined || parts === null ? {} : { parts: parts as MultiPolygonCoordinates }),
  };
}

/** A stop of a route: a zone without an id. */
export interface RoutePoint {
  /** Name for people. */
  readonly name: string;
  /** Type of the stop, from the dictionary `geozone_type`. */
  readonly type: DictionaryEntry<ZoneTypeKey>;
  /** Width, as in a geozone. */
  readonly width?: number | null | undefined;
  /** Pairs, as in a geozone. */
  readonly geometry?: readonly Pair[] | undefined;
  /** Another name for `geometry` in inputs. */
  readonly coordinates?: readonly Pair[] | undefined;
  /** Parts, as in a geozone. */
  readonly parts?: MultiPolygonCoordinates | null | undefined;
}

/** A named list of points, in order. */
export interface Route {
  /** Any text. */
  readonly id: string;
  /** Name for people. */
  readonly name: string;
  /** The company that owns the route. */
  readonly company_id?: string | undefined;
  /** Stops in the order of passing. */
  readonly points: readonly RoutePoint[];
}

/** A route to be created: the id may be absent. */
export interface RouteInput extends Omit<Route, 'id'> {
  /** Id. If absent, the platform gives one. */
  readonly id?: string | undefined;
}

/** Options of every function that takes a shape. */
export interface ZoneOptions {
  /** Order of the pairs in wire objects. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon' | undefined;
  /** `total`: a line's `width` is the whole corridor. `each-side`: it is one side. Default `total`. */
  readonly lineWidth?: 'total' | 'each-side' | undefined;
  /** Width for shapes without a width, metres. Default: none. */
  readonly defaultWidthMeters?: number | undefined;
  /** `closed`: the boundary is inside. `half-open`: in a tiling of polygons each position is inside exactly one. Default `closed`. */
  readonly boundary?: 'closed' | 'half-open' | undefined;
}

/** Whether a stored row is marked deleted: `is_delete` is true, 1, '1' or 'true'. */
export function isDeleted(row: { readonly is_delete?: unknown }): boolean {
  const mark = row.is_delete;
  return mark === true || mark === 1 || mark === '1' || mark === 'true';
}

export class FlatPairs {
  /** Shared array `lon, lat, lon, lat, …` of this shape and of others. */
  readonly lonLat: Float64Array;
  /** Index of the first longitude. */
  readonly from: number;
  /** Number of positions. */
  readonly length: number;

  constructor(lonLat: Float64Array, from: number, length: number) {
    this.lonLat = lonLat;
    this.from = from;
    this.length = length;
  }

  /** The positions as `[lon, lat]`: all, or the first `count`. */
  toPairs(count: number = this.length): Pair[] {
    const { lonLat, from } = this;
    const pairs: Pair[] = [];
    for (let i = from; i < from + 2 * count; i += 2) pairs.push([lonLat[i]!, lonLat[i + 1]!]);
    return pairs;
  }
}
