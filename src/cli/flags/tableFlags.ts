/** Options of tables: answers to what a read table leaves open (the questions of `wayzone inspect`), and the form of written rows. */

import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { TableHints, TableProfile } from '../../interchange/index.js';
import { systemErrorText } from '../io/terminal.js';
import { addOnce } from './flagRows.js';

/** Flags for reading tables, as commander returns them. */
export interface TableFlags {
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly sheet?: string;
  readonly columns?: readonly string[];
  readonly unitId?: string;
  readonly timeZone?: string;
  readonly dateOrder?: 'dmy' | 'mdy' | 'ymd';
  readonly coordinates?: TableHints['coordinates'];
  readonly mileageUnit?: TableHints['mileageUnit'];
  readonly radiusUnit?: TableHints['radiusUnit'];
  readonly swappedUnits?: readonly string[];
}

/** Flags for the program that wrote the tracks. */
export interface ProgramFlags {
  readonly profile?: string | TableProfile;
}

/** Adds `--encoding` to `--swapped-units`. A command may add them for its zones and its tracks. */
export function addTableFlags(command: Command): Command {
  const words = (flags: string, what: string, choices: readonly string[]): Option =>
    new Option(flags, what).choices(choices);
  const options = [
    new Option('--encoding <label>', 'encoding of a table: windows-1251, koi8-r, ibm866, … (default: found)'),
    new Option('--delimiter <mark>', 'delimiter of a table; tab is also a mark (default: found)').argParser(
      mark,
    ),
    words('--decimal <mark>', 'decimal mark of a table (default: found)', ['.', ',']),
    new Option('--sheet <name>', 'sheet of a workbook (default: the first with rows)'),
    new Option(
      '--columns <roles>',
      'roles of the columns of a table without a header: unit,time,lat,lon,speed',
    ).argParser((text) => text.split(',').map((part) => part.trim())),
    new Option('--unit-id <id>', 'the unit of a table without units (default: the name of the file)'),
    words('--date-order <order>', 'order of the numbers of dates', ['dmy', 'mdy', 'ymd']),
    words('--coordinates <form>', 'form of positions', [
      'degrees',
      'dms',
      'ddmm',
      '1e-5',
      '1e-6',
      '1e-7',
      'semicircles',
    ]),
    words('--mileage-unit <unit>', 'unit of an odometer', ['m', 'km', 'mi']),
    words('--radius-unit <unit>', 'unit of radii', ['m', 'km', 'ft', 'mi', 'nmi']),
    new Option(
      '--swapped-units <ids...>',
      'units whose latitude and longitude are exchanged; none: no unit, however far it is',
    ),
  ];
  for (const option of options) addOnce(command, option);
  return command;
}

/** Adds `--profile`, `--time-zone`, and `--date` unless the command has its own. */
export function addProgramFlags(command: Command, hasDate: boolean): Command {
  addOnce(
    command,
    new Option(
      '--profile <name>',
      'a known program (traccar, gpslogger, wialon, navixy, osmand, …), or a JSON file',
    ).argParser(readProfile),
  );
  addOnce(command, new Option('--time-zone <name>', 'zone of times without one (Europe/Berlin)'));
  if (hasDate) addOnce(command, new Option('--date <day>', 'day of times without a date (yyyy-MM-dd)'));
  return command;
}

function mark(text: string): string {
  const one = /^(?:tab|\\t)$/i.test(text) ? '\t' : text;
  if (one.length !== 1) throw new InvalidArgumentError('Expected one character, or tab.');
  return one;
}

function readProfile(text: string): string | TableProfile {
  if (!/\.json$/i.test(text)) return text;
  try {
    const value: unknown = JSON.parse(readFileSync(text, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { name: text, ...value };
  } catch (error) {
    throw new InvalidArgumentError(`Expected a JSON object, received: ${systemErrorText(error)}.`);
  }
  throw new InvalidArgumentError('Expected a JSON object.');
}

/**
 * The hints in the flags; undefined if there are none. `axisOrder`: order of pairs in one cell and of well-known text, if the user gave it.
 */
export function tableHints(
  flags: TableFlags & ProgramFlags,
  axisOrder: TableHints['axisOrder'],
): TableHints | undefined {
  const { swappedUnits, columns, profile, ...rest } = flags;
  // In commands that evaluate trips, `date` is a list of days.
  const { date } = flags as { readonly date?: unknown };
  const hints: TableHints = {
    ...pick(rest),
    ...(columns === undefined ? {} : { columns }),
    ...(profile === undefined ? {} : { profile }),
    ...(typeof date === 'string' ? { date } : {}),
    ...(swappedUnits === undefined
      ? {}
      : { swappedUnits: swappedUnits.length === 1 && swappedUnits[0] === 'none' ? [] : swappedUnits }),
    ...(axisOrder === undefined ? {} : { axisOrder }),
  };
  return Object.keys(hints).length === 0 ? undefined : hints;
}

const PLAIN = [
  'encoding',
  'delimiter',
  'decimal',
  'sheet',
  'unitId',
  'timeZone',
  'dateOrder',
  'coordinates',
  'mileageUnit',
  'radiusUnit',
] as const;

function pick(flags: TableFlags): TableHints {
  return Object.fromEntries(
    PLAIN.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
  );
}

/** Flags for the form of rows, as commander returns them. */
export interface RowFlags {
  readonly excel?: true;
  readonly locale?: string;
  readonly timeZone?: string;
}

/** Adds `--excel`, `--locale`, and with `hasTimes` `--time-zone` unless the command has it. */
export function addRowFlags(command: Command, hasTimes: boolean = true): Command {
  command
    .option(
      '--excel',
      'CSV for spreadsheet programs: with a byte mark, plain times, and ; and , where the locale has a decimal comma',
    )
    .option('--locale <tag>', 'language tag for --excel: ru, en-US (default: that of the system)', locale);
  if (!hasTimes) return command;
  return addOnce(
    command,
    new Option('--time-zone <name>', 'zone of times without one, and of the columns …_local (Europe/Berlin)'),
  );
}

function locale(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    throw new InvalidArgumentError('Expected a language tag: ru, de-CH.');
  }
}
