/** Declares the command `locate`: options and help. Its work is loaded when the command runs. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { readLonLat } from '../../../core/input.js';
import { addOut, addTrackFlags, addZoneFlags } from '../../flags/options.js';
import type { Io, Run } from '../../io/io.js';
import type { LocateFlags } from './locate.js';

/** Adds the command `locate`. */
export function locateCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('locate')
    .summary('the zones that contain a position, or each of many')
    .description(
      'Prints the zones that contain a position (--at), or each fix and each point of files (--positions: .csv, .tsv, .parquet, .gpx, ' +
        '.geojson, .kml, also with .gz). Files of any length are read and answered piece by piece. ' +
        'ZONES is an index file of `wayzone index` (.wzi), or files with zones.',
    )
    .argument('<zones...>', 'an index file, or files with zones')
    .addOption(
      new Option('--at <lat,lon>', 'a position in degrees').argParser(position).conflicts('positions'),
    )
    .option('--positions <file...>', 'files with positions')
    .addOption(
      new Option(
        '--format <format>',
        'csv has one row per position and zone; json and ndjson one object per position',
      )
        .choices(['csv', 'json', 'ndjson'])
        .default('csv'),
    );
  addOut(command);
  addTrackFlags(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
CSV names the zones. A position in no zone has one CSV row without a zone. Rows come in the order of the file. Issues go to stderr.

Examples:
  wayzone locate regions.geojson --at 55.75,37.61
  wayzone index regions.geojson --out fleet.wzi && wayzone locate fleet.wzi --positions monday.csv.gz > zones.csv
  wayzone locate fleet.wzi --positions tour.gpx --format ndjson`,
    )
    .action((files: string[], flags: LocateFlags) => {
      if (flags.at === undefined && flags.positions === undefined) {
        command.error('error: --at or --positions is missing');
      }
      return run(async () => (await import('./locate.js')).locate(files, flags, io));
    });
}

/** `LAT,LON` in degrees, the order of maps and of `wayzone route`. */
function position(text: string): [number, number] {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (parts.length !== 2) throw new InvalidArgumentError('Expected LAT,LON in degrees.');
  try {
    return readLonLat(parts[1], parts[0], '--at');
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? `${error.message}.` : '');
  }
}
