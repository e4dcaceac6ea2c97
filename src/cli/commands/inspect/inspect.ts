/** `wayzone inspect`: what is understood of tables. */

import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { messageOf, WayzoneError } from '../../../core/errors.js';
import type { Fix } from '../../../core/fix.js';
import {
  describeTable,
  fromCsv,
  type TableDescription,
  type TableHints,
} from '../../../interchange/index.js';
import { type TrackFlags, trackReading, type ZoneFlags } from '../../flags/options.js';
import { MAX_FILE_BYTES } from '../../io/fileBytes.js';
import type { Io } from '../../io/io.js';
import { printable, table } from '../../io/terminal.js';

export interface InspectFlags extends ZoneFlags, TrackFlags {
  readonly format: 'text' | 'json';
  readonly saveProfile?: string;
}

/** Fixes that are shown. */
const SHOWN = 3;

/** Returns whether no file asks anything. */
export async function inspect(files: readonly string[], flags: InspectFlags, io: Io): Promise<boolean> {
  let isClear = true;
  const all: unknown[] = [];
  for (const file of files) {
    try {
      const bytes = await bytesOf(file);
      const hints = hintsOf(file, flags);
      const description = describeTable(bytes, hints);
      if (description.questions.length > 0) isClear = false;
      if (flags.format === 'json') all.push({ file, ...description });
      else io.stdout.write(textOf(file, description, firstFixes(bytes, hints)));
      if (flags.saveProfile !== undefined) await saveProfile(flags.saveProfile, description, hints);
    } catch (error) {
      isClear = false;
      const code = error instanceof WayzoneError ? ` (${error.code})` : '';
      io.stderr.write(`wayzone: ${printable(file)}: ${printable(messageOf(error))}${code}\n`);
    }
  }
  if (flags.format === 'json') io.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  return isClear;
}

async function bytesOf(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file);
  return /\.gz$/i.test(file) ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_FILE_BYTES }) : bytes;
}

function hintsOf(file: string, flags: InspectFlags): TableHints {
  const { columns, speedUnit, table: given = {} } = trackReading(flags);
  const named = Object.entries(columns).map(([role, name]) => ({ name, role: role as 'unit' }));
  return {
    fileName: basename(file),
    ...(named.length === 0 ? {} : { columns: named }),
    ...(speedUnit === undefined ? {} : { speedUnit }),
    ...given,
  };
}

function firstFixes(bytes: Uint8Array, hints: TableHints): string[][] {
  const rows: string[][] = [];
  const onFix = (unitId: string, { time, lat, lon, speedKph }: Fix): void => {
    if (rows.length >= SHOWN) return;
    const speed = speedKph === undefined ? '' : `${Math.round(speedKph * 100) / 100} km/h`;
    rows.push([printable(unitId), new Date(time).toISOString(), String(lat), String(lon), speed]);
  };
  fromCsv(bytes, { table: hints, onFix });
  return rows;
}

function textOf(file: string, description: TableDescription, fixes: readonly string[][]): string {
  const { form, kind, encoding, delimiter, decimal, sheet, headerLine, timeZone, profile, columns } =
    description;
  const facts: [string, string][] = [
    ['rows', kind],
    ['form', form],
    ['encoding', encoding ?? 'unknown'],
    ...(delimiter === null
      ? []
      : ([['delimiter', delimiter === '\t' ? 'tab' : delimiter]] as [string, string][])),
    ['decimal mark', decimal],
    ...(sheet === null ? [] : ([['sheet', sheet]] as [string, string][])),
    ['header', headerLine === 0 ? 'none' : `line ${headerLine}`],
    [
      'time zone',
      timeZone ??
        (description.questions.some(({ code }) => code === 'time-zone-missing') ? 'unknown' : 'of each time'),
    ],
    ...(profile === null ? [] : ([['program', profile]] as [string, string][])),
  ];
  const lines = [
    `${printable(file)}`,
    ...facts.map(([name, value]) => `  ${name.padEnd(13)} ${printable(value)}`),
    '',
  ];
  lines.push(
    ...table(
      ['column', 'read as', 'unit', 'form', 'sure', 'examples', 'change it'],
      columns.map(({ name, role, unit, format, confidence, examples }) => [
        printable(name),
        role ?? '-',
        unit ?? '',
        format ?? '',
        role === null ? '' : `${Math.round(confidence * 100)} %`,
        printable(examples.join(' | ').slice(0, 40)),
        role === null ? '' : (FLAGS[role] ?? ''),
      ]),
    ),
  );
  const { assumptions, questions } = description;
  if (assumptions.length > 0)
    lines.push(
      '',
      'Assumed:',
      ...assumptions.map(
        ({ message, flag }) => `  ${printable(message)}${flag === '' ? '' : `   [${printable(flag)}]`}`,
      ),
    );
  if (questions.length > 0) {
    lines.push('', 'Asked:', ...questions.map(({ code, message }) => `  ${code}: ${printable(message)}`));
    const flags = questions.map(({ flag }) => flag).filter((flag) => flag !== '');
    if (flags.length > 0) lines.push('', 'Add, if it is right:', `  ${printable(flags.join(' '))}`);
  }
  if (fixes.length > 0)
    lines.push(
      '',
      'The first fixes:',
      ...table(
        ['unit', 'time', 'latitude', 'longitude', 'speed'],
        fixes.map((row) => [...row]),
      ),
    );
  return `${lines.join('\n')}\n\n`;
}

const FLAGS: Readonly<Record<string, string>> = {
  unit: '--unit-column',
  time: '--time-column',
  lat: '--lat-column',
  lon: '--lon-column',
  speed: '--speed-column, --speed-unit',
  mileage: '--mileage-unit',
  position: '--axis-order',
  radius: '--radius-unit',
};

/** Writes what is settled, so that the next file of the customer needs no flags. */
async function saveProfile(path: string, description: TableDescription, hints: TableHints): Promise<void> {
  const { encoding, delimiter, decimal, columns, timeZone, kind } = description;
  const settled = columns
    .filter(({ role }) => role !== null)
    .map(({ name, role, unit, format }) => ({ name, role, unit, format }));
  const { speedUnit, dateOrder, coordinates, mileageUnit, radiusUnit, axisOrder } = hints;
  const profile = {
    headers: settled.map(({ name }) => name),
    kind,
    encoding,
    ...(delimiter === null ? {} : { delimiter }),
    decimal,
    ...(timeZone === null ? {} : { timeZone }),
    ...Object.fromEntries(
      Object.entries({ speedUnit, dateOrder, coordinates, mileageUnit, radiusUnit, axisOrder }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
    columns: settled,
  };
  await writeFile(path, `${JSON.stringify(profile, null, 2)}\n`);
}
