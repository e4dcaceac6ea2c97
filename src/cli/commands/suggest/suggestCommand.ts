/** Declares the command `suggest`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import { addTrackReading, addZoneFlags } from '../../flags/options.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { SuggestFlags } from './suggest.js';

/** Adds the command `suggest`. */
export function suggestCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('suggest')
    .summary('places where units stay again and again, as zones')
    .description(
      'Writes a circle for each place where units stayed on several days, as a GeoJSON FeatureCollection: with the number of visits, days and units, and the median stay.',
    )
    .argument('<tracks...>', `tracks (${TRACK_FILES})`)
    .option('--known <file...>', `zones that there are already; stays in them are left out (${ZONE_FILES})`)
    .option('--min-stay <seconds>', 'the least duration of a stay', flagAmount, 300)
    .option('--link <meters>', 'stays so near to a place belong to it', flagAmount, 75)
    .option('--min-visits <count>', 'a place has at least so many stays', flagAmount, 3)
    .option('--min-days <count>', 'on at least so many days', flagAmount, 2)
    .option('--time-zone <name>', 'IANA time zone of the days, and of times without one')
    .option('--out <file>', 'written whole or not at all (default: standard output)');
  addTrackReading(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone suggest week/*.csv.gz --speed-unit kph --known depots.geojson > places.geojson
  wayzone suggest vans.csv --min-stay 600 --min-visits 5 --time-zone Europe/Berlin --out places.geojson`,
    )
    .action((files: string[], flags: SuggestFlags) =>
      run(async () => (await import('./suggest.js')).suggest(files, flags, io)),
    );
}
