/** Fixes and tracks of units, and the result of the readers of foreign data. */

import type { IssueCode, RejectReason } from './errorCode.js';
import type { Geozone, GeozoneGroup, Route } from './wire.js';

/** One report of a unit. `time` is epoch milliseconds UTC. */
export interface Fix {
  /** Time, epoch milliseconds UTC. */
  readonly time: number;
  /** Longitude, degrees, WGS84. */
  readonly lon: number;
  /** Latitude, degrees, WGS84. */
  readonly lat: number;
  /** Speed, km/h. */
  readonly speedKph?: number | undefined;
  /** Course, degrees clockwise from north. */
  readonly courseDegrees?: number | undefined;
  /** Altitude, metres. */
  readonly altitudeMeters?: number | undefined;
  /** Radius around the position within which the unit probably is, metres. */
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

/** Position of a unit at a time. */
export type TimedPosition = Pick<Fix, 'time' | 'lon' | 'lat'>;

/** Names of the number columns whose values may be missing. */
export type FixNumberName =
  | 'speedKph'
  | 'courseDegrees'
  | 'altitudeMeters'
  | 'accuracyMeters'
  | 'satellites'
  | 'mileageMeters'
  | 'mileageDeltaMeters';

/** Names of the boolean columns whose values may be missing. */
export type FixFlagName = 'valid' | 'ignition';

/** Fixes in columns: the values at one index belong to one fix. Arrays may be longer than `length`. */
export interface FixTable {
  /** Number of fixes. */
  readonly length: number;
  /** Times, whole epoch milliseconds UTC. */
  readonly time: Float64Array;
  /** Longitudes, degrees, WGS84. */
  readonly lon: Float64Array;
  /** Latitudes, degrees, WGS84. */
  readonly lat: Float64Array;
  /** Speeds, km/h. */
  readonly speedKph: Float64Array | null;
  /** Courses, degrees clockwise from north. */
  readonly courseDegrees: Float64Array | null;
  /** Altitudes, metres. */
  readonly altitudeMeters: Float64Array | null;
  /** Accuracies, metres. */
  readonly accuracyMeters: Float64Array | null;
  /** Numbers of satellites in view. */
  readonly satellites: Float64Array | null;
  /** Odometer readings, metres. */
  readonly mileageMeters: Float64Array | null;
  /** Metres driven since the fix before, by the unit's sensor. */
  readonly mileageDeltaMeters: Float64Array | null;
  /** Whether the unit itself reports the position as valid: 1 yes, 0 no. */
  readonly valid: Uint8Array | null;
  /** Ignition: 1 on, 0 off. */
  readonly ignition: Uint8Array | null;
}

/**
 * Fixes of many units, in the order of their file. A missing number is NaN; a boolean is 1 or 0, or 255 if missing. A column is `null` if no fix
 * has a value. The arrays are reused for the next batch, so copy all kept values.
 */
export interface FixBatch extends FixTable {
  /** Ids of all units so far. A unit keeps its index in later batches. */
  readonly unitIds: readonly string[];
  /** The unit of each fix, as an index into `unitIds`. */
  readonly unit: Uint32Array;
}

/** Reason why the unit's position was unknown: the receiver was `jammed`, or repeated a `frozen` position. */
export type BlindReason = 'jammed' | 'frozen';

/** A cleaned track in columns, sorted by time. */
export interface Track {
  /** Number of fixes. */
  readonly length: number;
  /** Times, epoch milliseconds UTC, ascending. */
  readonly time: Float64Array;
  /** Longitudes, degrees, WGS84. */
  readonly lon: Float64Array;
  /** Latitudes, degrees, WGS84. */
  readonly lat: Float64Array;
  /** Speeds, km/h; -1 if unknown; `null` if no fix has a speed. */
  readonly speedKph: Float64Array | null;
  /** Accuracies, metres; -1 if unknown; `null` if no fix has an accuracy. */
  readonly accuracyMeters: Float64Array | null;
  /** Ignition: 1 on, 0 off, 255 unknown; `null` if no fix has an ignition. */
  readonly ignition: Uint8Array | null;
  /** Odometer readings, metres; -1 if unknown; `null` if no fix has a reading. */
  readonly mileageMeters: Float64Array | null;
  /** Metres driven since the last report; -1 if unknown; `null` if no fix has a value. */
  readonly mileageDeltaMeters: Float64Array | null;
  /**
   * Reason why the step that ends at a fix is blind: 0 not blind, 1 `jammed`, 2 `frozen`. The position on a blind step is unknown, so the step
   * is a gap even if it is short. `null` if no step is blind.
   */
  readonly blind: Uint8Array | null;
  /**
   * Reason why the time after the last fix is blind: `jammed` if suspect fixes follow it, `frozen` if the track ends at a frozen position;
   * else `null`.
   */
  readonly blindAfter: BlindReason | null;
  /** Number of rejected fixes by reason. */
  readonly rejected: Readonly<Partial<Record<RejectReason, number>>>;
  /**
   * For each reason of rejection an example with its field, the received value and advice, sorted by code. Also `axis-order-suspect`.
   * `readTrack` always sets it.
   */
  readonly issues?: readonly Issue[];
  /** Number of fixes whose time was moved by 1024 weeks. Present only with `rolloverWindow`. */
  readonly rolledOver?: number;
}

/** Fixes of one unit from a file, in the file's order, not cleaned. */
export interface RawTrack {
  /** Name of the track in the file. */
  readonly name: string;
  /** Id of the unit. */
  readonly unitId: string;
  /** Fixes in the file's order. */
  readonly fixes: readonly Fix[];
}

/** A problem that a reader found in foreign data. */
export interface Issue {
  /** Stable kebab-case code, listed in `docs/errors.md`. */
  readonly code: IssueCode;
  /** `error`: a part could not be read. `warning`: it was read, but changed or doubtful. */
  readonly severity: 'error' | 'warning';
  /** Path in the data: `features[3].geometry`. */
  readonly field: string;
  /** Line of the text, from 1. */
  readonly line?: number;
  /** Message with the expected and the found value. */
  readonly message: string;
  /**
   * Number of issues that this issue counts beyond the limit `maxIssues`. For a sensor that contradicts the positions: the number of
   * contradictions. Default: 1.
   */
  readonly count?: number;
  /** For a sensor that contradicts the positions: the number of compared steps, fixes or trips. */
  readonly of?: number;
  /** State that the speeds of `speed-contradicts` report. */
  readonly received?: 'rest' | 'motion';
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
    /** Groups, from folders and similar elements. */
    readonly groups: readonly GeozoneGroup[];
    /** Routes. */
    readonly routes: readonly Route[];
    /** Tracks, by unit. */
    readonly tracks: readonly RawTrack[];
    /** Properties of the whole file; absent if there are none. */
    readonly document?: ForeignDocument;
  };
  /** The problems that were found, in order. */
  readonly issues: readonly Issue[];
}
