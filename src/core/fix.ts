/** What a unit reports, and what readers of foreign data give. */

import type { Geozone, GeozoneGroup, Route } from './wire.js';

/** One report of a unit. `time` is epoch milliseconds UTC. */
export interface Fix {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
  readonly speedKph?: number;
  readonly courseDegrees?: number;
  readonly altitudeMeters?: number;
  readonly accuracyMeters?: number;
  readonly satellites?: number;
  readonly valid?: boolean;
  readonly ignition?: boolean;
}

/** A cleaned track in columns, sorted by time. */
export interface Track {
  readonly length: number;
  readonly time: Float64Array;
  readonly lon: Float64Array;
  readonly lat: Float64Array;
  readonly speedKph: Float64Array | null;
  readonly accuracyMeters: Float64Array | null;
  readonly ignition: Uint8Array | null;
  /** How many fixes were left out, by reason. */
  readonly rejected: Readonly<Record<string, number>>;
  /** How many fixes got a time 1024 weeks later; only where that was asked for. */
  readonly rolledOver?: number;
}

/** Fixes of one unit as a file gives them: in the file's order, not cleaned. */
export interface RawTrack {
  readonly name: string;
  readonly unitId: string;
  readonly fixes: readonly Fix[];
}

/** Something that a reader could not take as it stands. */
export interface Issue {
  readonly code: string;
  /** `error`: something could not be read. `warning`: read, but worth knowing. */
  readonly severity: 'error' | 'warning';
  readonly field: string;
  readonly line?: number;
  readonly message: string;
}

/** What could be read from foreign data, and all that could not. */
export interface ForeignData {
  readonly value: {
    readonly zones: readonly Geozone[];
    readonly groups: readonly GeozoneGroup[];
    readonly routes: readonly Route[];
    readonly tracks: readonly RawTrack[];
  };
  readonly issues: readonly Issue[];
}
