/** The computations of a request that run in a thread, each with its input. All answer with JSON text. */

import type { FilterQuery } from 'wayzone/listing';
import type { LineToPolygonRequest, TrackGradation, TripDetectorSettings } from 'wayzone/schemas';

/** Pages of fixes, each a list of JSON arrays joined with commas. */
export type FixPages = readonly string[];

/** Kinds of rows whose bodies are completed. */
export type CompletedKind = 'geozone' | 'route' | 'trip';

export interface ComputeInput {
  readonly complete: { readonly kind: CompletedKind; readonly body: unknown; readonly stored: object | null };
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
    readonly fixes: FixPages;
  };
  readonly track: { readonly fixes: FixPages; readonly gradation: TrackGradation | null };
  readonly visits: {
    readonly fixes: FixPages;
    /** An index, and pages of the rows that were written since. */
    readonly index: SharedArrayBuffer;
    readonly changes: readonly string[];
  };
  readonly movement: { readonly fixes: FixPages; readonly settings: TripDetectorSettings };
}

export type ComputeName = keyof ComputeInput;
