/** Finds zones and units whose latitudes and longitudes seem exchanged, when all files are read. */

import { FlatPairs } from '../../core/flatPairs.js';
import type { Geozone } from '../../core/wire.js';
import { geodesicDistance } from '../../geodesy/inverse.js';
import { suspectUnits } from '../../interchange/common/suspectUnits.js';
import type { FileIssue } from '../../report/index.js';
import type { UnitColumns } from './unitColumns.js';

/** Zones farther than this from every unit are looked at, metres. */
const FAR_METERS = 500_000;
/** Their mirror images must be this near a unit, metres. */
const NEAR_METERS = 100_000;
const SAMPLE = 64;

interface Place {
  readonly time: number;
  readonly lon: number;
  readonly lat: number;
}

/** The first fix of a unit; null without fixes. */
function firstOf(columns: UnitColumns): Place | null {
  for (const { length, time, lon, lat } of columns) {
    if (length > 0) return { time: time[0]!, lon: lon[0]!, lat: lat[0]! };
  }
  return null;
}

/** Ids of units that are near the others only with exchanged positions. */
export function exchangedUnits(units: ReadonlyMap<string, UnitColumns>): string[] {
  if (units.size < 2) return [];
  return suspectUnits(
    [...units].flatMap(([unit, columns]) => {
      const first = firstOf(columns);
      return first === null ? [] : [{ unit, ...first }];
    }),
  );
}

/** An error if every zone is far from every unit, and near one with its numbers exchanged; else null. */
export function exchangedZones(
  zones: readonly Geozone[],
  units: readonly { readonly fixes: UnitColumns }[],
  axisOrder: 'lonlat' | 'latlon',
  file: string,
): FileIssue | null {
  const places = zones.slice(0, SAMPLE).flatMap(({ geometry }) => {
    const given: unknown = geometry;
    const [pair] = given instanceof FlatPairs ? given.toPairs(1) : geometry;
    if (pair === undefined) return [];
    return [axisOrder === 'latlon' ? ([pair[1], pair[0]] as const) : ([pair[0], pair[1]] as const)];
  });
  const fixes = units.slice(0, SAMPLE).flatMap(({ fixes: columns }) => firstOf(columns) ?? []);
  if (places.length === 0 || fixes.length === 0) return null;
  const least = (lon: number, lat: number): number =>
    Math.min(...fixes.map((fix) => geodesicDistance(lon, lat, fix.lon, fix.lat)));
  const isExchanged = places.every(
    ([lon, lat]) => Math.abs(lon) <= 90 && least(lon, lat) > FAR_METERS && least(lat, lon) <= NEAR_METERS,
  );
  if (!isExchanged) return null;
  const message =
    'every zone is far from every unit, and near one with latitude and longitude exchanged; say it: --axis-order latlon, or correct the file';
  return { code: 'axis-order-suspect', severity: 'error', field: '', message, file };
}
