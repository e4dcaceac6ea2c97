/** Declares the commands that read files of any kind: options and help. Their work is loaded when a command runs. */

import { type Command, Option } from 'commander';
import { WayzoneError } from '../../../core/errors.js';
import type { Crs } from '../../../interchange/index.js';
import { addShapeFlags, addTrackFlags, addZoneFlags } from '../../flags/options.js';
import { addRowFlags, addTableFlags } from '../../flags/tableFlags.js';
import { converterHint, FILE_FORMATS, type FileFormat, outputFormatOf } from '../../io/fileFormat.js';
import { inputFormat } from '../../io/inputFormat.js';
import type { Io, Run } from '../../io/io.js';
import { printable } from '../../io/terminal.js';
import type { ConvertFlags } from './convert.js';
import type { InspectFlags } from './inspect.js';
import type { ValidateFlags } from './validate.js';

/** Formats that are WGS84 by their standards. */
const WGS84_ONLY: readonly FileFormat[] = [
  'kml',
  'kmz',
  'gpx',
  'geojsonl',
  'geojsonseq',
  'mfjson',
  'parquet',
];

/** Adds the command `convert`. */
export function convertCommand(program: Command, io: Io, run: Run): void {
  const formats = (flag: string, what: string): Option =>
    new Option(flag, `${what}; default: by its extension`).choices(FILE_FORMATS);
  const command = program
    .command('convert')
    .summary('zones, routes and tracks from one file format to another')
    .description(
      'Reads .kml, .kmz, .geojson, .json, .geojsonl, .geojsonseq, .gpx, .csv, .tsv, .xlsx and logs (all except .kmz also with .gz) or .parquet, and writes\n' +
        '.kml, .kmz, .geojson, .geojsonl, .geojsonseq, .gpx, .csv (also with .gz) or .parquet, whole or not at all. Zones keep all their fields, except in GPX. Fields that the format of OUT lacks are left out and reported.',
    )
    .usage('[options] <in...> <out>')
    .argument(
      '<files...>',
      'one or more files to read, then the file to write; - is standard input or output',
    )
    .addOption(formats('--from <format>', 'format of IN'))
    .addOption(formats('--to <format>', 'format of OUT'))
    .option('--crs <name>', 'the coordinate system of IN: an EPSG code or a proj string (default: WGS84)')
    .option(
      '--to-crs <name>',
      'the coordinate system of OUT, only for .geojson and .csv: KML and GPX are WGS84 by definition',
    )
    .option('--title <text>', 'title of a KML document (default: the name of IN)')
    .option('--force', 'replace existing files, even IN')
    .option('--issues <file>', 'write every issue to this CSV file (stderr shows a few of each kind)');
  addRowFlags(command).optionsGroup('Reading tracks:');
  addTrackFlags(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
GPX has points, circles (as their centres), routes and tracks. Each line and polygon is left out with an error. CSV has zones (well-known
text), or fixes if IN has only tracks. The other formats have zones and routes. In them tracks become lines, and so do routes of GPX.
Only KML has groups. In GeoJSON a route becomes its points.
Issues go to stderr.

Examples:
  wayzone convert zones.kmz zones.geojson
  wayzone convert surveyed.geojson zones.kml --crs EPSG:28407
  wayzone convert zones.kml zones.csv --to-crs EPSG:32637
  wayzone convert monday.csv.gz monday.gpx --speed-unit kph
  wayzone convert van.gpx van.csv --excel --locale de --time-zone Europe/Berlin
  wayzone convert zones.kml depots.gpx --issues left-out.csv
  wayzone convert north.kml south.geojson all.parquet
  curl -s https://example.org/zones.kml | wayzone convert - - --to geojsonl`,
    )
    .action(async (files: string[], flags: ConvertFlags) => {
      const inputs = files.slice(0, -1);
      const output = files.at(-1)!;
      if (inputs.length === 0) command.error('error: the file to write is missing');
      const from = await Promise.all(inputs.map(async (input) => flags.from ?? (await inputFormat(input))));
      const to = flags.to ?? outputFormatOf(output);
      const unknown = inputs[from.indexOf(null)];
      if (unknown !== undefined)
        command.error(
          `error: ${printable(unknown)} has no known extension; give --from${converterHint(unknown)}`,
        );
      if (to === null) command.error(`error: ${printable(output)} has no known extension; give --to`);
      if (flags.toCrs !== undefined && WGS84_ONLY.includes(to!)) {
        command.error(`error: ${to} is written in WGS84; --to-crs works with .geojson and .csv`);
      }
      if (flags.excel === true && to !== 'csv')
        command.error(`error: --excel works with .csv, not with ${to}`);
      const crs = await readCrs(command, '--crs', flags.crs);
      const toCrs = await readCrs(command, '--to-crs', flags.toCrs);
      return run(async () =>
        (await import('./convert.js')).convert(
          { inputs, output, from: from.map((format) => format!), to: to!, crs, toCrs, flags },
          io,
        ),
      );
    });
}

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

/** The coordinate system; null if none is named. An unknown name ends the program with a usage error. */
async function readCrs(
  command: Command,
  flag: '--crs' | '--to-crs',
  name: string | undefined,
): Promise<Crs | null> {
  if (name === undefined) return null;
  const { loadCrs } = await import('../../../interchange/crs/loadCrs.js');
  try {
    return await loadCrs(name);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return command.error(`error: ${flag}: ${printable(error.message)}`);
  }
}
