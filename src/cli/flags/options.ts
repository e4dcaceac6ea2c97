/** Options that several commands share, and the checks of their values. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ZoneOptions } from '../../core/wire.js';
import type { SpeedUnit } from '../../interchange/index.js';
import { CSV_FILE, PARQUET_FILE, XLSX_FILE } from '../io/fileFormat.js';
import type { Column, ReadingOptions } from '../io/readingOptions.js';
import { addRowFlags } from './rowFlags.js';
import {
  addProgramFlags,
  addTableFlags,
  type ProgramFlags,
  type TableFlags,
  tableHints,
} from './tableFlags.js';

/** Flags that say how to read zones, as commander returns them. */
export interface ZoneFlags extends TableFlags {
  readonly idProperty?: string;
  readonly nameProperty?: string;
  readonly axisOrder: 'lonlat' | 'latlon';
  /** Whether the caller gave `axisOrder`. */
  readonly isAxisOrderGiven?: true;
  readonly lineWidth: 'total' | 'each-side';
  readonly defaultWidth?: number;
}

/** Adds `--id-property`, `--name-property`, `--axis-order`, `--line-width` and `--default-width`. */
export function addZoneFlags(command: Command): Command {
  command
    .optionsGroup('Reading zones:')
    .option('--id-property <name>', 'the GeoJSON property that holds the id')
    .option('--name-property <name>', 'the GeoJSON property that holds the name');
  return addTableFlags(addShapeFlags(command));
}

/** Adds `--axis-order`, `--line-width` and `--default-width`. */
export function addShapeFlags(command: Command): Command {
  // The default is no answer to a table that leaves the order open.
  command.hook('preAction', () => {
    if (command.getOptionValueSource('axisOrder') === 'cli') command.setOptionValue('isAxisOrderGiven', true);
  });
  return command
    .addOption(
      new Option(
        '--axis-order <order>',
        "the order of pairs in shapes of the platform's own form, in GeoJSON and in cells of tables",
      )
        .choices(['lonlat', 'latlon'])
        .default('lonlat'),
    )
    .addOption(
      new Option('--line-width <how>', "how a line's width counts")
        .choices(['total', 'each-side'])
        .default('total'),
    )
    .option('--default-width <meters>', 'for circles, points and lines without a width', amount);
}

export function readingOptions(flags: ZoneFlags): ReadingOptions {
  // `route` has an option of the same name for its engine.
  const { profile: _, ...about } = flags as ZoneFlags & ProgramFlags;
  return zoneReading(flags, tableHints(about, givenOrder(flags)));
}

function givenOrder({ axisOrder, isAxisOrderGiven }: ZoneFlags): ZoneFlags['axisOrder'] | undefined {
  return axisOrder === 'latlon' || isAxisOrderGiven ? axisOrder : undefined;
}

function zoneReading(
  { idProperty, nameProperty, axisOrder }: ZoneFlags,
  table: ReadingOptions['table'],
): ReadingOptions {
  return {
    axisOrder,
    columns: {},
    ...(table === undefined ? {} : { table }),
    ...(axisOrder === 'latlon' ? { latFirst: true } : {}),
    ...(idProperty === undefined ? {} : { idProperty }),
    ...(nameProperty === undefined ? {} : { nameProperty }),
  };
}

export function zoneOptions({ axisOrder, lineWidth, defaultWidth }: ZoneFlags): ZoneOptions {
  return {
    axisOrder,
    lineWidth,
    ...(defaultWidth === undefined ? {} : { defaultWidthMeters: defaultWidth }),
  };
}

const COLUMNS: readonly Column[] = ['unit', 'time', 'lat', 'lon', 'speed'];

/** Flags that say how to read tracks, as commander returns them. */
export interface TrackFlags extends TableFlags, ProgramFlags, Partial<Record<`${Column}Column`, string>> {
  readonly speedUnit?: SpeedUnit;
}

/** Adds `--speed-unit`, `--unit-column` to `--speed-column`, and the flags of tables. `hasDate`: also `--date`. */
export function addTrackFlags(command: Command, hasDate: boolean = true): Command {
  command.addOption(
    new Option('--speed-unit <unit>', 'unit of a column "speed"').choices(['kph', 'mps', 'mph', 'knots']),
  );
  for (const column of COLUMNS) {
    command.option(`--${column}-column <name>`, `the column of the ${column}, unless it has a common name`);
  }
  return addTableFlags(addProgramFlags(command, hasDate));
}

/** Flags that decide which fixes are good, as commander returns them. */
export interface FixFlags {
  readonly maxSpeed: number;
  readonly maxJam: number;
  readonly frozenSpeed: number;
  readonly parked: number;
  readonly maxCrossed: number;
  readonly maxAccuracy?: number;
  readonly minSatellites: number;
  readonly earliestTime?: number;
  readonly latestTime?: number;
  readonly keepZeroIsland?: true;
}

/** Adds `--max-speed` to `--keep-zero-island`. */
export function addFixFlags(command: Command): Command {
  return command
    .option('--max-speed <kph>', 'a faster jump from the last good fix is left out', amount, 300)
    .option(
      '--max-jam <seconds>',
      'after this long without a fix that came back a jump is believed',
      amount,
      3600,
    )
    .option('--frozen-speed <kph>', 'a place repeated to the bit at this speed is frozen', amount, 10)
    .option('--parked <meters>', 'a unit that moved no farther during a gap stood still', amount, 200)
    .option('--max-crossed <meters>', 'a zone counts as crossed only by a shorter step', amount, 5000)
    .option('--max-accuracy <meters>', 'leave out fixes with a worse accuracy', amount)
    .option('--min-satellites <count>', 'leave out fixes with fewer satellites', amount, 0)
    .option('--earliest-time <time>', 'leave out earlier fixes (ISO 8601; default: 2000-01-01)', instant)
    .option('--latest-time <time>', 'leave out later fixes, such as the time of receipt', instant)
    .option('--keep-zero-island', 'keep fixes at exactly 0, 0, which units without reception send');
}

export interface CliFixOptions {
  readonly maxSpeedKph: number;
  readonly maxJamSeconds: number;
  readonly frozenSpeedKph: number;
  readonly parkedMeters: number;
  readonly maxCrossedMeters: number;
  readonly maxAccuracyMeters?: number;
  readonly minSatellites: number;
  readonly earliestTime?: number;
  readonly latestTime?: number;
  readonly keepZeroIsland: boolean;
}

export function fixOptions(flags: FixFlags): CliFixOptions {
  const { maxAccuracy, earliestTime, latestTime } = flags;
  return {
    maxSpeedKph: flags.maxSpeed,
    maxJamSeconds: flags.maxJam,
    frozenSpeedKph: flags.frozenSpeed,
    parkedMeters: flags.parked,
    maxCrossedMeters: flags.maxCrossed,
    ...(maxAccuracy === undefined ? {} : { maxAccuracyMeters: maxAccuracy }),
    minSatellites: flags.minSatellites,
    ...(earliestTime === undefined ? {} : { earliestTime }),
    ...(latestTime === undefined ? {} : { latestTime }),
    keepZeroIsland: flags.keepZeroIsland === true,
  };
}

/** `readingOptions` with the options of tracks. */
export function trackReading(flags: ZoneFlags & TrackFlags): ReadingOptions {
  const { speedUnit } = flags;
  const columns = Object.fromEntries(
    COLUMNS.flatMap((column) => {
      const header = flags[`${column}Column`];
      return header === undefined ? [] : [[column, header]];
    }),
  );
  const table = tableHints(flags, givenOrder(flags));
  return { ...zoneReading(flags, table), columns, ...(speedUnit === undefined ? {} : { speedUnit }) };
}

/** Options of reading beside trips: the order of pairs is that of the trips, and files have their own. */
export function besideTrips(reading: ReadingOptions): ReadingOptions {
  const { axisOrder: _, ...table } = reading.table ?? {};
  return { ...reading, table, latFirst: false };
}

/** Flags that decide what counts as a visit, as commander returns them. */
export interface VisitFlags extends Pick<FixFlags, 'parked' | 'maxCrossed'> {
  readonly exitBuffer?: number;
  readonly accuracyCap: number;
  readonly minInside: number;
  readonly minOutside: number;
  readonly maxGap: number;
  readonly maxGapDistance?: number;
}

/** Adds `--exit-buffer` to `--max-gap-distance`; `addFixFlags` adds the others of `VisitFlags`. */
export function addVisitFlags(command: Command): Command {
  return command
    .optionsGroup('Visits:')
    .option(
      '--exit-buffer <meters>',
      'distance outside at which a zone counts as left (default: 0, for trips 50)',
      amount,
    )
    .option('--accuracy-cap <meters>', 'up to this much of the accuracy of a fix is added to it', amount, 0)
    .option('--min-inside <seconds>', 'a visit lasts at least this long', amount, 0)
    .option('--min-outside <seconds>', 'a shorter absence does not end a visit', amount, 0)
    .option('--max-gap <seconds>', 'a longer time between two fixes is a gap', amount, 3600)
    .option('--max-gap-distance <meters>', 'a longer way between two fixes is a gap', amount);
}

export interface CliVisitOptions extends Pick<CliFixOptions, 'parkedMeters' | 'maxCrossedMeters'> {
  readonly exitBufferMeters?: number;
  readonly accuracyCapMeters: number;
  readonly minInsideSeconds: number;
  readonly minOutsideSeconds: number;
  readonly maxGapSeconds: number;
  readonly maxGapMeters?: number;
}

export function visitOptions(flags: VisitFlags): CliVisitOptions {
  const { maxGapDistance } = flags;
  return {
    ...(flags.exitBuffer === undefined ? {} : { exitBufferMeters: flags.exitBuffer }),
    accuracyCapMeters: flags.accuracyCap,
    minInsideSeconds: flags.minInside,
    minOutsideSeconds: flags.minOutside,
    maxGapSeconds: flags.maxGap,
    ...(maxGapDistance === undefined ? {} : { maxGapMeters: maxGapDistance }),
    parkedMeters: flags.parked,
    maxCrossedMeters: flags.maxCrossed,
  };
}

/** Adds `--max-gap` alone. */
export function addMaxGap(command: Command): Command {
  return command.option('--max-gap <seconds>', 'a longer time between two fixes is a gap', amount, 3600);
}

/** Adds `--settings` alone. */
export function addSettings(command: Command): Command {
  return command.option('--settings <file>', SETTINGS_HELP);
}

export const SETTINGS_HELP = 'JSON with the custom fields of a unit, as an object or a list of {key, value}';

export type Format = 'csv' | 'json' | 'ndjson';

/** Adds `--format`. */
export function addFormat(command: Command): Command {
  return command.addOption(
    new Option('--format <format>', 'format of the rows').choices(['csv', 'json', 'ndjson']).default('csv'),
  );
}

/** Adds `--out` and the flags of `addRowFlags`. */
export function addOut(command: Command): Command {
  const names = '.csv, .parquet or .xlsx';
  command.option(
    '--out <file>',
    `write the rows to this ${names} file, whole or not at all (default: standard output)`,
    (value: string) => {
      if (CSV_FILE.test(value) || PARQUET_FILE.test(value) || XLSX_FILE.test(value)) return value;
      throw new InvalidArgumentError(`Expected a name that ends in ${names}.`);
    },
  );
  return addRowFlags(command);
}

/** Adds `--workers`. */
export function addWorkers(command: Command): Command {
  return command.option('--workers <count>', 'number of threads; 1: only the main thread', workerCount, 1);
}

function workerCount(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!(Number.isInteger(number) && number >= 1 && number <= 1024)) {
    throw new InvalidArgumentError('Expected a whole number from 1 to 1024.');
  }
  return number;
}

/** A time with its offset, as epoch milliseconds. */
export function instant(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Expected a time with its offset: 2026-03-02T08:00Z.');
  return time;
}

/** A number of at least 0. */
export function amount(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number < Infinity)) {
    throw new InvalidArgumentError('Expected a number of at least 0.');
  }
  return number;
}
