/** Options that several commands share, and the checks of their values. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ZoneOptions } from '../../core/wire.js';
import type { SpeedUnit } from '../../interchange/index.js';
import type { RolloverWindow } from '../../tracks/fixReader.js';
import type { FixOptions, GapOptions, TrackOptions, VisitOptions } from '../../tracks/index.js';
import { CSV_FILE, PARQUET_FILE, XLSX_FILE } from '../io/fileFormat.js';
import type { ColumnOption, ReadingOptions } from '../io/readingOptions.js';
import { addFlags, type FlagRows, flagAmount, instant, optionsOf } from './flagRows.js';
import {
  addProgramFlags,
  addRowFlags,
  addTableFlags,
  type ProgramFlags,
  type TableFlags,
  tableHints,
} from './tableFlags.js';

/** Flags for reading zones, as commander returns them. */
export interface ZoneFlags extends TableFlags {
  readonly idProperty?: string;
  readonly nameProperty?: string;
  readonly axisOrder: 'lonlat' | 'latlon';
  /** Whether the user gave `--axis-order`. */
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
  // The default must not answer the question of a table that leaves the order open.
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
    .option('--default-width <meters>', 'for circles, points and lines without a width', flagAmount);
}

export function readingOptions(flags: ZoneFlags): ReadingOptions {
  // `route` has a `--profile` of its own, for its engine.
  const { profile: _, ...about } = flags as ZoneFlags & ProgramFlags;
  return zoneReading(flags, tableHints(about, givenOrder(flags)));
}

function givenOrder({ axisOrder, isAxisOrderGiven }: Partial<ZoneFlags>): ZoneFlags['axisOrder'] | undefined {
  return axisOrder === 'latlon' || isAxisOrderGiven ? axisOrder : undefined;
}

function zoneReading(
  { idProperty, nameProperty, axisOrder = 'lonlat' }: Partial<ZoneFlags>,
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

const COLUMNS: readonly ColumnOption[] = ['unit', 'time', 'lat', 'lon', 'speed'];

/** Flags for reading tracks, as commander returns them. */
export interface TrackFlags
  extends TableFlags,
    ProgramFlags,
    Partial<Record<`${ColumnOption}Column`, string>> {
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

/** The flags of `readTrack`. */
export const FIX_FLAG_LIST: FlagRows<FixOptions> = {
  maxSpeedKph: {
    flag: '--max-speed <kph>',
    text: 'a faster jump from the last good fix is left out',
    default: 300,
  },
  maxJamSeconds: {
    flag: '--max-jam <seconds>',
    text: 'after this long without a fix that came back a jump is believed',
    default: 3600,
  },
  frozenSpeedKph: {
    flag: '--frozen-speed <kph>',
    text: 'a place repeated to the bit at this speed is frozen',
    default: 10,
  },
  parkedMeters: {
    flag: '--parked <meters>',
    text: 'a unit that moved no farther during a gap stood still',
    default: 200,
  },
  maxCrossedMeters: {
    flag: '--max-crossed <meters>',
    text: 'a zone counts as crossed only by a shorter step',
    default: 5000,
  },
  maxAccuracyMeters: { flag: '--max-accuracy <meters>', text: 'leave out fixes with a worse accuracy' },
  minSatellites: {
    flag: '--min-satellites <count>',
    text: 'leave out fixes with fewer satellites',
    default: 0,
  },
  earliestTime: {
    flag: '--earliest-time <time>',
    text: 'leave out earlier fixes (ISO 8601; default: 2000-01-01)',
    read: instant,
  },
  latestTime: {
    flag: '--latest-time <time>',
    text: 'leave out later fixes, such as the time of receipt',
    read: instant,
  },
  keepZeroIsland: {
    flag: '--keep-zero-island',
    text: 'keep fixes at exactly 0, 0, which units without reception send',
  },
};

/** The flags of `readTrack` for a whole track. */
const WHOLE_TRACK_FLAGS: FlagRows<Omit<TrackOptions, keyof FixOptions>> = {
  maxLoneDays: {
    flag: '--max-lone-days <days>',
    text: 'leave out few fixes that lie longer from all others: a clock before its first satellite',
    default: 30,
  },
  rolloverWindow: {
    flag: '--rollover-window <from,to>',
    text: 'when the fixes were received (ISO 8601): times 1024 weeks earlier are moved into it',
    read: rolloverWindow,
  },
  readAt: null,
  near: null,
};

function rolloverWindow(text: string): RolloverWindow {
  const [from, to, ...rest] = text.split(',').map((part) => instant(part.trim()));
  if (from === undefined || to === undefined || rest.length > 0 || from > to)
    throw new InvalidArgumentError('Expected two times: 2026-03-01T00:00Z,2026-04-01T00:00Z.');
  return [from, to];
}

/** Adds `--max-speed` to `--rollover-window`. */
export function addFixFlags(command: Command): Command {
  return addFlags(addFlags(command, FIX_FLAG_LIST), WHOLE_TRACK_FLAGS);
}

/** Adds the heading of reading tracks, the flags of `readTrack`, and those of `addTrackFlags`. */
export function addTrackReading(command: Command, hasDate: boolean = true): Command {
  return addTrackFlags(addFixFlags(command.optionsGroup('Reading tracks:')), hasDate);
}

/** The options of `readTrack`. `readAt` is now: a later fix comes from a wrong clock. */
export function fixOptions(flags: object): TrackOptions {
  return { ...optionsOf(flags, FIX_FLAG_LIST), ...optionsOf(flags, WHOLE_TRACK_FLAGS), readAt: Date.now() };
}

/** `readingOptions` with the options of tracks. The flags of zones may be absent. */
export function trackReading(flags: Partial<ZoneFlags> & TrackFlags): ReadingOptions {
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

/** Options for files read beside trips: `--axis-order` is for the trips; the files have their own order. */
export function besideTrips(reading: ReadingOptions): ReadingOptions {
  const { axisOrder: _, ...table } = reading.table ?? {};
  return { ...reading, table, latFirst: false };
}

/** The flags of gaps. */
export const GAP_FLAGS: FlagRows<GapOptions> = {
  maxGapSeconds: {
    flag: '--max-gap <seconds>',
    text: 'a longer time between two fixes is a gap',
    default: 3600,
  },
  maxGapMeters: {
    flag: '--max-gap-distance <meters>',
    text: 'a longer way between two fixes is a gap',
  },
  parkedMeters: FIX_FLAG_LIST.parkedMeters,
};

/** The flags of `findVisits`. */
export const VISIT_FLAGS: FlagRows<VisitOptions> = {
  exitBufferMeters: {
    flag: '--exit-buffer <meters>',
    text: 'distance outside at which a zone counts as left (default: 0, for trips 50)',
  },
  accuracyCapMeters: {
    flag: '--accuracy-cap <meters>',
    text: 'up to this much of the accuracy of a fix is added to it',
    default: 0,
  },
  minInsideSeconds: {
    flag: '--min-inside <seconds>',
    text: 'a visit lasts at least this long',
    default: 0,
  },
  minOutsideSeconds: {
    flag: '--min-outside <seconds>',
    text: 'a shorter absence does not end a visit',
    default: 0,
  },
  ...GAP_FLAGS,
  maxCrossedMeters: FIX_FLAG_LIST.maxCrossedMeters,
};

/** Adds `--exit-buffer` to `--max-gap-distance`. */
export function addVisitFlags(command: Command): Command {
  return addFlags(command.optionsGroup('Visits:'), VISIT_FLAGS);
}

export function visitOptions(flags: object): VisitOptions {
  return optionsOf(flags, VISIT_FLAGS);
}

/** Adds `--max-gap` alone. */
export function addMaxGap(command: Command): Command {
  return addFlags(command, { maxGapSeconds: GAP_FLAGS.maxGapSeconds });
}

export function gapOptions(flags: object): GapOptions {
  return optionsOf(flags, GAP_FLAGS);
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
