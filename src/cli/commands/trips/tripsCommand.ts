/** Declares the command `trips`: options and help. Its work is loaded when the command runs. */

import { type Command, Option } from 'commander';
import {
  addFormat,
  addOut,
  addShapeFlags,
  addTrackReading,
  addVisitFlags,
  addWorkers,
} from '../../flags/options.js';
import { addTripFlags } from '../../flags/tripFlags.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { TripsFlags } from './trips.js';

/** Adds the command `trips`. */
export function tripsCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('trips')
    .summary('compare planned trips with the tracks of their units, as rows')
    .description(
      'Evaluates every run of every trip with the fixes of its unit. CSV has one row per point, or per run; json and ndjson ' +
        'have the whole report of each run. Times are ISO 8601 UTC (in reports epoch milliseconds).',
    )
    .option('--trips <file...>', 'trips (.json: a list, {list} or one trip; .ndjson: one a line)')
    .option(
      '--plan <file...>',
      'trips as tables (.csv, .tsv, .xlsx) with a row a stop: trip, unit, date, order, zone, arrival, departure, tolerance',
    )
    .option('--zones <file...>', `zones that plans and points of trips name by id or name (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES}); a trip names its unit by unit.id`)
    .addOption(new Option('--rows <what>', 'of CSV and --out').choices(['points', 'runs']).default('points'));
  command.option(
    '--time-zone <name>',
    "the company's time zone (Europe/Berlin), for the local times of trips and the columns …_local",
  );
  addOut(addFormat(command));
  addTrackReading(addWorkers(command), false);
  addShapeFlags(command.optionsGroup('Points of trips:'));
  addVisitFlags(command);
  addTripFlags(command)
    .addHelpText(
      'after',
      `
A unit that has trips and no fixes is reported too. Issues go to stderr.

Examples:
  wayzone trips --trips monday.json --tracks monday.csv.gz --time-zone Europe/Berlin > points.csv
  wayzone trips --plan plan.csv --zones depots.geojson --tracks monday.csv --time-zone Europe/Moscow
  wayzone trips --trips week.json --tracks week/*.csv --time-zone Asia/Tokyo --date 2026-03-02 --rows runs
  wayzone trips --trips today.json --tracks today.csv --time-zone UTC --now 2026-03-02T09:30:00Z --format ndjson`,
    )
    .action((flags: TripsFlags) => {
      const { timeZone } = flags;
      if (flags.trips === undefined && flags.plan === undefined)
        return command.error(
          "error: required option '--trips <file...>' or '--plan <file...>' not specified",
        );
      if (timeZone === undefined) return command.error('error: --time-zone is missing');
      return run(async () => (await import('./trips.js')).trips(flags, timeZone, io));
    });
}
