/** What a unit reports, and what readers of foreign data give. */

import type { IssueCode, RejectReason } from './errorCode.js';
import type { Geozone, GeozoneGroup, Route } from './wire.js';

/** One report of a unit. `time` is epoch milliseconds UTC. */
export interface Fix {
  /** Epoch milliseconds UTC. */
  readonly time: number;
  /** Degrees, WGS84. */
  readonly lon: number;
  /** Degrees, WGS84. */
  readonly lat: number;
  /** Kilometres an hour. */
  readonly speedKph?: number;
  /** Degrees clockwise from north. */
  readonly courseDegrees?: number;
  /** Metres. */
  readonly altitudeMeters?: number;
  /** Metres about the position within which the unit is likely to be. */
  readonly accuracyMeters?: number;
  /** How many satellites were seen. */
  readonly satellites?: number;
  /** False: the unit itself holds the position for bad. */
  readonly valid?: boolean;
  /** Whether the ignition is on. */
  readonly ignition?: boolean;
  /** Metres that the unit has driven in all, by its own mileage sensor (odometer). */
  readonly mileageMeters?: number;
  /** Metres driven since the unit's report before this one, by its own mileage sensor. */
  readonly mileageDeltaMeters?: number;
}

/** Columns of numbers that a fix may lack. */
export type FixNumberName =
  | 'speedKph'
  | 'courseDegrees'
  | 'altitudeMeters'
  | 'accuracyMeters'
  | 'satellites'
  | 'mileageMeters'
  | 'mileageDeltaMeters';

/** Columns of yes and no that a fix may lack. */
export type FixFlagName = 'valid' | 'ignition';

/** Fixes in columns: what stands at one index of all columns is one fix. The arrays may be longer than `length`. */
export interface FixTable {
  /** How many fixes. */
  readonly length: number;
  /** Epoch milliseconds UTC, whole. */
  readonly time: Float64Array;
  /** Degrees, WGS84. */
  readonly lon: Float64Array;
  /** Degrees, WGS84. */
  readonly lat: Float64Array;
  /** Kilometres an hour. */
  readonly speedKph: Float64Array | null;
  /** Degrees clockwise from north. */
  readonly courseDegrees: Float64Array | null;
  /** Metres. */
  readonly altitudeMeters: Float64Array | null;
  /** Metres. */
  readonly accuracyMeters: Float64Array | null;
  /** How many satellites were seen. */
  readonly satellites: Float64Array | null;
  /** Odometer, metres. */
  readonly mileageMeters: Float64Array | null;
  /** Metres since the fix before. */
  readonly mileageDeltaMeters: Float64Array | null;
  /** 1: the unit trusts the position; 0: it does not. */
  readonly valid: Uint8Array | null;
  /** 1: on, 0: off. */
  readonly ignition: Uint8Array | null;
}

/**
 * Fixes of a file, of many units, in the file's order. In a column of numbers NaN stands for a fix that lacks it, in a column of yes (1) and no
 * (0) 255; a column is null where no fix has it. The arrays are used again for the next batch: copy what you keep.
 */
export interface FixBatch extends FixTable {
  /** The names of all units met so far; a unit keeps its place in later batches. */
  readonly unitIds: readonly string[];
  /** The unit of each fix: an index of `unitIds`. */
  readonly unit: Uint32Array;
}

/** A cleaned track in columns, sorted by time. */
export interface Track {
  /** How many fixes. */
  readonly length: number;
  /** Epoch milliseconds UTC, ascending. */
  readonly time: Float64Array;
  /** Degrees, WGS84. */
  readonly lon: Float64Array;
  /** Degrees, WGS84. */
  readonly lat: Float64Array;
  /** Kilometres an hour, -1 where unknown; null: known of no fix. */
  readonly speedKph: Float64Array | null;
  /** Metres, -1 where unknown; null: known of no fix. */
  readonly accuracyMeters: Float64Array | null;
  /** 1 on, 0 off, 255 unknown; null: known of no fix. */
  readonly ignition: Uint8Array | null;
  /** Metres driven in all, -1 where unknown; null when no fix has a mileage. */
  readonly mileageMeters: Float64Array | null;
  /** Metres since the report before, -1 where unknown; null when no fix has one. */
  readonly mileageDeltaMeters: Float64Array | null;
  /** How many fixes were left out, by reason. */
  readonly rejected: Readonly<Partial<Record<RejectReason, number>>>;
  /** How many fixes got a time 1024 weeks later; only where that was asked for. */
  readonly rolledOver?: number;
}

/** Fixes of one unit as a file gives them: in the file's order, not cleaned. */
export interface RawTrack {
  /** The file's name of it. */
  readonly name: string;
  /** The unit whose track it is. */
  readonly unitId: string;
  /** In the file's order. */
  readonly fixes: readonly Fix[];
}

/** Something that a reader could not take as it stands. */
export interface Issue {
  /** A stable kebab-case word: `docs/errors.md` lists them. */
  readonly code: IssueCode;
  /** `error`: something could not be read. `warning`: read, but worth knowing. */
  readonly severity: 'error' | 'warning';
  /** Where in the data: `features[3].geometry`. */
  readonly field: string;
  /** The line of the text, from 1. */
  readonly line?: number;
  /** What was expected and what was found. */
  readonly message: string;
}

/** What a file says of itself: KML's Document, GPX's metadata, the members of a GeoJSON FeatureCollection. */
export interface ForeignDocument {
  /** What the file calls itself. */
  readonly name?: string;
  /** All else that it says; of XML as text, by the path of its element (`author.name`). */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What could be read from foreign data, and all that could not. */
export interface ForeignData {
  /** All that could be read. */
  readonly value: {
    /** Geozones, with ids that are different. */
    readonly zones: readonly Geozone[];
    /** Folders and the like. */
    readonly groups: readonly GeozoneGroup[];
    /** Routes. */
    readonly routes: readonly Route[];
    /** Tracks, by unit. */
    readonly tracks: readonly RawTrack[];
    /** What the file says of itself; absent where it says nothing. */
    readonly document?: ForeignDocument;
  };
  /** All that could not be read, or not as it stands. */
  readonly issues: readonly Issue[];
}
