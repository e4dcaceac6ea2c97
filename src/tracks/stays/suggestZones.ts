/** `suggestZones`: the places where units stay again and again, as zones. */

import { lonStep } from '../../core/angles.js';
import { DAY_MS } from '../../core/durations.js';
import { inputError, isArray } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { guarded, MAX_TIME, readPosition } from '../../core/input.js';
import { makeClock } from '../../core/localClock.js';
import { type OptionTable, OWN, readOptions } from '../../core/options.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { checkIndex, type ZoneIndexLike } from '../zoneIndexLike.js';
import { quantile } from './findStays.js';
import { NearTree } from './nearTree.js';

/** Options that decide when stays are a place. */
export interface SuggestZonesOptions {
  /** Greatest distance of a stay from its place, metres, at least 1. Default 75. */
  readonly linkMeters?: number | undefined;
  /** A place has at least so many stays. Default 3, at least 1. */
  readonly minVisits?: number | undefined;
  /** They begin on at least so many days. Default 2, at least 1. */
  readonly minDays?: number | undefined;
  /** IANA time zone of the days. Default `UTC`. */
  readonly timeZone?: string | undefined;
  /** Existing zones. Stays in these zones are left out. Default: none. */
  readonly known?: ZoneIndexLike | undefined;
}

export const SUGGEST_ZONES_OPTIONS: OptionTable<SuggestZonesOptions, 'timeZone'> = {
  linkMeters: { default: 75, min: 1 },
  minVisits: { default: 3, min: 1, isWhole: true },
  minDays: { default: 2, min: 1, isWhole: true },
  timeZone: OWN,
  known: OWN,
};

/** A stay of a unit, from `findStays` or from the parkings of `detectTrips`. */
export interface UnitStay {
  /** The unit's. */
  readonly unitId: string;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly to: number;
  /** `[lon, lat]`. */
  readonly centre: Position;
}

/** A circle, as `completeGeozone` takes it. */
export interface CircleShape {
  /** The key of the type. */
  readonly type: {
    /** Always `circle`. */
    readonly key: 'circle';
  };
  /** The centre, `[lon, lat]`. */
  readonly geometry: readonly Position[];
  /** Radius, metres. */
  readonly width: number;
}

/** A place that may become a zone. */
export interface ZoneSuggestion {
  /** A circle around its stays. */
  readonly shape: CircleShape;
  /** Number of stays. */
  readonly visits: number;
  /** Number of local days on which the stays begin. */
  readonly days: number;
  /** Number of units. */
  readonly units: number;
  /** Median of their durations. */
  readonly medianStaySeconds: number;
}

/** Added to the 0.95 quantile of the distances of stays from their place, and the least radius. */
const MARGIN_METERS = 20;
const MIN_RADIUS_METERS = 30;

/**
 * The places where units stayed, for any number of units and days. Sorted by number of visits (greatest first), then by longitude and latitude.
 *
 * - A place is found from the stay that has the most other stays within `linkMeters`. The centre of the place is the median of these stays. All
 *   stays within `linkMeters` of the centre are its visits. Then the next place is found among the other stays. So a street of stays becomes a
 *   row of places.
 * - Places with fewer than `minVisits`, or on fewer than `minDays` local days, are left out. Stays in a zone of `known` are left out too.
 * - The order of the stays does not matter.
 *
 * Errors: `visits-type`, `visit-invalid`, `option-type`, `option-unknown`, `option-value`, `index-type`, `tz-unknown`. Cost: O(n log n) if few
 * stays are near each other, up to O(n √n) if they are all near each other.
 *
 * @example
 * ```ts
 * import { suggestZones } from 'wayzone/tracks';
 * const stays = [0, 1, 2].map((day) => ({ unitId: 'van', from: day * 864e5, to: day * 864e5 + 6e5, centre: [37.6, 55.7 + day * 1e-5] }));
 * suggestZones(stays).map(({ shape, visits, days }) => [shape.width, visits, days]); // [[30, 3, 3]]
 * ```
 */
export function suggestZones(
  stays: readonly UnitStay[],
  options: SuggestZonesOptions = {},
): ZoneSuggestion[] {
  const values = readOptions(options, SUGGEST_ZONES_OPTIONS);
  const { linkMeters, minVisits, minDays, timeZone = 'UTC' } = values;
  const known = (values.known ?? null) as ZoneIndexLike | null;
  if (known !== null) checkIndex(known, 'options.known');
  const clock = makeClock(timeZone);
  const read = readUnitStays(stays);
  const own = read.filter(({ centre }) => known === null || known.at(centre).length === 0).sort(byPlace);
  const tree = new NearTree(
    own.map(({ centre }) => centre),
    linkMeters,
  );
  const suggestions: ZoneSuggestion[] = [];
  for (let seed = tree.densest(); seed !== null; seed = tree.densest()) {
    const near = tree.near(own[seed]!.centre);
    if (near.length < minVisits) break;
    const centre = medianOf(near.map((i) => own[i]!.centre));
    const members = tree.near(centre);
    for (const i of members) tree.remove(i);
    tree.remove(seed);
    const visits = members.map((i) => own[i]!);
    const days = new Set(visits.map(({ from }) => Math.floor(clock.wallTimeOf(from) / DAY_MS))).size;
    if (visits.length < minVisits || days < minDays) continue;
    const distances = visits.map(({ centre: [lon, lat] }) =>
      geodesicDistance(centre[0], centre[1], lon, lat),
    );
    const radius = Math.max(MIN_RADIUS_METERS, quantile(distances, 0.95) + MARGIN_METERS);
    suggestions.push({
      shape: { type: { key: 'circle' }, geometry: [centre], width: radius },
      visits: visits.length,
      days,
      units: new Set(visits.map(({ unitId }) => unitId)).size,
      medianStaySeconds: middle(visits.map(({ from, to }) => to - from)) / 1000,
    });
  }
  return suggestions.sort(
    (a, b) =>
      b.visits - a.visits ||
      a.shape.geometry[0]![0]! - b.shape.geometry[0]![0]! ||
      a.shape.geometry[0]![1]! - b.shape.geometry[0]![1]!,
  );
}

function readUnitStays(stays: readonly UnitStay[]): UnitStay[] {
  if (!isArray(stays)) throw inputError('visits-type', 'stays', 'a list of stays', stays);
  return guarded('stays', () =>
    Array.from(stays, (given: unknown, i): UnitStay => {
      const field = `stays[${i}]`;
      if (typeof given !== 'object' || given === null)
        throw inputError('visit-invalid', field, '{unitId, from, to, centre}', given);
      const { unitId, from, to, centre } = given as UnitStay;
      if (typeof unitId !== 'string') throw inputError('visit-invalid', `${field}.unitId`, 'a text', unitId);
      if (
        !(
          Number.isInteger(from) &&
          Number.isInteger(to) &&
          from <= to &&
          Math.abs(from) <= MAX_TIME &&
          to <= MAX_TIME
        )
      )
        throw inputError(
          'visit-invalid',
          field,
          'from and to in epoch milliseconds, in this order',
          [from, to].join(' '),
        );
      const [lon, lat] = readPosition(centre, `${field}.centre`);
      return { unitId, from, to, centre: [lon, lat] };
    }),
  );
}

function byPlace(a: UnitStay, b: UnitStay): number {
  return (
    a.centre[0] - b.centre[0] ||
    a.centre[1] - b.centre[1] ||
    a.from - b.from ||
    a.to - b.to ||
    (a.unitId < b.unitId ? -1 : a.unitId > b.unitId ? 1 : 0)
  );
}

/** The median of the longitudes and that of the latitudes. */
function medianOf(positions: readonly Position[]): Position {
  const [lon] = positions[0]!;
  const east = lon + middle(positions.map((position) => lonStep(lon, position[0])));
  return [east > 180 ? east - 360 : east < -180 ? east + 360 : east, middle(positions.map(([, lat]) => lat))];
}

function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}
