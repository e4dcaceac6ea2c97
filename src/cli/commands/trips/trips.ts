/** `wayzone trips`: evaluates planned trips, as rows or whole reports. */

import { WayzoneError } from '../../../core/errors.js';
import type { Trip } from '../../../core/trip.js';
import {
  type FileIssue,
  type ReportTrip,
  TRIP_POINT_COLUMNS,
  TRIP_RUN_COLUMNS,
  tripNames,
  tripPointRows,
  tripRunRow,
} from '../../../report/index.js';
import type { ReportRow } from '../../../report/reportRow.js';
import { readTrack } from '../../../tracks/index.js';
import { changesOfRun, evaluateTrip, type TripReport } from '../../../trips/index.js';
import { ZoneIndex } from '../../../zones/zoneIndex.js';
import {
  besideTrips,
  fixOptions,
  type TrackFlags,
  trackReading,
  type ZoneFlags,
} from '../../flags/options.js';
import type { TripFlags } from '../../flags/tripFlags.js';
import { tripOptions } from '../../flags/tripOptions.js';
import { type Io, refuse, reportIssues } from '../../io/io.js';
import { type RowOutput, writeRows } from '../../io/openRows.js';
import { planHints, readTrips } from '../../io/readTrips.js';
import { type Collected, collect, lacksTracks } from '../../shared/collect.js';
import { exchangedZones } from '../../shared/exchangedZones.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';
import { allFixes } from '../../shared/unitTracks.js';
import { datesOf, readDays } from '../report/reportTrips.js';

export interface TripsFlags extends ZoneFlags, TrackFlags, TripFlags, RowOutput {
  readonly trips?: readonly string[];
  readonly plan?: readonly string[];
  readonly zones?: readonly string[];
  readonly tracks: readonly string[];
  readonly rows: 'points' | 'runs';
  readonly workers: number;
}

export async function trips(flags: TripsFlags, timeZone: string, io: Io): Promise<boolean> {
  const reading = besideTrips(trackReading(flags));
  const collected = await collect({ zones: flags.zones ?? [], tracks: flags.tracks }, reading, io.stderr);
  const { issues } = collected;
  const files = [...(flags.trips ?? []), ...(flags.plan ?? [])];
  const units = lacksTracks(collected)
    ? null
    : exchangedZones(
        new ZoneIndex(collected.zones, { onIssue: () => undefined }),
        collected.units,
        issues,
        flags,
      );
  if (units === null) {
    collected.close();
    const why = 'the tracks could not be read, or do not fit the zones, so no run is printed';
    return refuse(issues, io, why);
  }
  const { trips: planned } = await readTrips(files, issues, collected.zones, planHints(reading.table));
  const nameOf = tripNames(planned);
  const handed = planned.filter(isHandedOver);
  const options: ReplayCommand = {
    trips: planned.filter((trip) => !handed.includes(trip)),
    tripOptions: tripOptions(flags, timeZone),
    trackOptions: fixOptions(flags),
    // A function cannot be sent to another thread.
    workers: flags.predictSpeed === undefined ? flags.workers : 1,
    ...(flags.date === undefined ? {} : { dates: flags.date }),
  };
  const runs: ReportTrip[] = [];
  // Before the replay, which closes the fixes: runs that are handed over need the tracks of several units.
  for (const report of handedRuns(handed, units, flags, timeZone, issues))
    runs.push({ name: nameOf(report), report });
  for await (const { trips: reports } of replayUnits(
    { units, close: collected.close },
    options,
    issues,
    io,
  )) {
    for (const report of reports) runs.push({ name: nameOf(report), report });
  }
  if (runs.length === 0 && planned.length > 0) {
    const message = 'expected runs of the trips on these days, received none';
    issues.push({ code: 'no-runs', severity: 'warning', field: '', message, file: files[0] ?? '' });
  }
  if (flags.format === 'csv' || flags.out !== undefined) await writeTable(runs, flags, io);
  else
    await writeRows<object, never>([], flags, io, async (rows) => {
      for (const { name, report } of runs) await rows.write([{ name, ...report }]);
    });
  return reportIssues(issues, io.stderr);
}

/** Writes a row for each run, or for each point of the runs. */
async function writeTable(runs: readonly ReportTrip[], flags: TripsFlags, io: Io): Promise<void> {
  const isRuns = flags.rows === 'runs';
  const columns: readonly string[] = isRuns ? TRIP_RUN_COLUMNS : TRIP_POINT_COLUMNS;
  await writeRows<ReportRow<string>, string>(columns, flags, io, async (rows) => {
    for (const run of runs) await rows.write(isRuns ? [tripRunRow(run)] : tripPointRows(run));
  });
}

/** Whether the trip has a hand-over among its changes. */
function isHandedOver({ changes }: Trip): boolean {
  return Array.isArray(changes) && changes.some((change: unknown) => Object(change).type === 'handOver');
}

/** Reports of trips whose runs are handed over. A run that cannot be evaluated becomes an issue. */
function handedRuns(
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
