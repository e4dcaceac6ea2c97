/** Declares the commands that read tracks of units: options and help. Their work is loaded when a command runs. */

import { type Command, Option } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import { addLimits, addMovementFlags } from '../../flags/movementFlags.js';
import {
  addFormat,
  addMaxGap,
  addOut,
  addSettings,
  addTrackReading,
  addVisitFlags,
  addWorkers,
  addZoneFlags,
  SETTINGS_HELP,
} from '../../flags/options.js';
import { TRACK_FILES, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { SuggestFlags } from './suggest.js';
import type {
  CommandFlags,
  MeetingsFlags,
  MileageFlags,
  ProgressFlags,
  RidesFlags,
  SpeedingFlags,
} from './trackRows.js';
import type { VisitsFlags } from './visits.js';

/** Adds the command `visits`. */
export function visitsCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('visits')
    .summary("every unit's visits to the zones, as rows")
    .description(
      'Prints one row for each visit of a unit to a zone. Times are ISO 8601 UTC; an open visit has no exit.',
    )
    .requiredOption('--zones <file...>', `zones (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .option(
      '--measure',
      'columns of what the unit did in each visit: seconds moving, idling and parked, metres, speeds',
    )
    .option('--settings <file>', `for --measure: ${SETTINGS_HELP}`)
    .option(
      '--hours <file>',
      'cut visits where their zone opens and closes, in one thread: JSON with the hours of all zones, or an object of them by zone id; each as for prepareHours, or as an opening_hours text',
    )
    .option(
      '--time-zone <name>',
      'IANA time zone of --hours, of times without one, and of the columns …_local',
    )
    .option('--holidays <file>', 'for --hours: JSON with the holidays as a list of {year, days: ["MM.dd"]}');
  addOut(addFormat(command));
  addTrackReading(addWorkers(command));
  addZoneFlags(command);
  addVisitFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone visits --zones depots.geojson --tracks monday.csv.gz --speed-unit kph > visits.csv
  wayzone visits --zones depots.geojson --tracks van.gpx --min-inside 60 --format ndjson
  wayzone visits --zones depots.geojson --tracks van.gpx --hours hours.json --time-zone Europe/Berlin --measure > parts.csv`,
    )
    .action((flags: VisitsFlags) => run(async () => (await import('./visits.js')).visits(flags, io)));
}

/** Adds the command `movement`. */
export function movementCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('movement')
    .summary("every unit's trips, parkings and stops, as rows")
    .description(
      "Prints one row for each trip, parking, stop and time that is neither (`unknown`), by the trip detector's settings. Times are ISO 8601 UTC.",
    )
    .argument('<tracks...>', `tracks (${TRACK_FILES})`);
  addMovementFlags(command);
  addOut(addFormat(command));
  addTrackReading(addWorkers(command))
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone movement monday.csv.gz --speed-unit kph > movement.csv
  wayzone movement van.gpx --settings unit.json --jump speed --format json`,
    )
    .action((files: string[], flags: CommandFlags) =>
      run(async () => (await import('./trackRows.js')).movement(files, flags, io)),
    );
}

/** Adds the command `rides`. */
export function ridesCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('rides')
    .summary("every unit's rides between zones, as rows")
    .description(
      'Prints one row for each ride: from the exit of a zone to the next entry of a zone, with what the unit did on the way. Times are ISO 8601 UTC.',
    )
    .requiredOption('--zones <file...>', `zones (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .option('--from <id...>', 'ids of the zones where rides begin (default: all)')
    .option('--to <id...>', 'ids of the zones where rides end (default: all)')
    .option('--min-stay <seconds>', 'a shorter visit is ignored', flagAmount, 0)
    .option('--circles', 'rides that lead back to the zone that they left, too');
  addOut(addFormat(addSettings(command)));
  addTrackReading(command);
  addZoneFlags(command);
  addVisitFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone rides --zones sites.geojson --tracks monday.csv.gz --from quarry --to plant --min-stay 120 > rides.csv
  wayzone rides --zones depots.geojson --tracks van.gpx --format json`,
    )
    .action((flags: RidesFlags) => run(async () => (await import('./trackRows.js')).rides(flags, io)));
}

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
    .action((flags: MileageFlags) => run(async () => (await import('./trackRows.js')).mileage(flags, io)));
}

/** Adds the command `speeding`. */
export function speedingCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('speeding')
    .summary('where every unit exceeded its limit or that of a zone, as rows')
    .description(
      'Prints one row for each part of an event: a span of one limit in which the unit was too fast. Times are ISO 8601 UTC.',
    )
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .option('--zones <file...>', `zones with limits (${ZONE_FILES}); needs --zone-limits`);
  addLimits(command);
  addOut(addFormat(addMaxGap(addSettings(command))));
  addTrackReading(command);
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone speeding --tracks monday.csv.gz --speed-unit kph --limit 90 --tolerance 5 --min-seconds 10 > speeding.csv
  wayzone speeding --tracks van.gpx --limit 90 --zones villages.geojson --zone-limits limits.json --format json`,
    )
    .action((flags: SpeedingFlags) => {
      if (flags.limit === undefined && flags.zoneLimits === undefined && flags.settings === undefined)
        return command.error(
          'error: a limit is missing: --limit, --zone-limits, or --settings with advanced_speedlimit',
        );
      return run(async () => (await import('./trackRows.js')).speeding(flags, io));
    });
}

/** Adds the command `meetings`. */
export function meetingsCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('meetings')
    .summary('when units were near each other, as rows')
    .description('Prints one row for each meeting of two units of the tracks. Times are ISO 8601 UTC.')
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .requiredOption('--meters <metres>', 'units at most this far apart are together', flagAmount)
    .option('--exit-buffer <metres>', 'metres beyond that which end a meeting', flagAmount, 0)
    .option('--min-seconds <seconds>', 'leave out shorter meetings', flagAmount, 0);
  addOut(addFormat(command));
  addTrackReading(command)
    .addHelpText(
      'after',
      `
Every pair of units is compared. Issues go to stderr.

Examples:
  wayzone meetings --tracks monday.csv.gz --speed-unit kph --meters 50 > meetings.csv
  wayzone meetings --tracks truck.gpx trailer.gpx --meters 30 --min-seconds 60 --format json`,
    )
    .action((flags: MeetingsFlags) => run(async () => (await import('./trackRows.js')).meetings(flags, io)));
}

/** Adds the command `progress`. */
export function progressCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('progress')
    .summary('which parts of a route units drove, as rows')
    .description(
      'Prints one row for each part of the route and unit: covered, no_data (perhaps driven unseen), missed, or ahead of the greatest place reached.',
    )
    .requiredOption('--route <file>', `a file with one line (${ZONE_FILES})`)
    .requiredOption('--tracks <file...>', `tracks (${TRACK_FILES})`)
    .requiredOption('--width <metres>', 'whole width of the corridor around the route', flagAmount);
  addOut(addFormat(command));
  addTrackReading(command)
    .addHelpText(
      'after',
      `
Issues go to stderr.

Examples:
  wayzone progress --route bus-12.geojson --tracks monday.csv.gz --speed-unit kph --width 60 > parts.csv
  wayzone progress --route route.kml --tracks van.gpx --width 40 --format json`,
    )
    .action((flags: ProgressFlags) => run(async () => (await import('./trackRows.js')).progress(flags, io)));
}

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
