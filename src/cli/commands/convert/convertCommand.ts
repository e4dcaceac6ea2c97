/** Declares the command `convert`: options and help. Its work is loaded when the command runs. */

import { type Command, Option } from 'commander';
import { addTrackFlags, addZoneFlags } from '../../flags/options.js';
import { readCrs } from '../../flags/readCrs.js';
import { addRowFlags } from '../../flags/rowFlags.js';
import { converterHint, FILE_FORMATS, type FileFormat, outputFormatOf } from '../../io/fileFormat.js';
import { inputFormat } from '../../io/inputFormat.js';
import type { Io, Run } from '../../io/io.js';
import { printable } from '../../io/terminal.js';
import type { ConvertFlags } from './convert.js';

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
