/** Declares the command `movement`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { addMovementFlags } from '../../flags/movementFlags.js';
import { addFormat, addOut, addTrackReading, addWorkers } from '../../flags/options.js';
import { TRACK_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { CommandFlags } from './movement.js';

/** Adds the command `movement`. */
export function movementCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('movement')
    .summary("every unit's trips, parkings and stops, as rows")
    .description(
      "Prints one row for each trip, parking, stop and time that is neither (`unknown`), by the trip detector's settings. Times are ISO 8601 UTC.",
    )
    .argument('<tracks...>', `tracks (${TRACK_FILES})`);
  addMovementFlags(command);
  addOut(addFormat(command));
  addTrackReading(addWorkers(command))
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone movement monday.csv.gz --speed-unit kph > movement.csv
  wayzone movement van.gpx --settings unit.json --jump speed --format json`,
    )
    .action((files: string[], flags: CommandFlags) =>
      run(async () => (await import('./movement.js')).movement(files, flags, io)),
    );
}
