/** Declares the command `rides`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import {
  addFormat,
  addOut,
  addSettings,
  addTrackReading,
  addVisitFlags,
  addZoneFlags,
} from '../../flags/options.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { RidesFlags } from './rides.js';

/** Adds the command `rides`. */
export function ridesCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('rides')
    .summary("every unit's rides between zones, as rows")
    .description(
      'Prints one row for each ride: from the exit of a zone to the next entry of a zone, with what the unit did on the way. Times are ISO 8601 UTC.',
    )
    .requiredOption('--zones <file...>', `zones (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .option('--from <id...>', 'ids of the zones where rides begin (default: all)')
    .option('--to <id...>', 'ids of the zones where rides end (default: all)')
    .option('--min-stay <seconds>', 'a shorter visit is ignored', flagAmount, 0)
    .option('--circles', 'rides that lead back to the zone that they left, too');
  addOut(addFormat(addSettings(command)));
  addTrackReading(command);
  addZoneFlags(command);
  addVisitFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone rides --zones sites.geojson --tracks monday.csv.gz --from quarry --to plant --min-stay 120 > rides.csv
  wayzone rides --zones depots.geojson --tracks van.gpx --format json`,
    )
    .action((flags: RidesFlags) => run(async () => (await import('./rides.js')).rides(flags, io)));
}
