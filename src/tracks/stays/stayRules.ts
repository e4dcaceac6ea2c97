/** Input of a search for stays, and the receiver of its decisions. */

import type { Track } from '../../core/fix.js';

/** Noise of positions alone is as wide. */
const LEAST_METERS = 15;

export interface StayRules {
  /** The least duration of a stay. */
  readonly dwellMs: number;
  /** Of a place. */
  readonly radiusMeters: number;
  /** A fix so far away may leave a place at once. */
  readonly leaveMeters: number;
  /** The speed at which time is no rest. */
  readonly minSpeedKph: number;
  /** Whether a fix with the ignition off rests at any speed. */
  readonly needsIgnition: boolean;
  /** The longest way over a sleep. */
  readonly sleepMeters: number;
  /** The longest step. A longer one without a sleep ends the stay or the way. */
  readonly maxGapMs: number;
  /** Whether silence of `maxGapMs` ends the stay or way under way. A sleep after it begins at the last fix. */
  readonly endsBySilence: boolean;
}

/** Columns of fixes: those of a track, or in a stream the last two of a unit. */
export type FixColumns = Pick<
  Track,
  'time' | 'lon' | 'lat' | 'speedKph' | 'ignition' | 'mileageMeters' | 'mileageDeltaMeters'
>;

/** Receives the decisions in order of time. `row` is the first number of an entry of `recent`. */
export interface StaySink {
  /** Whether `step` gets entries that belong to no stay. */
  readonly takesWays: boolean;
  /** Whether it needs them as soon as no stay can take them. */
  readonly isWaiting: boolean;
  /** The first fix, also after a gap. */
  start(recent: readonly number[], row: number): void;
  /** The steps to an entry belong to the stay under way, or else to the way. */
  step(recent: readonly number[], row: number): void;
  /** A stay began at the entry whose steps came last. */
  begin(recent: readonly number[], row: number, centreLon: number, centreLat: number): void;
  /** The stay ended at the entry whose steps came last; its place over the last dwell. */
  end(recent: readonly number[], row: number, placeLon: number, placeLat: number): void;
  /**
   * No fix can join those before: a gap follows, or the track ends. The last entry belongs to the last fix. `isOpen`: since the last stay
   * no fix was known to have left it.
   */
  close(recent: readonly number[], row: number, isOpen: boolean): void;
}

/** Metres: at most `stayMeters`, and at most half of what the least speed covers in the time. */
export function placeRadius(minSpeedKph: number, milliseconds: number, stayMeters: number): number {
  const half = (minSpeedKph * milliseconds) / 7200;
  return Math.max(LEAST_METERS, Math.min(stayMeters, half));
}
