/** Jobs, each with its options and its final value. */

import type { GeozoneGroup, Issue } from 'wayzone';
import type { TableHints, TableNote } from 'wayzone/interchange';
import type { GroupListQuery } from 'wayzone/schemas';
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
