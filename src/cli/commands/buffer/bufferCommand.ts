/** Declares the command `buffer`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { Option } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import { addZoneFlags } from '../../flags/options.js';
import { ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { BufferFlags } from './buffer.js';

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
