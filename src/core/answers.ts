/** What the platform's list, routing and map endpoints take and answer. */

import type { Position } from './geometry.js';
import type { Pair } from './wire.js';

/** One condition of a list request. */
export interface ListCondition {
  readonly field: string;
  readonly value: string | number | boolean;
}

/** What a list request asks for. */
export interface ListQuery {
  /** How many rows to skip. Default 0. */
  readonly from?: number;
  /** How many rows to give; absent: all; 0: only `max`. */
  readonly count?: number;
  readonly sortField?: string;
  readonly sortDesc?: boolean | 'true' | 'false';
  readonly conditions?: readonly ListCondition[];
}

/** A page of rows; `max` counts all that match. */
export interface ListAnswer<Row> {
  readonly max: number;
  readonly list: readonly Row[];
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
