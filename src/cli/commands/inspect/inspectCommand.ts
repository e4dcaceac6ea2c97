/** Declares the command `inspect`: options and help. Its work is loaded when the command runs. */

import { type Command, Option } from 'commander';
import { addShapeFlags, addTrackFlags } from '../../flags/options.js';
import { addTableFlags } from '../../flags/tableFlags.js';
import type { Io, Run } from '../../io/io.js';
import type { InspectFlags } from './inspect.js';

/** Adds the command `inspect`. */
export function inspectCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('inspect')
    .summary('what is understood of a table: its columns, units, times, and what is asked')
    .description(
      'Prints what a table is taken for: encoding, delimiter, columns with their quantities and units, times and their zone, on which evidence,\n' +
        'with the flag that changes each; then the questions that the file does not answer, and the first fixes as they are read.',
    )
    .argument(
      '<files...>',
      'tables (.csv, .tsv, .xlsx, .txt, .json, .ndjson, .nmea, .wln, .plt, also with .gz)',
    )
    .addOption(
      new Option('--format <format>', 'format of the answer').choices(['text', 'json']).default('text'),
    )
    .option('--save-profile <file>', 'write what was settled as a profile, for --profile')
    .optionsGroup('Reading tables:');
  addTrackFlags(command);
  addTableFlags(addShapeFlags(command))
    .addHelpText(
      'after',
      `
The exit code is 1 if the file asks something.

Examples:
  wayzone inspect monday.csv
  wayzone inspect monday.csv --time-zone Europe/Moscow --save-profile customer.json
  wayzone visits --zones depots.geojson --tracks tuesday.csv --profile customer.json`,
    )
    .action((files: string[], flags: InspectFlags) =>
      run(async () => (await import('./inspect.js')).inspect(files, flags, io)),
    );
}
