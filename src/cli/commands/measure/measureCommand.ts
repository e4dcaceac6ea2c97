/** Declares the command `measure`: options and help. Its work is loaded when the command runs. */

import { type Command, Option } from 'commander';
import { addZoneFlags } from '../../flags/options.js';
import { addRowFlags } from '../../flags/rowFlags.js';
import { ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { MeasureFlags } from './measure.js';

/** Adds the command `measure`. */
export function measureCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('measure')
    .summary('area, perimeter and length of zones')
    .description(
      'Prints area, perimeter and length of every zone of the files, on the WGS84 ellipsoid.\n' +
        'A line has the area and perimeter of its corridor, and the length of the line itself.',
    )
    .argument('<zones...>', `files with zones (${ZONE_FILES})`)
    .addOption(
      new Option('--format <format>', 'text is a table; json and csv have full precision; --excel is csv')
        .choices(['text', 'json', 'csv'])
        .default('text'),
    );
  addRowFlags(command, false);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone measure depots.geojson
  wayzone measure regions.kml streets.geojson --default-width 20 --format json`,
    )
    .action((files: string[], flags: MeasureFlags) =>
      run(async () => (await import('./measure.js')).measure(files, flags, io)),
    );
}
