/** The trips of companies that a worker follows, at the version that a cell has recorded. */

import type { Trip } from 'wayzone/trips';
import { grouped } from '../grouped.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { readRowsBetween } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { type CellPart, partOf } from './cellMap.js';
import { oneByOne } from './oneByOne.js';
import { checkKept } from './pruneZones.js';

export interface VersionedTrips {
  readonly version: number;
  /** The company's time zone, an IANA name. */
  readonly timeZone: string;
  /** Live trips of the units of a part, by unit. A trip that was not edited is the same object at every version. */
  readonly unitsOf: (part: CellPart) => UnitTrips;
}

export type UnitTrips = ReadonlyMap<string, readonly FollowedTrip[]>;
export type FollowedTrip = Trip & { readonly id: string };

export interface TripSource {
  at(companyId: string, version: number): Promise<VersionedTrips>;
}

interface Held extends VersionedTrips {
  readonly trips: ReadonlyMap<string, FollowedTrip>;
}

export function tripSource({ db }: Storage): TripSource {
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
            unitsOf: inParts(grouped(trips.values(), ({ unit }) => unit.id)),
          };
        }
        if (known === undefined || known.version < version) held.set(companyId, next);
        return next;
      }),
  };
}

/** Parts units, once for each modulus. */
function inParts(units: UnitTrips): Held['unitsOf'] {
  const byModulus = new Map<number, Map<number, Map<string, readonly FollowedTrip[]>>>();
  const partsOf = (modulus: number) => {
    const parts = new Map<number, Map<string, readonly FollowedTrip[]>>();
    for (const [unitId, own] of units) {
      const part = partOf(unitId, modulus);
      parts.set(part, (parts.get(part) ?? new Map()).set(unitId, own));
    }
    byModulus.set(modulus, parts);
    return parts;
  };
  return ({ modulus, residue }) =>
    (byModulus.get(modulus) ?? partsOf(modulus)).get(residue) ?? new Map<string, readonly FollowedTrip[]>();
}
