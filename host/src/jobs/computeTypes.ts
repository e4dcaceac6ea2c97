/**
 * The computations of requests, each with its input. All answer with JSON text. Those of tracks have the pages `fixes`, those of zones an index
 * and the pages `changes`: the rows that were written since. Lists of zones have heads instead of both.
 */

import type { GeozoneGroup } from 'wayzone';
import type { FilterQuery } from 'wayzone/listing';
import type {
  ExportRequest,
  LineToPolygonRequest,
  TrackGradation,
  TripDetectorSettings,
} from 'wayzone/schemas';
import type { TileId, TileOptions } from 'wayzone/tiles';
import type { SpeedingThresholds } from 'wayzone/tracks';

/** Kinds of rows whose bodies are completed. */
export type CompletedKind = 'geozone' | 'route' | 'trip';

/** The options of a computation. Its process reads the buffer first, then the pages of each list; an empty chunk ends a list. */
export interface ComputeOptions {
  readonly input: unknown;
  /** The host's time, epoch milliseconds: fixes more than a day later are of wrong clocks. */
  readonly readAt: number;
  /** Names of the lists of pages. */
  readonly pages: readonly string[];
  readonly buffer: {
    readonly number: number;
    readonly bytes: number;
    /** Whether the process has it from an earlier computation. */
    readonly isKept: boolean;
    /** Numbers of buffers that the process forgets. */
    readonly dropped: readonly number[];
  } | null;
}

export interface ComputeInput {
  /** A line answers with two lines: the zone, and its `polygon_geometry`, which may be a hundred times as large. */
  readonly complete: { readonly kind: CompletedKind; readonly body: unknown };
  /** `row` is the JSON of a trip. With a run its completed `changes`, else `null`. */
  readonly changes: {
    readonly row: string;
    readonly run: { readonly date: string; readonly timeZone: string } | null;
  };
  /** Has the pages `rows`. */
  readonly filter: {
    readonly kind: 'routes' | 'trips';
    readonly query: FilterQuery;
    readonly language: string;
    readonly timeZone: string;
  };
  /** Answers with the number of all matches, and the ids of the page in order. */
  readonly zoneList: {
    readonly query: FilterQuery;
    readonly language: string;
    readonly timeZone: string;
  };
  /** Answers with the ids of the selected geozones, and those of the request that no geozone has. */
  readonly zoneSelection: {
    readonly groups: readonly GeozoneGroup[];
    readonly request: Readonly<Record<keyof ExportRequest, readonly string[]>>;
  };
  readonly lineToPolygon: LineToPolygonRequest;
  /** Has the fixes of each unit in charge as pages, by the unit's id. */
  readonly report: {
    readonly trip: object;
    readonly date: string;
    readonly timeZone: string;
    readonly now: number;
  };
  readonly track: { readonly gradation: TrackGradation | null };
  readonly visits: null;
  /** Operations whose bodies the event loop does not parse: `body` is the JSON text. */
  readonly ledger: { readonly body: string; readonly timeZone: string };
  /** `limits`: those of the company's geozones, km/h, for a body without `zoneLimits`. */
  readonly speeding: {
    readonly body: string;
    readonly limits: Readonly<Record<string, number>>;
    /** Thresholds of the company, for a body without them. */
    readonly thresholds: SpeedingThresholds;
  };
  readonly match: { readonly body: string; readonly route: object };
  /** Answers with the bytes in base64. */
  readonly tile: { readonly tile: TileId; readonly options: TileOptions };
  /** Has the events of a zone as pages `events`. Answers with its last visits, the newest first. */
  readonly zoneVisits: { readonly most: number };
  /** Has the fixes of each unit as pages, by `unit ` and its id. `given`: options of the body, by their names there. */
  readonly suggest: {
    readonly given: Readonly<
      Partial<Record<'min_stay_seconds' | 'link_meters' | 'min_visits' | 'min_days', number>>
    >;
    readonly timeZone: string;
  };
  readonly movement: { readonly settings: TripDetectorSettings };
}

export type ComputeName = keyof ComputeInput;
