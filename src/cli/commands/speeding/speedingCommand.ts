/** Declares the command `speeding`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { addLimits } from '../../flags/movementFlags.js';
import {
  addFormat,
  addMaxGap,
  addOut,
  addSettings,
  addTrackReading,
  addZoneFlags,
} from '../../flags/options.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { SpeedingFlags } from './speeding.js';

/** Adds the command `speeding`. */
export function speedingCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('speeding')
    .summary('where every unit exceeded its limit or that of a zone, as rows')
    .description(
      'Prints one row for each part of an event: a span of one limit in which the unit was too fast. Times are ISO 8601 UTC.',
    )
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .option('--zones <file...>', `zones with limits (${ZONE_FILES}); needs --zone-limits`);
  addLimits(command);
  addOut(addFormat(addMaxGap(addSettings(command))));
  addTrackReading(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone speeding --tracks monday.csv.gz --speed-unit kph --limit 90 --tolerance 5 --min-seconds 10 > speeding.csv
  wayzone speeding --tracks van.gpx --limit 90 --zones villages.geojson --zone-limits limits.json --format json`,
    )
    .action((flags: SpeedingFlags) => {
      if (flags.limit === undefined && flags.zoneLimits === undefined && flags.settings === undefined)
        return command.error(
          'error: a limit is missing: --limit, --zone-limits, or --settings with advanced_speedlimit',
        );
      return run(async () => (await import('./speeding.js')).speeding(flags, io));
    });
}
