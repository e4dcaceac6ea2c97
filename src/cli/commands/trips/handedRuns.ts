/** Runs of `wayzone trips` that are handed over between units, for which several tracks are needed. */

import { WayzoneError } from '../../../core/errors.js';
import type { Trip } from '../../../core/trip.js';
import type { FileIssue } from '../../../report/index.js';
import { readTrack } from '../../../tracks/index.js';
import { changesOfRun, evaluateTrip, type TripReport } from '../../../trips/index.js';
import { fixOptions } from '../../flags/options.js';
import { tripOptions } from '../../flags/tripOptions.js';
import type { Collected } from '../../shared/collect.js';
import { allFixes } from '../../shared/unitTracks.js';
import { datesOf, readDays } from '../report/reportTrips.js';

/** Whether the trip has a hand-over among its changes. */
export function isHandedOver({ changes }: Trip): boolean {
  return Array.isArray(changes) && changes.some((change: unknown) => Object(change).type === 'handOver');
}

/** Reports of trips whose runs are handed over. A run that cannot be evaluated becomes an issue. */
export function handedRuns(
  handed: readonly Trip[],
  units: Collected['units'],
  flags: Parameters<typeof tripOptions>[0],
  timeZone: string,
  issues: FileIssue[],
): TripReport[] {
  const options = tripOptions(flags, timeZone);
  const days = readDays(flags.date);
  const fixesOfUnit = new Map(units.map(({ unitId, fixes }) => [unitId, fixes]));
  return handed.flatMap((trip) => {
    const names = new Set([trip.unit.id, ...trip.changes!.map(({ unitId }) => unitId)]);
    const tracks = Object.fromEntries(
      [...fixesOfUnit].flatMap(([unitId, fixes]) =>
        names.has(unitId) ? [[unitId, readTrack(allFixes(fixes), fixOptions(flags))]] : [],
      ),
    );
    return datesOf(trip, days).flatMap((date) => {
      try {
        return [evaluateTrip(trip, date, { tracks }, { ...options, changes: changesOfRun(trip, date) })];
      } catch (error) {
        if (!(error instanceof WayzoneError)) throw error;
        const { code, field, message } = error;
        const of = `unit ${JSON.stringify(trip.unit.id)} trip ${JSON.stringify(trip.id)} ${date} ${field}`;
        issues.push({ code, severity: 'error', field: of, message, file: '' });
        return [];
      }
    });
  });
}
