/** Options that several commands share, and the checks of their values. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ZoneOptions } from '../../core/wire.js';
import type { SpeedUnit } from '../../interchange/index.js';
import { PARQUET_FILE } from '../io/fileFormat.js';
import type { Column, ReadingOptions } from '../io/readingOptions.js';

/** Flags that say how to read zones, as commander returns them. */
export interface ZoneFlags {
  readonly idProperty?: string;
  readonly nameProperty?: string;
  readonly axisOrder: 'lonlat' | 'latlon';
  readonly lineWidth: 'total' | 'each-side';
  readonly defaultWidth?: number;
}

/** Adds `--id-property`, `--name-property`, `--axis-order`, `--line-width` and `--default-width`. */
export function addZoneFlags(command: Command): Command {
  command
    .optionsGroup('Reading zones:')
    .option('--id-property <name>', 'the GeoJSON property that holds the id')
    .option('--name-property <name>', 'the GeoJSON property that holds the name');
  return addShapeFlags(command);
}

/** Adds `--axis-order`, `--line-width` and `--default-width`. */
export function addShapeFlags(command: Command): Command {
  return command
    .addOption(
      new Option('--axis-order <order>', "the order of pairs in shapes of the platform's own form")
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

export function readingOptions({ idProperty, nameProperty, axisOrder }: ZoneFlags): ReadingOptions {
  return {
    axisOrder,
    columns: {},
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
export interface TrackFlags extends Partial<Record<`${Column}Column`, string>> {
  readonly speedUnit?: SpeedUnit;
}

/** Adds `--speed-unit` and `--unit-column` to `--speed-column`. */
export function addTrackFlags(command: Command): Command {
  command.addOption(
    new Option('--speed-unit <unit>', 'unit of a column "speed"').choices(['kph', 'mps', 'mph']),
  );
  for (const column of COLUMNS) {
    command.option(
      `--${column}-column <name>`,
      `the CSV column of the ${column}, unless it has a common name`,
    );
  }
  return command;
}

/** Adds `--max-speed`. */
export function addMaxSpeed(command: Command): Command {
  return command.option(
    '--max-speed <kph>',
    'leave out a fix that is faster than this to both neighbours',
    amount,
    300,
  );
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
  return { ...readingOptions(flags), columns, ...(speedUnit === undefined ? {} : { speedUnit }) };
}

/** Flags that decide what counts as a visit, as commander returns them. */
export interface VisitFlags {
  readonly exitBuffer?: number;
  readonly minInside: number;
  readonly minOutside: number;
  readonly maxGap: number;
}

/** Adds `--exit-buffer`, `--min-inside`, `--min-outside` and `--max-gap`. */
export function addVisitFlags(command: Command): Command {
  return command
    .optionsGroup('Visits:')
    .option(
      '--exit-buffer <meters>',
      'distance outside at which a zone counts as left (default: 0, for trips 50)',
      amount,
    )
    .option('--min-inside <seconds>', 'a visit lasts at least this long', amount, 0)
    .option('--min-outside <seconds>', 'a shorter absence does not end a visit', amount, 0)
    .option('--max-gap <seconds>', 'a longer time between two fixes is a gap', amount, 3600);
}

export interface CliVisitOptions {
  readonly exitBufferMeters?: number;
  readonly minInsideSeconds: number;
  readonly minOutsideSeconds: number;
  readonly maxGapSeconds: number;
}

export function visitOptions({ exitBuffer, minInside, minOutside, maxGap }: VisitFlags): CliVisitOptions {
  return {
    ...(exitBuffer === undefined ? {} : { exitBufferMeters: exitBuffer }),
    minInsideSeconds: minInside,
    minOutsideSeconds: minOutside,
    maxGapSeconds: maxGap,
  };
}

export type Format = 'csv' | 'json' | 'ndjson';

/** Adds `--format`. */
export function addFormat(command: Command): Command {
  return command.addOption(
    new Option('--format <format>', 'format of the rows').choices(['csv', 'json', 'ndjson']).default('csv'),
  );
}

/** Adds `--out`. */
export function addOut(command: Command): Command {
  return command.option(
    '--out <file>',
    'write the rows to this .parquet file, whole or not at all (default: standard output)',
    parquetName,
  );
}

function parquetName(value: string): string {
  if (PARQUET_FILE.test(value)) return value;
  throw new InvalidArgumentError('Expected a name that ends in .parquet.');
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

/** A number of at least 0. */
export function amount(value: string): number {
  const number = Number(value);
  if (value.trim() === '' || !(number >= 0 && number < Infinity)) {
    throw new InvalidArgumentError('Expected a number of at least 0.');
  }
  return number;
}
