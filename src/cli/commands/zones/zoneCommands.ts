/** Declares the commands that read zones: options and help. Their work is loaded when a command runs. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import { addZoneFlags } from '../../flags/options.js';
import { addRowFlags } from '../../flags/tableFlags.js';
import { INDEX_FILE, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { BufferFlags } from './buffer.js';
import type { MeasureFlags } from './measure.js';
import type { IndexFlags } from './writeIndex.js';
import type { TilesFlags } from './writeTiles.js';

/** Equal to the layers of `src/tiles/tileOptions.ts`, which the help must not load. */
const LAYERS: readonly Layer[] = ['zones', 'borders', 'labels', 'points'];
/** Equal to `MAX_ZOOM` of `src/tiles/tileFrame.ts`, which the help must not load. */
const MAX_ZOOM = 24;

/** Adds the command `buffer`. */
export function bufferCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('buffer')
    .summary('lines, tracks and routes with a width as polygons')
    .description(
      'Writes the corridor of every line of the files as a GeoJSON FeatureCollection: lines among zones ' +
        `(${ZONE_FILES}), and tracks and routes of .gpx. ` +
        'Their boundary lies within the tolerance of the true distance, anywhere on Earth.',
    )
    .argument('<file...>', 'files with lines')
    .option(
      '--width <meters>',
      'whole width of the corridors; without it each line zone keeps its own',
      flagAmount,
    )
    .option('--tolerance <meters>', 'default: 0.1 % of half the width, at least 1 cm', flagAmount)
    .addOption(
      new Option('--cap <shape>', 'the ends of a corridor').choices(['round', 'flat']).default('round'),
    )
    .addOption(
      new Option('--edges <kind>', 'straight in lon/lat, or great-circle legs')
        .choices(['lonlat', 'geodesic'])
        .default('lonlat'),
    )
    .option('--out <file>', 'written whole or not at all (default: standard output)');
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr. What is not a line is left out with a warning.

Examples:
  wayzone buffer street.geojson --width 50 > corridor.geojson
  wayzone buffer tour.gpx --width 200 --tolerance 1 --out tour.geojson
  wayzone buffer line-zones.geojson --out corridors.geojson`,
    )
    .action((files: string[], flags: BufferFlags) =>
      run(async () => (await import('./buffer.js')).buffer(files, flags, io)),
    );
}

/** Adds the command `index`. */
export function indexCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('index')
    .summary('zones as one file that `locate` opens at once')
    .description(
      `Reads zones (${ZONE_FILES}) ` +
        'and writes their index as one checked file: `wayzone locate` and ' +
        'ZoneIndex.fromBuffer open it without rebuilding anything.',
    )
    .argument('<zones...>', 'files with zones')
    .requiredOption('--out <file>', 'file to write, ending in .wzi; written whole or not at all');
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr. Deleted and invalid zones are left out and reported.

Examples:
  wayzone index regions.geojson depots.kml --out fleet.wzi
  wayzone locate fleet.wzi --at 55.75,37.61`,
    )
    .action((files: string[], flags: IndexFlags) => {
      if (!INDEX_FILE.test(flags.out)) command.error('error: --out must end in .wzi');
      return run(async () => (await import('./writeIndex.js')).writeIndex(files, flags, io));
    });
}

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

type Layer = NonNullable<TilesFlags['layers']>[number];

/** Adds the command `tiles`. */
export function tilesCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('tiles')
    .summary('zones as vector tiles in one PMTiles file')
    .description(
      `Reads zones (${ZONE_FILES}) ` +
        'and writes their vector tiles (layers zones, borders, labels and points) as one PMTiles file of version 3, which maps read from any web server.',
    )
    .usage('[options] <in...> <out.pmtiles>')
    .argument(
      '<files...>',
      'one or more files with zones, then the file to write; written whole or not at all',
    )
    .option('--min-zoom <zoom>', 'lowest zoom (default: 0)', zoomOf)
    .option('--max-zoom <zoom>', 'highest zoom; maps enlarge its tiles (default: 12)', zoomOf)
    .option('--layers <names>', 'the layers to write, separated by commas (default: all four)', layersOf)
    .option('--properties <names>', 'further fields of the zones, separated by commas', (text: string) =>
      text.split(','),
    )
    .option('--max-bytes <bytes>', 'leave the smallest zones out of larger tiles (default: 500000)', bytesOf);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr. Deleted and invalid zones are left out and reported.

Examples:
  wayzone tiles regions.geojson depots.kml zones.pmtiles
  wayzone tiles zones.geojson zones.pmtiles --max-zoom 14 --layers zones,points`,
    )
    .action((files: string[], flags: TilesFlags) => {
      const out = files.at(-1)!;
      if (files.length < 2) command.error('error: the file to write is missing');
      if (!/\.pmtiles$/i.test(out)) command.error('error: the file to write must end in .pmtiles');
      if ((flags.minZoom ?? 0) > (flags.maxZoom ?? MAX_ZOOM))
        command.error('error: --min-zoom is above --max-zoom');
      return run(async () =>
        (await import('./writeTiles.js')).writeTiles(files.slice(0, -1), out, flags, io),
      );
    });
}

function zoomOf(text: string): number {
  const zoom = Number(text);
  if (/^\d+$/.test(text) && zoom <= MAX_ZOOM) return zoom;
  throw new InvalidArgumentError(`expected a whole number from 0 to ${MAX_ZOOM}.`);
}

function layersOf(text: string): readonly Layer[] {
  const names = text.split(',') as Layer[];
  if (names.every((name) => LAYERS.includes(name))) return names;
  throw new InvalidArgumentError(`expected some of ${LAYERS.join(', ')}, separated by commas.`);
}

function bytesOf(text: string): number {
  const bytes = Number(text);
  if (/^\d+$/.test(text) && bytes >= 1000) return bytes;
  throw new InvalidArgumentError('expected a whole number from 1000.');
}
