/** Types of jobs and computations: what a process gets and answers. */

import type { Geozone, GeozoneGroup, Issue } from 'wayzone';
import type { TableHints, TableNote } from 'wayzone/interchange';
import type { FilterQuery } from 'wayzone/listing';
import type {
  ExportRequest,
  GroupListQuery,
  LineToPolygonRequest,
  TrackGradation,
  TripDetectorSettings,
} from 'wayzone/schemas';
import type { TileId, TileOptions } from 'wayzone/tiles';
import type { SpeedingThresholds } from 'wayzone/tracks';
import type { Pipe } from './pipe.js';
import type { ZoneFileStamp } from './zoneFile.js';

/** File name endings that an import reads. */
export const IMPORT_FORMATS = ['kml', 'kmz', 'geojson', 'json', 'gpx', 'csv', 'tsv', 'xlsx'] as const;

export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** `map`: GeoJSON of the geozones that are shown on the map. */
export type ExportFormat = 'kml' | 'kmz' | 'geojson' | 'gpx' | 'csv' | 'map';

/** The description of an imported table. */
export interface ImportedTable {
  readonly assumptions: readonly TableNote[];
  readonly questions: readonly TableNote[];
}

export interface JobOptions {
  /** Input: a file. Output: pages of rows, each a JSON list; no pages after a dry run; without `isPartial`, none count after an error (`isRefused`). */
  readonly import: {
    readonly format: ImportFormat;
    /** Time of creation, as the platform writes it. */
    readonly created: string;
    readonly isDry: boolean;
    /** Whether zones without errors are stored when others have some. Default: false. */
    readonly isPartial?: boolean;
    /** The caller's hints about a table, with the zone of times without one. Default: none. */
    readonly hints?: TableHints;
  };
  /**
   * Input: pages of geozones (JSON texts joined with commas). Output: a file. Before a GPX file comes a chunk with the number of geozones that it
   * lacks.
   */
  readonly export: { readonly format: ExportFormat; readonly language: string };
  /**
   * Input: pages of geozones. Output: the index of the live geozones, as `sendBytes` sends it. With a path, saves it in a file if there are many
   * geozones; the final value says whether it did.
   */
  readonly index: (ZoneFileStamp & { readonly path: string }) | null;
  /** No input. Output as of `index`, read from its file, whose stamp is the final value; null without a usable file. */
  readonly open: { readonly path: string };
  /** Input: pages of the geozones that the groups name. Output: the answer's JSON. */
  readonly groups: { readonly groups: readonly GeozoneGroup[]; readonly query: GroupListQuery };
}

export type JobName = keyof JobOptions;

export interface JobValue {
  readonly import: {
    /** Number of zones without errors. */
    readonly read: number;
    /** Whether nothing may be stored. */
    readonly isRefused: boolean;
    readonly issues: readonly Issue[];
    readonly table: ImportedTable | null;
  };
  /** The first zones whose shape the file lacks, each with the reason, for the log. */
  readonly export: readonly string[];
  readonly index: boolean;
  readonly open: ZoneFileStamp | null;
  readonly groups: undefined;
}

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

export type StoredZone = Geozone & { readonly id: string };

/** Yields the rows page by page. */
export async function* rowPages(pipe: Pipe): AsyncGenerator<StoredZone[]> {
  for await (const text of pipe.chunks()) yield JSON.parse(`[${String(text)}]`) as StoredZone[];
}

export async function* rowsOf(pipe: Pipe): AsyncGenerator<StoredZone> {
  for await (const page of rowPages(pipe)) yield* page;
}
