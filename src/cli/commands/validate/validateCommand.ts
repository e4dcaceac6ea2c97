/** Declares the command `validate`: options and help. Its work is loaded when the command runs. */

import { type Command, Option } from 'commander';
import { addTrackFlags, addZoneFlags } from '../../flags/options.js';
import { readCrs } from '../../flags/readCrs.js';
import { addRowFlags } from '../../flags/rowFlags.js';
import { FILE_FORMATS } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { ValidateFlags } from './validate.js';

/** Adds the command `validate`. */
export function validateCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('validate')
    .summary('list every issue of files, with its place')
    .description(
      'Lists every issue of files (.kml, .kmz, .geojson, .json, .gpx, .csv, .tsv; all except .kmz also with .gz):\n' +
        'content that cannot be read, and zones that are not valid (rings that cross themselves, holes outside, circles without a radius).',
    )
    .argument('<file...>', 'the files')
    .addOption(
      new Option('--from <format>', 'format of the files (default: by their extensions)').choices(
        FILE_FORMATS,
      ),
    )
    .option('--crs <name>', 'their coordinate system: an EPSG code or a proj string (default: WGS84)')
    .addOption(
      new Option('--format <format>', 'format of the list').choices(['text', 'json', 'csv']).default('text'),
    );
  addRowFlags(command, false).optionsGroup('Reading tracks:');
  addTrackFlags(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Exit code: 0 no errors (there may be warnings), 1 errors, 2 wrong use.

Examples:
  wayzone validate zones.kml tracks.gpx
  wayzone validate export.csv --speed-unit kph --format csv > issues.csv
  wayzone validate *.geojson --format json | jq '.[] | select(.severity == "error")'`,
    )
    .action(async (files: string[], flags: ValidateFlags) => {
      const crs = await readCrs(command, '--crs', flags.crs);
      return run(async () => (await import('./validate.js')).validate(files, flags, crs, io));
    });
}
