/** `wayzone trips`: evaluates planned trips, as rows or whole reports. */

import {
  type ReportTrip,
  TRIP_POINT_COLUMNS,
  TRIP_RUN_COLUMNS,
  tripNames,
  tripPointRows,
  tripRunRow,
} from '../../../report/index.js';
import {
  type FixFlags,
  type Format,
  fixOptions,
  type TrackFlags,
  trackReading,
  type VisitFlags,
  type ZoneFlags,
} from '../../flags/options.js';
import type { TripFlags } from '../../flags/tripFlags.js';
import { tripOptions } from '../../flags/tripOptions.js';
import type { Io } from '../../io/io.js';
import { readTrips } from '../../io/readTrips.js';
import { reportIssues } from '../../io/reportIssues.js';
import { writeObjects, writeRows } from '../../io/writeRows.js';
import { collect } from '../../shared/collect.js';
import { type ReplayCommand, replayUnits } from '../../shared/replayUnits.js';

export interface TripsFlags extends ZoneFlags, TrackFlags, FixFlags, VisitFlags, TripFlags {
  readonly trips: readonly string[];
  readonly tracks: readonly string[];
  readonly rows: 'points' | 'runs';
  readonly format: Format;
  readonly workers: number;
}

export async function trips(flags: TripsFlags, timeZone: string, io: Io): Promise<boolean> {
  const collected = await collect({ zones: [], tracks: flags.tracks }, trackReading(flags));
  const { issues } = collected;
  const { trips: planned } = await readTrips(flags.trips, issues);
  const nameOf = tripNames(planned);
  const options: ReplayCommand = {
    trips: planned,
    tripOptions: tripOptions(flags, timeZone),
    trackOptions: fixOptions(flags),
    // A function cannot be sent to another thread.
    workers: flags.predictSpeed === undefined ? flags.workers : 1,
    ...(flags.date === undefined ? {} : { dates: flags.date }),
  };
  const runs: ReportTrip[] = [];
  for await (const { trips: reports } of replayUnits(collected, options, issues, io)) {
    for (const report of reports) runs.push({ name: nameOf(report), report });
  }
  if (runs.length === 0 && planned.length > 0) {
    const message = 'expected runs of the trips on these days, received none';
    issues.push({ code: 'no-runs', severity: 'warning', field: '', message, file: flags.trips[0] ?? '' });
  }
  const { format } = flags;
  if (format !== 'csv')
    writeObjects(
      runs.map(({ name, report }) => ({ name, ...report })),
      format,
      io,
    );
  else if (flags.rows === 'runs')
    writeRows(
      TRIP_RUN_COLUMNS,
      runs.map((run) => tripRunRow(run)),
      format,
      io,
    );
  else
    writeRows(
      TRIP_POINT_COLUMNS,
      runs.flatMap((run) => tripPointRows(run)),
      format,
      io,
    );
  return reportIssues(issues, io.stderr);
}
