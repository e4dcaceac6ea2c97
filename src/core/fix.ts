/** What a unit reports, and what readers of foreign data give. */

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
  /** How many fixes were left out, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
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
  /** A stable kebab-case word: see the README's table. */
  readonly code: string;
  /** `error`: something could not be read. `warning`: read, but worth knowing. */
  readonly severity: 'error' | 'warning';
  /** Where in the data: `features[3].geometry`. */
  readonly field: string;
  /** The line of the text, from 1. */
  readonly line?: number;
  /** What was expected and what was found. */
  readonly message: string;
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
  };
  /** All that could not be read, or not as it stands. */
  readonly issues: readonly Issue[];
}
