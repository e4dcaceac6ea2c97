/** Requests and answers of the platform's list, routing and map endpoints. */

import type { Position } from './geometry.js';
import type { Pair } from './wire.js';

/** Ids as comma-separated text, or as a list of ids or of objects with an id. */
export type ReferenceList = string | readonly (string | { readonly id: string })[] | null;

/** The body of an export. */
export interface ExportRequest {
  /** Zones, by id. */
  readonly geozones?: ReferenceList | undefined;
  /** Groups, by id, whose zones are exported. */
  readonly geozones_groups?: ReferenceList | undefined;
}

/** The query of the list of groups. */
export interface GroupListQuery {
  /** Fields as comma-separated text or a list: `name` is the group's, `geozones.name` the zones'. Default: the ids of the zones. */
  readonly fields?: string | readonly string[] | null;
}

/** Request for the corridor of a line. */
export interface LineToPolygonRequest {
  /** Whole width of the corridor, metres. */
  readonly width: number;
  /** The line, in the caller's axis order. */
  readonly geometry: readonly Pair[];
}

/** Answer with the corridor of a line. */
export interface LineToPolygonAnswer {
  /** One closed ring, in the caller's axis order. */
  readonly polygon_geometry: readonly Pair[];
}

/** The query of a list endpoint. Numbers may be text, as in a URL. */
export interface FilterQuery {
  /** Number of matches to skip. Default 0. */
  readonly from?: number | string | null | undefined;
  /** Greatest number of rows; 0 returns only `max`. Default: all. */
  readonly count?: number | string | null | undefined;
  /** Path of the field to sort by (`name`, `icon.key`). Absent: the list's own order. */
  readonly sortField?: string | null | undefined;
  /** Whether to sort descending. Default false. */
  readonly sortDesc?: boolean | 'true' | 'false' | null | undefined;
  /** Conditions that a row must all match. */
  readonly conditions?: readonly FilterCondition[] | null | undefined;
}

/** One condition: a field and the value it must match. */
export interface FilterCondition {
  /** The path of the field (`name`, `icon.key`). */
  readonly field: string;
  /**
   * The value to match. `name` matches a part of the name in any case; other fields match whole. For `companies`: ids, or objects with an
   * id, of which one must match.
   */
  readonly value:
    | string
    | number
    | boolean
    | { readonly id: string }
    | readonly (string | { readonly id: string })[];
}

/** A page of a list, with the number of all matches. */
export interface FilterAnswer<Row> {
  /** Number of matching rows on all pages. */
  readonly max: number;
  /** The rows of this page. */
  readonly list: Row[];
}

/** A field of the rows of a routing answer, with its title in the caller's language. */
export interface RoutingColumn {
  /** The field's key in the rows. */
  readonly key: string;
  /** The field's title. */
  readonly value: string;
}

/** Style in which a leg is drawn. */
export interface RoutingStyle {
  /** Colour, `#rrggbb`. */
  readonly hex_color: string;
  /** Width of the line, pixels. */
  readonly width: number;
}

/** One leg: `style`, `points` and the requested columns. */
export interface RoutingRow {
  /** Style in which the leg is drawn. */
  readonly style: RoutingStyle;
  /** The line of the leg, in the caller's axis order. */
  readonly points: readonly Pair[];
  /** Number of the leg, from 1. */
  readonly order?: number;
  /** Index of the point where the leg begins, in the request's order, from 0. */
  readonly from?: number;
  /** Index of the point where the leg ends. */
  readonly to?: number;
  /** Length of the leg, metres. */
  readonly distance?: number;
  /** Length of the leg as text: `7.4 km`. */
  readonly distance_text?: string;
  /** Duration of the leg, seconds. */
  readonly duration?: number;
  /** Duration of the leg as text: `12 min`. */
  readonly duration_text?: string;
  /** Instructions, one text for each manoeuvre. */
  readonly instructions?: readonly string[];
}

/** The answer of `GET /routing/{points}`. */
export interface RoutingAnswer {
  /** The fields of the rows, in order, with their titles. */
  readonly columns: readonly RoutingColumn[];
  /** One row for each leg, in the order of driving. */
  readonly values: readonly RoutingRow[];
}

/** A GeoJSON geometry that a zone may have. */
export type MapGeometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'MultiLineString' | 'Polygon'; readonly coordinates: readonly (readonly Position[])[] }
  | {
      readonly type: 'MultiPolygon';
      readonly coordinates: readonly (readonly (readonly Position[])[])[];
    };

/** A zone on the map. */
export interface MapFeature {
  /** The GeoJSON type. */
  readonly type: 'Feature';
  /** Id of the geozone. */
  readonly id: string;
  /** Geometry by RFC 7946: closed rings, right-hand rule, cut at the antimeridian. */
  readonly geometry: MapGeometry;
  /** Texts that the map shows. */
  readonly properties: { readonly address: string | null; readonly name: string };
}

/** The zones marked `is_show_on_map`, as GeoJSON. */
export interface MapFeatureCollection {
  /** The GeoJSON type. */
  readonly type: 'FeatureCollection';
  /** The zones, in order. */
  readonly features: readonly MapFeature[];
}
