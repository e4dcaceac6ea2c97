/** A track for the slow reference: clean fixes, and their visits by the slow implementation of §4. */

import type { Fix } from '../../../src/core/fix.js';
import type { Trip } from '../../../src/core/trip.js';
import { signedDistanceMeters, ZoneIndex } from '../../../src/index.js';
import { tripZones } from '../../../src/trips/index.js';
import { type SlowZone, slowZoneVisits } from '../../tracks/oracle/slowZoneVisits.js';
import type { SlowOptions, SlowTrack } from './slowModel.js';

/** `fixes` are in order of time and plausible. */
export function slowSource(trip: Trip, fixes: readonly Fix[], options: SlowOptions): SlowTrack {
  const { defaultWidthMeters = 100 } = options;
  const rows = tripZones(trip, { defaultWidthMeters });
  const keys = rows.map(({ type, geometry, width }) => JSON.stringify([type.key, geometry, width]));
  const zones = rows
    .filter((_, i) => keys.indexOf(keys[i]!) === i)
    .map((row): SlowZone => {
      const index = new ZoneIndex([row]);
      return {
        id: row.id,
        distanceMeters: (place) => signedDistanceMeters(row, place),
        crossing: (a, b) => index.crossing(a, b),
      };
    });
  return {
    fixes,
    visitsUpTo: (now) => {
      const known = fixes.filter((fix) => fix.time <= now);
      return zones.flatMap((zone) => slowZoneVisits(known, zone, options)).sort((a, b) => a.enter - b.enter);
    },
  };
}
