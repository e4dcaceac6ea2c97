/** The computations of a request that run in a thread, each with its input. All answer with JSON text. */

import type { FilterQuery } from 'wayzone/listing';
import type { LineToPolygonRequest, TrackGradation, TripDetectorSettings } from 'wayzone/schemas';
import type { TileId, TileOptions } from 'wayzone/tiles';
import type { SpeedingThresholds } from 'wayzone/tracks';

/** Pages of fixes, each a list of JSON arrays joined with commas. */
export type FixPages = readonly string[];

/** Kinds of rows whose bodies are completed. */
export type CompletedKind = 'geozone' | 'route' | 'trip';

/** A company's index, and pages of the rows that were written since. */
export interface CompanyIndex {
  readonly index: SharedArrayBuffer;
  readonly changes: readonly string[];
}

export interface ComputeInput {
  /**
   * `stored` is the JSON of the row that the body replaces. A line answers with two lines: the zone, and its `polygon_geometry`, which may be a
   * hundred times as large.
   */
  readonly complete: { readonly kind: CompletedKind; readonly body: unknown; readonly stored: string | null };
  /** `row` is the JSON of a trip. With a run its completed `changes`, else `null`. */
  readonly changes: {
    readonly row: string;
    readonly run: { readonly date: string; readonly timeZone: string } | null;
  };
  readonly filter: {
    readonly kind: 'routes' | 'trips';
    /** Pages of rows: JSON texts joined with commas. */
    readonly rows: readonly string[];
    readonly query: FilterQuery;
    readonly language: string;
    readonly timeZone: string;
  };
  readonly lineToPolygon: LineToPolygonRequest;
  readonly report: {
    readonly trip: object;
    readonly date: string;
    readonly timeZone: string;
    readonly now: number;
    /** The fixes of each unit in charge, by its id. */
    readonly fixes: Readonly<Record<string, FixPages>>;
  };
  readonly track: { readonly fixes: FixPages; readonly gradation: TrackGradation | null };
  readonly visits: CompanyIndex & { readonly fixes: FixPages };
  /** Operations whose bodies the event loop does not parse: `body` is the JSON text. */
  readonly ledger: CompanyIndex & { readonly body: string; readonly timeZone: string };
  /** `limits`: those of the company's geozones, km/h, for a body without `zoneLimits`. */
  readonly speeding: CompanyIndex & {
    readonly body: string;
    readonly limits: Readonly<Record<string, number>>;
    /** Those of the company, for a body without them. */
    readonly thresholds: SpeedingThresholds;
  };
  readonly match: { readonly body: string; readonly route: object };
  /** Answers with the bytes in base64. */
  readonly tile: CompanyIndex & { readonly tile: TileId; readonly options: TileOptions };
  readonly movement: { readonly fixes: FixPages; readonly settings: TripDetectorSettings };
}

export type ComputeName = keyof ComputeInput;
