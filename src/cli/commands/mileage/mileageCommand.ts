/** Declares the command `mileage`: options and help. Its work is loaded when the command runs. */

import { type Command, Option } from 'commander';
import {
  addFormat,
  addMaxGap,
  addOut,
  addSettings,
  addTrackReading,
  addZoneFlags,
} from '../../flags/options.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { MileageFlags } from './mileage.js';

/** Adds the command `mileage`. */
export function mileageCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('mileage')
    .summary("every unit's mileage and standing time by zone, as rows")
    .description(
      'Prints one row for each unit, zone and period. Each kilometre is in one row: that of the first zone that contains the unit, else that without a zone. Gaps are in the row without a zone, as unmeasured.',
    )
    .requiredOption('--zones <file...>', `zones (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .addOption(new Option('--by <period>', 'rows by period').choices(['all', 'day', 'month']).default('all'))
    .option('--time-zone <name>', 'IANA time zone of the days (default: UTC), and of times without one');
  addOut(addFormat(addMaxGap(addSettings(command))));
  addTrackReading(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone mileage --zones states.geojson --tracks march.csv.gz --by month --time-zone America/Chicago > mileage.csv
  wayzone mileage --zones depots.geojson --tracks van.gpx --by day --format json`,
    )
    .action((flags: MileageFlags) => run(async () => (await import('./mileage.js')).mileage(flags, io)));
}
