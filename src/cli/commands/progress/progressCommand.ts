/** Declares the command `progress`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import { addFormat, addOut, addTrackReading } from '../../flags/options.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { ProgressFlags } from './progress.js';

/** Adds the command `progress`. */
export function progressCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('progress')
    .summary('which parts of a route units drove, as rows')
    .description(
      'Prints one row for each part of the route and unit: covered, no_data (perhaps driven unseen), missed, or ahead of the greatest place reached.',
    )
    .requiredOption('--route <file>', `a file with one line (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .requiredOption('--width <metres>', 'whole width of the corridor around the route', flagAmount);
  addOut(addFormat(command));
  addTrackReading(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone progress --route bus-12.geojson --tracks monday.csv.gz --speed-unit kph --width 60 > parts.csv
  wayzone progress --route route.kml --tracks van.gpx --width 40 --format json`,
    )
    .action((flags: ProgressFlags) => run(async () => (await import('./progress.js')).progress(flags, io)));
}
