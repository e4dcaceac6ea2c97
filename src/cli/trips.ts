/** `wayzone trips`: what became of planned trips, as rows or whole reports. */

import { type Command, Option } from 'commander';
import {
  type ReportTrip,
  summarizeIssues,
  TRIP_POINT_COLUMNS,
  TRIP_RUN_COLUMNS,
  tripNames,
  tripPointRows,
  tripRunRow,
} from '../report/index.js';
import { collect } from './collect.js';
import {
  addFormat,
  addShapeFlags,
  addTrackFlags,
  addVisitFlags,
  addWorkers,
  amount,
  type Format,
  type TrackFlags,
  trackReading,
  type VisitFlags,
  type ZoneFlags,
} from './options.js';
import { readTrips } from './readTrips.js';
import { replayUnits } from './replayUnits.js';
import type { Io, Run } from './run.js';
import { issueLines } from './terminal.js';
import { addTripFlags, type TripFlags, tripOptions } from './tripFlags.js';
import { writeObjects, writeRows } from './writeRows.js';

interface TripsFlags extends ZoneFlags, TrackFlags, VisitFlags, TripFlags {
  readonly trips: readonly string[];
  readonly tracks: readonly string[];
  readonly rows: 'points' | 'runs';
  readonly format: Format;
  readonly maxSpeed: number;
  readonly workers: number;
}

/** Adds the command `trips`. */
export function addTrips(program: Command, io: Io, run: Run): void {
  const command = program
    .command('trips')
    .summary('planned trips against what the units did, as rows')
    .description(
      'Evaluates every run of every trip with the fixes of its unit. CSV has one row a point, or a run; json and ndjson ' +
        'have the whole report of each run. Times are ISO 8601 UTC (in reports epoch milliseconds).',
    )
    .requiredOption('--trips <file...>', 'trips (.json: a list, {list} or one trip; .ndjson: one a line)')
    .requiredOption(
      '--tracks <file...>',
      'tracks (.gpx, .csv, .csv.gz, .kml); a trip names its unit by unit.id',
    )
    .addOption(new Option('--rows <what>', 'of CSV').choices(['points', 'runs']).default('points'));
  addFormat(command);
  addWorkers(command)
    .optionsGroup('Reading tracks:')
    .option('--max-speed <kph>', 'a fix faster than this to both neighbours is left out', amount, 300);
  addTrackFlags(command);
  addShapeFlags(command.optionsGroup('Points of trips:'));
  addVisitFlags(command);
  addTripFlags(command)
    .addHelpText(
      'after',
      `
A unit that has trips and no fixes is reported too. Issues go to stderr.

Examples:
  wayzone trips --trips monday.json --tracks monday.csv.gz --time-zone Europe/Berlin > points.csv
  wayzone trips --trips week.json --tracks week/*.csv --time-zone Asia/Tokyo --date 2026-03-02 --rows runs
  wayzone trips --trips today.json --tracks today.csv --time-zone UTC --now 2026-03-02T09:30:00Z --format ndjson`,
    )
    .action((flags: TripsFlags) => {
      const { timeZone } = flags;
      if (timeZone === undefined) return command.error('error: --time-zone is missing');
      return run(() => trips(flags, timeZone, io));
    });
}

async function trips(flags: TripsFlags, timeZone: string, io: Io): Promise<boolean> {
  const collected = await collect({ zones: [], tracks: flags.tracks }, trackReading(flags));
  const { issues } = collected;
  const { trips: planned } = await readTrips(flags.trips, issues);
  const nameOf = tripNames(planned);
  const options = {
    trips: planned,
    tripOptions: tripOptions(flags, timeZone),
    track: { maxSpeedKph: flags.maxSpeed },
    workers: flags.workers,
    ...(flags.date === undefined ? {} : { dates: flags.date }),
  };
  const runs: ReportTrip[] = [];
  for await (const { trips: reports } of replayUnits(collected.units, options, issues, io)) {
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
  else if (flags.rows === 'runs') writeRows(TRIP_RUN_COLUMNS, runs.map(tripRunRow), format, io);
  else writeRows(TRIP_POINT_COLUMNS, runs.flatMap(tripPointRows), format, io);
  const summary = summarizeIssues(issues);
  if (issues.length > 0)
    io.stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  return summary.errors === 0;
}
