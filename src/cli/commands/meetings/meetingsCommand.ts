/** Declares the command `meetings`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import { addFormat, addOut, addTrackReading } from '../../flags/options.js';
import { TRACK_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { MeetingsFlags } from './meetings.js';

/** Adds the command `meetings`. */
export function meetingsCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('meetings')
    .summary('when units were near each other, as rows')
    .description('Prints one row for each meeting of two units of the tracks. Times are ISO 8601 UTC.')
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .requiredOption('--meters <metres>', 'units at most this far apart are together', flagAmount)
    .option('--exit-buffer <metres>', 'metres beyond that which end a meeting', flagAmount, 0)
    .option('--min-seconds <seconds>', 'leave out shorter meetings', flagAmount, 0);
  addOut(addFormat(command));
  addTrackReading(command)
    .addHelpText(
      'after',
      `
Every pair of units is compared. Issues go to stderr.

Examples:
  wayzone meetings --tracks monday.csv.gz --speed-unit kph --meters 50 > meetings.csv
  wayzone meetings --tracks truck.gpx trailer.gpx --meters 30 --min-seconds 60 --format json`,
    )
    .action((flags: MeetingsFlags) => run(async () => (await import('./meetings.js')).meetings(flags, io)));
}
