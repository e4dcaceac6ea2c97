/** What the platform's list, routing and map endpoints take and answer. */

import type { Position } from './geometry.js';
import type { Pair } from './wire.js';

/** What an endpoint's list request says. Numbers may come as text, as a URL has them. */
export interface FilterQuery {
  /** How many matches to pass over. Default 0. */
  readonly from?: number | string | null;
  /** How many rows at most; 0: none, only `max`. Absent: all. */
  readonly count?: number | string | null;
  /** The path of the field to sort by (`name`, `icon.key`). Absent: the list's own order. */
  readonly sortField?: string | null;
  readonly sortDesc?: boolean | 'true' | 'false' | null;
  /** All must hold. */
  readonly conditions?: readonly FilterCondition[] | null;
}

export interface FilterCondition {
  readonly field: string;
  readonly value: string | number | boolean;
}

/** A page of a list, and how many rows match in all. */
export interface FilterAnswer<Row> {
  readonly max: number;
  readonly list: Row[];
}

/** A field of the rows of a routing answer, with its title in the caller's language. */
export interface RoutingColumn {
  readonly key: string;
  readonly value: string;
}

/** One leg; the further columns are fields of their own. */
export interface RoutingRow {
  readonly style: string;
  readonly points: readonly Pair[];
}

/** The answer of `GET /routing/{points}`. */
export interface RoutingAnswer {
  readonly columns: readonly RoutingColumn[];
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
  readonly type: 'Feature';
  readonly id: string;
  readonly geometry: MapGeometry;
  readonly properties: { readonly address: string | null; readonly name: string };
}

/** The zones marked `is_show_on_map`, as GeoJSON. */
export interface MapFeatureCollection {
  readonly type: 'FeatureCollection';
  readonly features: readonly MapFeature[];
}
