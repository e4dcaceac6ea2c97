/** The jobs of a thread, what each is told, and the value with which it ends. */

import type { GeozoneGroup, Issue } from 'wayzone';
import type { GroupListQuery } from 'wayzone/schemas';
import type { ZoneFileStamp } from './zoneFile.js';

/** File name endings that an import reads. */
export const IMPORT_FORMATS = ['kml', 'kmz', 'geojson', 'json', 'gpx', 'csv'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** `map` is the GeoJSON of what is shown on the map. */
export type ExportFormat = 'kml' | 'kmz' | 'geojson' | 'gpx' | 'csv' | 'map';

export interface JobOptions {
  /** Takes a file, gives pages of rows, each the JSON text of a list; no pages of a dry run or of a file with an error. */
  readonly import: {
    readonly format: ImportFormat;
    /** Time of creation, as the platform writes it. */
    readonly created: string;
    readonly isDry: boolean;
  };
  /** Takes pages of geozones (JSON texts with commas between them), gives a file. */
  readonly export: { readonly format: ExportFormat };
  /**
   * Takes pages of geozones, gives pages of their heads (JSON texts of lists), and ends with the index of those that are live. Saves
   * both in a file where it is told to and they are many.
   */
  readonly index: (ZoneFileStamp & { readonly path: string }) | null;
  /** Takes nothing, gives what `index` gives, from the file that it saved; ends with null where there is no such file. */
  readonly open: { readonly path: string };
  /** Takes pages of the geozones that the groups name, gives the answer's JSON. */
  readonly groups: { readonly groups: readonly GeozoneGroup[]; readonly query: GroupListQuery };
}

export type JobName = keyof JobOptions;

export interface JobValue {
  readonly import: { readonly read: number; readonly issues: readonly Issue[] };
  readonly export: undefined;
  readonly index: { readonly buffer: SharedArrayBuffer; readonly isSaved: boolean };
  readonly open: (ZoneFileStamp & { readonly buffer: SharedArrayBuffer }) | null;
  readonly groups: undefined;
}
