/** Finds zones and units with exchanged latitudes and longitudes, after all files are read. */

import type { FixTable, TimedPosition } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { FAR_UNIT_METERS, suspectUnits } from '../../interchange/common/suspectUnits.js';
import type { FileIssue } from '../../report/index.js';
import type { ZoneIndex } from '../../zones/zoneIndex.js';
import type { UnitColumns } from './unitColumns.js';

/** Largest distance from a zone to a mirrored position, metres. */
const NEAR_METERS = 100_000;
/** Distance between all tracks and the nearest zone that is reported, metres. */
const FAR_METERS = 500_000;
/** Largest number of units that are compared. */
const MOST_UNITS = 2000;
/** Largest number of units that a message names. */
const MOST_NAMED = 20;

export interface UnitFixes {
  readonly unitId: string;
  readonly fixes: Iterable<FixTable>;
}

/** Flags that concern exchanged positions. */
export interface ExchangeFlags {
  readonly tracks?: readonly string[];
  readonly swappedUnits?: readonly string[];
}

/** Whether the user says that no unit is exchanged, whatever it looks like. */
export function acceptsFarUnits({ swappedUnits }: ExchangeFlags): boolean {
  return swappedUnits?.length === 1 && swappedUnits[0] === 'none';
}

/** The first fix of a unit; null without fixes. */
function firstOf(columns: UnitColumns): TimedPosition | null {
  for (const { length, time, lon, lat } of columns) {
    if (length > 0) return { time: time[0]!, lon: lon[0]!, lat: lat[0]! };
  }
  return null;
}

/** The first, a middle and the last position of a unit's first table. */
function samplesOf(tables: Iterable<FixTable>): Position[] {
  for (const { length, lon, lat } of tables) {
    if (length === 0) continue;
    const at = new Set([0, length >> 1, length - 1]);
    return [...at].map((i): Position => [lon[i]!, lat[i]!]);
  }
  return [];
}

/** Ids of units that are near the other units only with longitude and latitude exchanged. */
export function exchangedUnits(units: ReadonlyMap<string, UnitColumns>): string[] {
  if (units.size < 2) return [];
  return suspectUnits(
    [...units].flatMap(([unit, columns]) => {
      const first = firstOf(columns);
      return first === null ? [] : [{ unit, ...first }];
    }),
  );
}

/** Whether all positions are far from every zone, and near one with longitude and latitude exchanged. */
export function seemExchanged(index: ZoneIndex, positions: readonly Position[]): boolean {
  return (
    positions.length > 0 &&
    index.size > 0 &&
    positions.every(
      ([lon, lat]) =>
        Math.abs(lon) <= 90 &&
        index.nearest([lon, lat], { maxMeters: FAR_UNIT_METERS }).length === 0 &&
        index.nearest([lat, lon], { maxMeters: NEAR_METERS }).length > 0,
    )
  );
}

function distanceTo(index: ZoneIndex, place: Position): number {
  return index.nearest(place, { count: 1 })[0]?.distanceMeters ?? 0;
}

/**
 * The units whose positions fit the zones. A warning says how far all positions are from all zones, if that is far. An error in `issues` names the other units: they are near a zone only with longitude and
 * latitude exchanged. Null if no unit fits: either the zones or the tracks are exchanged, and the files do not show which.
 */
export function exchangedZones<Unit extends UnitFixes>(
  index: ZoneIndex,
  units: readonly Unit[],
  issues: FileIssue[],
  flags: ExchangeFlags,
): readonly Unit[] | null {
  if (index.size === 0 || acceptsFarUnits(flags)) return units;
  let hasFixes = false;
  let fits = false;
  let nearest = Number.POSITIVE_INFINITY;
  const suspects = new Set<string>();
  for (const { unitId, fixes } of units.slice(0, MOST_UNITS)) {
    const samples = samplesOf(fixes);
    if (samples.length === 0) continue;
    hasFixes = true;
    if (seemExchanged(index, samples)) suspects.add(unitId);
    else {
      fits = true;
      if (nearest > FAR_METERS)
        nearest = Math.min(nearest, ...samples.map((place) => distanceTo(index, place)));
    }
  }
  if (fits && nearest > FAR_METERS) {
    const km = Math.round(nearest / 1000).toLocaleString('en');
    const message = `expected tracks near the zones, received positions that are all ${km} km and more from the nearest zone`;
    issues.push({
      code: 'zones-far',
      severity: 'warning',
      field: '',
      message,
      file: flags.tracks?.[0] ?? '',
    });
  }
  if (!hasFixes || suspects.size === 0) return units;
  issues.push({
    code: 'axis-order-suspect',
    severity: 'error',
    field: fits ? 'unit' : '',
    message: fits ? someMessage([...suspects]) : allMessage([...suspects]),
    file: flags.tracks?.[0] ?? '',
  });
  return fits ? units.filter(({ unitId }) => !suspects.has(unitId)) : null;
}

function someMessage(units: readonly string[]): string {
  return `${quoted(units)} far from every zone, and near one with latitude and longitude exchanged; not read; say it: --swapped-units ${named(units)}`;
}

function allMessage(units: readonly string[]): string {
  return `every unit is far from every zone, and near one with latitude and longitude exchanged; say which are exchanged: the zones (--axis-order latlon), or the tracks (--swapped-units ${named(units)}; pairs in one cell: --axis-order lonlat); or --swapped-units none`;
}

function quoted(units: readonly string[]): string {
  const rest = units.length > MOST_NAMED ? ` and ${units.length - MOST_NAMED} more` : '';
  return `${units
    .slice(0, MOST_NAMED)
    .map((id) => JSON.stringify(id))
    .join(', ')}${rest}`;
}

function named(units: readonly string[]): string {
  return units
    .slice(0, MOST_NAMED)
    .map((id) => (/^[\w.-]+$/.test(id) ? id : JSON.stringify(id)))
    .join(' ');
}
