/** Declares the command `visits`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import {
  addFormat,
  addOut,
  addTrackReading,
  addVisitFlags,
  addWorkers,
  addZoneFlags,
  SETTINGS_HELP,
} from '../../flags/options.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { VisitsFlags } from './visits.js';

/** Adds the command `visits`. */
export function visitsCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('visits')
    .summary("every unit's visits to the zones, as rows")
    .description(
      'Prints one row for each visit of a unit to a zone. Times are ISO 8601 UTC; an open visit has no exit.',
    )
    .requiredOption('--zones <file...>', `zones (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .option(
      '--measure',
      'columns of what the unit did in each visit: seconds moving, idling and parked, metres, speeds',
    )
    .option('--settings <file>', `for --measure: ${SETTINGS_HELP}`)
    .option(
      '--hours <file>',
      'cut visits where their zone opens and closes, in one thread: JSON with the hours of all zones, or an object of them by zone id; each as for prepareHours, or as an opening_hours text',
    )
    .option(
      '--time-zone <name>',
      'IANA time zone of --hours, of times without one, and of the columns …_local',
    )
    .option('--holidays <file>', 'for --hours: JSON with the holidays as a list of {year, days: ["MM.dd"]}');
  addOut(addFormat(command));
  addTrackReading(addWorkers(command));
  addZoneFlags(command);
  addVisitFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone visits --zones depots.geojson --tracks monday.csv.gz --speed-unit kph > visits.csv
  wayzone visits --zones depots.geojson --tracks van.gpx --min-inside 60 --format ndjson
  wayzone visits --zones depots.geojson --tracks van.gpx --hours hours.json --time-zone Europe/Berlin --measure > parts.csv`,
    )
    .action((flags: VisitsFlags) => run(async () => (await import('./visits.js')).visits(flags, io)));
}
