/** The trips of companies that a worker follows, at the version that a cell has recorded. */

import type { Trip } from 'wayzone/trips';
import { grouped } from '../grouped.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { readRowsBetween } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { type CellMap, type CompanyCells, cellOf } from './cellMap.js';
import { oneByOne } from './oneByOne.js';
import { checkKept } from './pruneZones.js';

export interface VersionedTrips {
  readonly version: number;
  /** The company's time zone, an IANA name. */
  readonly timeZone: string;
  /** Live trips by cell and unit. A trip that was not edited is the same object at every version. */
  readonly units: ReadonlyMap<number, ReadonlyMap<string, readonly FollowedTrip[]>>;
}

export type FollowedTrip = Trip & { readonly id: string };

export interface TripSource {
  at(companyId: string, version: number): Promise<VersionedTrips>;
}

interface Held extends VersionedTrips {
  readonly trips: ReadonlyMap<string, FollowedTrip>;
}

export function tripSource({ db }: Storage, cells: CellMap): TripSource {
  const held = new Map<string, Held>();
  const inTurn = oneByOne();

  const read = async (companyId: string, since: number, version: number): Promise<FollowedTrip[]> => {
    const rows = await readRowsBetween<FollowedTrip>(db, 'trips', companyId, { since, version });
    await checkKept(db, companyId, version);
    return rows;
  };
  const isFollowed = (trip: FollowedTrip): boolean =>
    (trip as { readonly is_delete?: unknown }).is_delete !== true && typeof trip.unit?.id === 'string';

  return {
    at: (companyId, version) =>
      inTurn(companyId, async () => {
        const known = held.get(companyId);
        if (known?.version === version) return known;
        const base = known !== undefined && known.version < version ? known : null;
        const changed = await read(companyId, base?.version ?? -1, version);
        let next: Held;
        if (base !== null && changed.length === 0) next = { ...base, version };
        else {
          const trips = new Map(base?.trips);
          for (const trip of changed) {
            if (isFollowed(trip)) trips.set(trip.id, trip);
            else trips.delete(trip.id);
          }
          next = {
            version,
            timeZone: base?.timeZone ?? (await timeZoneOf({ db }, companyId)),
            trips,
            units: byUnit(trips.values(), await cells.of(companyId)),
          };
        }
        if (known === undefined || known.version < version) held.set(companyId, next);
        return next;
      }),
  };
}

function byUnit(trips: Iterable<FollowedTrip>, cells: CompanyCells): Held['units'] {
  const units = new Map<number, Map<string, FollowedTrip[]>>();
  for (const [unitId, own] of grouped(trips, ({ unit }) => unit.id)) {
    const cell = cellOf(cells, unitId);
    const ofCell = units.get(cell) ?? new Map<string, FollowedTrip[]>();
    units.set(cell, ofCell.set(unitId, own));
  }
  return units;
}
