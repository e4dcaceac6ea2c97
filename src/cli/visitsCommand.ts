/** The command `visits`: its options and its help. What it does is loaded when it is run. */

import type { Command } from 'commander';
import { addFormat, addTrackFlags, addVisitFlags, addWorkers, addZoneFlags, amount } from './options.js';
import type { Io, Run } from './run.js';
import type { VisitsFlags } from './visits.js';

/** Adds the command `visits`. */
export function addVisits(program: Command, io: Io, run: Run): void {
  const command = program
    .command('visits')
    .summary("every unit's visits to the zones, as rows")
    .description(
      'Prints one row for each stay of a unit in a zone. Times are ISO 8601 UTC; an open visit has no exit.',
    )
    .requiredOption('--zones <file...>', 'zones (.geojson, .json, .kml)')
    .requiredOption('--tracks <file...>', 'tracks (.gpx, .csv, .csv.gz, .kml)');
  addFormat(command);
  addWorkers(command)
    .optionsGroup('Reading tracks:')
    .option('--max-speed <kph>', 'a fix faster than this to both neighbours is left out', amount, 300);
  addTrackFlags(command);
  addZoneFlags(command);
  addVisitFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone visits --zones depots.geojson --tracks monday.csv.gz --speed-unit kph > visits.csv
  wayzone visits --zones depots.geojson --tracks van.gpx --min-inside 60 --format ndjson`,
    )
    .action((flags: VisitsFlags) => run(async () => (await import('./visits.js')).visits(flags, io)));
}
