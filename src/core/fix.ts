/** Fixes and tracks of units, and the result of the readers of foreign data. */

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
  /** km/h. */
  readonly speedKph?: number | undefined;
  /** Degrees clockwise from north. */
  readonly courseDegrees?: number | undefined;
  /** Metres. */
  readonly altitudeMeters?: number | undefined;
  /** Radius around the position within which the unit is likely to be, metres. */
  readonly accuracyMeters?: number | undefined;
  /** Number of satellites in view. */
  readonly satellites?: number | undefined;
  /** `false` if the unit itself reports the position as invalid. */
  readonly valid?: boolean | undefined;
  /** Whether the ignition is on. */
  readonly ignition?: boolean | undefined;
  /** Odometer of the unit, metres. */
  readonly mileageMeters?: number | undefined;
  /** Metres driven since the unit's last report, by its own sensor. */
  readonly mileageDeltaMeters?: number | undefined;
}

/** Where a unit was at a time. */
export type TimedPosition = Pick<Fix, 'time' | 'lon' | 'lat'>;

/** Numeric columns whose values may be missing. */
export type FixNumberName =
  | 'speedKph'
  | 'courseDegrees'
  | 'altitudeMeters'
  | 'accuracyMeters'
  | 'satellites'
  | 'mileageMeters'
  | 'mileageDeltaMeters';

/** Boolean columns whose values may be missing. */
export type FixFlagName = 'valid' | 'ignition';

/** Fixes in columns: the values at one index are one fix. The arrays may be longer than `length`. */
export interface FixTable {
  /** Number of fixes. */
  readonly length: number;
  /** Epoch milliseconds UTC, whole. */
  readonly time: Float64Array;
  /** Degrees, WGS84. */
  readonly lon: Float64Array;
  /** Degrees, WGS84. */
  readonly lat: Float64Array;
  /** km/h. */
  readonly speedKph: Float64Array | null;
  /** Degrees clockwise from north. */
  readonly courseDegrees: Float64Array | null;
  /** Metres. */
  readonly altitudeMeters: Float64Array | null;
  /** Metres. */
  readonly accuracyMeters: Float64Array | null;
  /** Number of satellites in view. */
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
 * Fixes of a file, of many units, in the file's order. A missing number is NaN; a boolean is 1 or 0,
 * or 255 if missing. A column is `null` if no fix has a value. The arrays are reused for the next batch: copy what you keep.
 */
export interface FixBatch extends FixTable {
  /** The names of all units so far. A unit keeps its index in later batches. */
  readonly unitIds: readonly string[];
  /** The unit of each fix, as an index into `unitIds`. */
  readonly unit: Uint32Array;
}

/** Why the unit's position was not known: the receiver was `jammed`, or repeated a `frozen` position. */
export type BlindReason = 'jammed' | 'frozen';

/** A cleaned track in columns, sorted by time. */
export interface Track {
  /** Number of fixes. */
  readonly length: number;
  /** Epoch milliseconds UTC, ascending. */
  readonly time: Float64Array;
  /** Degrees, WGS84. */
  readonly lon: Float64Array;
  /** Degrees, WGS84. */
  readonly lat: Float64Array;
  /** km/h, -1 if unknown; `null` if no fix has a speed. */
  readonly speedKph: Float64Array | null;
  /** Metres, -1 if unknown; `null` if no fix has an accuracy. */
  readonly accuracyMeters: Float64Array | null;
  /** 1 on, 0 off, 255 unknown; `null` if no fix has an ignition. */
  readonly ignition: Uint8Array | null;
  /** Odometer, metres, -1 if unknown; `null` if no fix has one. */
  readonly mileageMeters: Float64Array | null;
  /** Metres since the last report, -1 if unknown; `null` if no fix has one. */
  readonly mileageDeltaMeters: Float64Array | null;
  /**
   * Why the step that ends at a fix is blind: 0 seen, 1 `jammed`, 2 `frozen`. Where the unit was on a blind step is not known: it is a gap,
   * however short. `null` if no step is blind.
   */
  readonly blind: Uint8Array | null;
  /** What is still blind after the last fix: `jammed` if suspect fixes follow it, `frozen` if the track ends in a frozen place. */
  readonly blindAfter: BlindReason | null;
  /** Number of rejected fixes by reason. */
  readonly rejected: Readonly<Partial<Record<RejectReason, number>>>;
  /**
   * Why fixes were rejected: for each reason an example with its field, the received value and what to do, sorted by code. Also
   * `axis-order-suspect`. `readTrack` always gives it.
   */
  readonly issues?: readonly Issue[];
  /** Number of fixes whose time was moved by 1024 weeks. Present only with `rolloverWindow`. */
  readonly rolledOver?: number;
}

/** Fixes of one unit from a file: in the file's order, not cleaned. */
export interface RawTrack {
  /** The name of the track in the file. */
  readonly name: string;
  /** The unit whose track it is. */
  readonly unitId: string;
  /** In the file's order. */
  readonly fixes: readonly Fix[];
}

/** A problem that a reader found in foreign data. */
export interface Issue {
  /** A stable kebab-case word: `docs/errors.md` lists them. */
  readonly code: IssueCode;
  /** `error`: a part could not be read. `warning`: it was read, with a change or doubt. */
  readonly severity: 'error' | 'warning';
  /** Where in the data: `features[3].geometry`. */
  readonly field: string;
  /** The line of the text, from 1. */
  readonly line?: number;
  /** What was expected and what was found. */
  readonly message: string;
  /** Number of issues that this one stands for, if it counts those beyond the limit `maxIssues`. Absent: 1. */
  readonly count?: number;
}

/** Properties of a file as a whole: KML's Document, GPX's metadata, members of a GeoJSON FeatureCollection. */
export interface ForeignDocument {
  /** The name of the file's content. */
  readonly name?: string | undefined;
  /** All other properties; from XML as text, by the path of the element (`author.name`). */
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** The result of a reader: the data, and a list of issues. */
export interface ForeignData {
  /** The data that could be read. */
  readonly value: {
    /** Geozones with distinct ids. */
    readonly zones: readonly Geozone[];
    /** Groups, from folders and the like. */
    readonly groups: readonly GeozoneGroup[];
    /** Routes. */
    readonly routes: readonly Route[];
    /** Tracks, by unit. */
    readonly tracks: readonly RawTrack[];
    /** Properties of the file as a whole; absent if it has none. */
    readonly document?: ForeignDocument;
  };
  /** The problems that were found, in order. */
  readonly issues: readonly Issue[];
}
