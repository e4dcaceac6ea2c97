/** `wayzone inspect`: the columns of tables as wayzone reads them, and the content of other files. */

import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { WayzoneError } from '../../../core/errors.js';
import type { Fix, ForeignData } from '../../../core/fix.js';
import {
  describeTable,
  fromCsv,
  type TableDescription,
  type TableHints,
} from '../../../interchange/index.js';
import { type TrackFlags, trackReading, type ZoneFlags } from '../../flags/options.js';
import { MAX_FILE_BYTES } from '../../io/fileBytes.js';
import type { FileFormat } from '../../io/fileFormat.js';
import { inputFormat } from '../../io/inputFormat.js';
import type { Io } from '../../io/io.js';
import { knownHints } from '../../io/readingOptions.js';
import { streamInput } from '../../io/streamInput.js';
import { printable, systemErrorText, table } from '../../io/terminal.js';

export interface InspectFlags extends ZoneFlags, TrackFlags {
  readonly format: 'text' | 'json';
  readonly saveProfile?: string;
}

/** Number of fixes shown. */
const SHOWN = 3;

/** Describes the files. Returns whether none leaves a question open. */
export async function inspect(files: readonly string[], flags: InspectFlags, io: Io): Promise<boolean> {
  let isClear = true;
  const all: unknown[] = [];
  for (const file of files) {
    try {
      const format = await inputFormat(file);
      if (format !== null && format !== 'csv') {
        const content = contentOf(await streamInput(file, trackReading(flags), io.stderr), format);
        if (content.questions.length > 0) isClear = false;
        if (flags.format === 'json') all.push({ file, ...content });
        else io.stdout.write(contentText(file, content));
        continue;
      }
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
      io.stderr.write(`wayzone: ${printable(file)}: ${printable(systemErrorText(error))}${code}\n`);
    }
  }
  if (flags.format === 'json') io.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  return isClear;
}

/** Content of a file that is not a table. */
interface Content {
  readonly form: FileFormat;
  readonly counts: Readonly<Record<'zones' | 'routes' | 'tracks' | 'fixes', number>>;
  readonly questions: readonly { readonly code: string; readonly message: string }[];
  readonly fixes: readonly string[][];
}

function contentOf({ value, issues }: ForeignData, form: FileFormat): Content {
  const { zones, routes, tracks } = value;
  const all = tracks.flatMap(({ unitId, fixes }) => fixes.slice(0, SHOWN).map((fix) => fixRow(unitId, fix)));
  return {
    form,
    counts: {
      zones: zones.length,
      routes: routes.length,
      tracks: tracks.length,
      fixes: tracks.reduce((sum, { fixes }) => sum + fixes.length, 0),
    },
    questions: issues
      .filter(({ severity }) => severity === 'error')
      .map(({ code, message }) => ({ code, message })),
    fixes: all.slice(0, SHOWN),
  };
}

function contentText(file: string, { form, counts, questions, fixes }: Content): string {
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  const lines = [
    printable(file),
    `  ${'form'.padEnd(13)} ${form}`,
    ...found.map(([name, count]) => `  ${name.padEnd(13)} ${count}`),
    ...askedLines(questions),
    ...fixLines(fixes),
  ];
  return `${lines.join('\n')}\n\n`;
}

function askedLines(questions: readonly { readonly code: string; readonly message: string }[]): string[] {
  if (questions.length === 0) return [];
  return ['', 'Asked:', ...questions.map(({ code, message }) => `  ${code}: ${printable(message)}`)];
}

function fixLines(fixes: readonly string[][]): string[] {
  if (fixes.length === 0) return [];
  const rows = table(
    ['unit', 'time', 'latitude', 'longitude', 'speed'],
    fixes.map((row) => [...row]),
  );
  return ['', 'The first fixes:', ...rows];
}

async function bytesOf(file: string): Promise<Uint8Array> {
  const bytes = await readFile(file);
  return /\.gz$/i.test(file) ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_FILE_BYTES }) : bytes;
}

function hintsOf(file: string, flags: InspectFlags): TableHints {
  return { fileName: basename(file), ...knownHints(trackReading(flags)) };
}

function firstFixes(bytes: Uint8Array, hints: TableHints): string[][] {
  const rows: string[][] = [];
  const onFix = (unitId: string, fix: Fix): void => {
    if (rows.length < SHOWN) rows.push(fixRow(unitId, fix));
  };
  fromCsv(bytes, { table: hints, onFix });
  return rows;
}

function fixRow(unitId: string, { time, lat, lon, speedKph }: Fix): string[] {
  const speed = speedKph === undefined ? '' : `${Math.round(speedKph * 100) / 100} km/h`;
  return [printable(unitId), new Date(time).toISOString(), String(lat), String(lon), speed];
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
    lines.push(...askedLines(questions));
    const flags = questions.map(({ flag }) => flag).filter((flag) => flag !== '');
    if (flags.length > 0) lines.push('', 'Add, if it is right:', `  ${printable(flags.join(' '))}`);
  }
  lines.push(...fixLines(fixes));
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

/** Writes the decided columns and units, so that the customer's next file needs no flags. */
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
