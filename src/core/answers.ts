/** What the platform's list, routing and map endpoints take and answer. */

import type { Position } from './geometry.js';
import type { Pair } from './wire.js';

/** Ids as one text with commas between them, or as a list of ids and of objects that have one. */
export type ReferenceList = string | readonly (string | { readonly id: string })[] | null;

/** The body of an export. */
export interface ExportRequest {
  /** Zones, by id. */
  readonly geozones?: ReferenceList;
  /** Groups, whose zones are meant. */
  readonly geozones_groups?: ReferenceList;
}

/** What the list of groups is asked for. */
export interface GroupListQuery {
  /** The fields of each zone that stand beside its `id`, as comma text or a list; `geozones.name` is `name`. Default: none. */
  readonly fields?: string | readonly string[] | null;
}

/** What the endpoint of a line's corridor takes. */
export interface LineToPolygonRequest {
  /** Metres: the whole width of the corridor. */
  readonly width: number;
  /** The line, in the caller's axis order. */
  readonly geometry: readonly Pair[];
}

/** What it answers. */
export interface LineToPolygonAnswer {
  /** One closed ring, in the caller's axis order. */
  readonly polygon_geometry: readonly Pair[];
}

/** What an endpoint's list request says. Numbers may come as text, as a URL has them. */
export interface FilterQuery {
  /** How many matches to pass over. Default 0. */
  readonly from?: number | string | null;
  /** How many rows at most; 0: none, only `max`. Absent: all. */
  readonly count?: number | string | null;
  /** The path of the field to sort by (`name`, `icon.key`). Absent: the list's own order. */
  readonly sortField?: string | null;
  /** Descending. Default false. */
  readonly sortDesc?: boolean | 'true' | 'false' | null;
  /** All must hold. */
  readonly conditions?: readonly FilterCondition[] | null;
}

/** One condition: a field, and what it must be. */
export interface FilterCondition {
  /** The path of the field (`name`, `icon.key`). */
  readonly field: string;
  /** Names match in part and in any case, other fields whole; of `companies` ids or objects that have one, any of which matches. */
  readonly value:
    | string
    | number
    | boolean
    | { readonly id: string }
    | readonly (string | { readonly id: string })[];
}

/** A page of a list, and how many rows match in all. */
export interface FilterAnswer<Row> {
  /** How many rows match, on all pages. */
  readonly max: number;
  /** The rows of this page. */
  readonly list: Row[];
}

/** A field of the rows of a routing answer, with its title in the caller's language. */
export interface RoutingColumn {
  /** The field of the rows. */
  readonly key: string;
  /** Its title. */
  readonly value: string;
}

/** How a leg is drawn. */
export interface RoutingStyle {
  /** `#rrggbb`. */
  readonly hex_color: string;
  /** Pixels. */
  readonly width: number;
}

/** One leg. Its fields besides `style` and `points` are those of the requested columns. */
export interface RoutingRow {
  /** How the leg is drawn. */
  readonly style: RoutingStyle;
  /** The line of the leg, in the caller's axis order. */
  readonly points: readonly Pair[];
  /** The number of the leg, from 1. */
  readonly order?: number;
  /** The index of the point where the leg begins, in the request's order, from 0. */
  readonly from?: number;
  /** The index of the point where it ends. */
  readonly to?: number;
  /** Metres. */
  readonly distance?: number;
  /** The distance for people: `7.4 km`. */
  readonly distance_text?: string;
  /** Seconds. */
  readonly duration?: number;
  /** The duration for people: `12 min`. */
  readonly duration_text?: string;
  /** One text for each manoeuvre. */
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
  /** As RFC 7946 has it. */
  readonly type: 'Feature';
  /** The geozone's. */
  readonly id: string;
  /** RFC 7946: closed rings, right-hand rule, cut at the antimeridian. */
  readonly geometry: MapGeometry;
  /** What the map shows of it. */
  readonly properties: { readonly address: string | null; readonly name: string };
}

/** The zones marked `is_show_on_map`, as GeoJSON. */
export interface MapFeatureCollection {
  /** As RFC 7946 has it. */
  readonly type: 'FeatureCollection';
  /** In the order of the zones. */
  readonly features: readonly MapFeature[];
}
