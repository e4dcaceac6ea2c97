/** Declares the command `tiles`: options and help. Its work is loaded when the command runs. */

import { type Command, InvalidArgumentError } from 'commander';
import { addZoneFlags } from '../../flags/options.js';
import { ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { TilesFlags } from './writeTiles.js';

type Layer = NonNullable<TilesFlags['layers']>[number];

/** Equal to the layers of `src/tiles/tileOptions.ts`, which the help must not load. */
const LAYERS: readonly Layer[] = ['zones', 'borders', 'labels', 'points'];
/** Equal to `MAX_ZOOM` of `src/tiles/tileFrame.ts`, which the help must not load. */
const MAX_ZOOM = 24;

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
