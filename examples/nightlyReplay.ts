/**
 * A nightly replay: reads a day of fixes and writes visits, movement and trip reports of every unit, on all processor cores.
 *
 *   npx tsx examples/nightlyReplay.ts --archive 2026-03-02/ --zones zones.geojson --trips trips.json --time-zone Europe/Moscow --out night/
 *
 * The archive is either a folder with a file per unit, named by its id, or one file with all units: CSV with a header, or NDJSON with lines
 * `{"unitId": "van-1", "fix": {"time": 1772425200000, "lon": 44.01, "lat": 56.3}}`. In a folder the file name replaces a missing
 * `unitId`. Last night's files are replaced only when all new ones are complete. Unreadable rows are listed in
 * `refused.ndjson` and on stderr, and the exit code is 1. Ctrl-C or an error keeps the old files.
 */

import { createReadStream, statSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type Fix, ZoneIndex } from 'wayzone';
import { fromGeoJson, readCsv, toCsv } from 'wayzone/interchange';
import { type ReplayInput, replay } from 'wayzone/parallel';

const FILES = {
  visits: 'visits.csv',
  movement: 'movement.ndjson',
  reports: 'reports.ndjson',
  units: 'units.ndjson',
  refused: 'refused.ndjson',
} as const;
const VISIT_COLUMNS = ['unitId', 'zoneId', 'enter', 'exit', 'seen', 'end', 'fixCount'];
const VISIT_HEADER = toCsv(VISIT_COLUMNS, []);
const MOST_SHOWN = 20;

const { values: flags } = parseArgs({
  options: {
    archive: { type: 'string', default: 'archive' },
    zones: { type: 'string', default: 'zones.geojson' },
    trips: { type: 'string' },
    'time-zone': { type: 'string', default: 'UTC' },
    'speed-unit': { type: 'string', default: 'kph' },
    out: { type: 'string', default: 'night' },
  },
});

interface Refused {
  readonly file: string;
  readonly line: number | null;
  readonly code: string;
  readonly message: string;
}
const refused: Refused[] = [];

/** The units of one file. Only this file's rows are in memory. */
async function unitsOf(file: string, nameless: string): Promise<Map<string, readonly Fix[]>> {
  if (extname(file) === '.csv') {
    const speedUnit = flags['speed-unit'] as 'kph' | 'mps' | 'mph';
    const { value, issues } = await readCsv(createReadStream(file), { speedUnit, unitId: nameless });
    for (const { severity, line = null, code, message } of issues)
      if (severity === 'error') refused.push({ file, line, code, message });
    return new Map(value.tracks.map(({ unitId, fixes }) => [unitId, fixes]));
  }
  const units = new Map<string, Fix[]>();
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    line++;
    if (text === '') continue;
    try {
      const { unitId = nameless, fix } = JSON.parse(text) as { unitId?: string; fix: Fix };
      if (typeof fix !== 'object' || fix === null) throw new TypeError('expected {"unitId", "fix"}');
      const fixes = units.get(unitId);
      if (fixes === undefined) units.set(unitId, [fix]);
      else fixes.push(fix);
    } catch (error) {
      refused.push({ file, line, code: 'row-invalid', message: (error as Error).message });
    }
  }
  return units;
}

/** Yields one unit after another. In a folder each file is read when its unit is next. */
async function* archive(path: string): AsyncGenerator<ReplayInput> {
  const isFolder = statSync(path).isDirectory();
  const files = isFolder ? (await readdir(path)).sort().map((name) => join(path, name)) : [path];
  for (const file of files.filter((name) => /\.(csv|ndjson)$/.test(name))) {
    const nameless = basename(file, extname(file));
    for (const [unitId, fixes] of await unitsOf(file, nameless)) yield { unitId, fixes: [fixes] };
  }
}

async function replayNight(signal: AbortSignal): Promise<void> {
  const zones = fromGeoJson(await readFile(flags.zones));
  for (const { severity, code, message } of zones.issues)
    if (severity === 'error') refused.push({ file: flags.zones, line: null, code, message });
  const index = new ZoneIndex(zones.value.zones, {
    onIssue: ({ code, message }) => refused.push({ file: flags.zones, line: null, code, message }),
  });
  const trips = flags.trips === undefined ? [] : JSON.parse(await readFile(flags.trips, 'utf8'));

  await mkdir(flags.out, { recursive: true });
  try {
    await append('visits', VISIT_HEADER);
    for await (const { unitId, fixes, visits, movement, trips: reports, errors } of replay(
      archive(flags.archive),
      {
        index,
        visitOptions: { exitBufferMeters: 20, minInsideSeconds: 30 },
        movement: true,
        trips,
        tripOptions: { timeZone: flags['time-zone'] },
        onProgress: showProgress,
        signal,
      },
    )) {
      const rows = visits.map(({ zoneId, enter, exit, seen, end, fixCount }) => [
        unitId,
        zoneId,
        isoTime(enter),
        isoTime(exit),
        seen,
        end,
        fixCount,
      ]);
      await append('visits', toCsv(VISIT_COLUMNS, rows).slice(VISIT_HEADER.length));
      for (const kind of ['trips', 'parkings', 'stops'] as const)
        await append('movement', lines((movement?.[kind] ?? []).map((item) => ({ unitId, kind, ...item }))));
      await append('reports', lines(reports));
      await append('units', lines([{ unitId, fixes, errors }]));
      for (const { code, message } of errors) refused.push({ file: unitId, line: null, code, message });
    }
    await append('refused', lines(refused));
    for (const name of Object.values(FILES)) await appendFile(aside(name), '');
    for (const name of Object.values(FILES)) await rename(aside(name), join(flags.out, name));
  } finally {
    for (const name of Object.values(FILES)) await rm(aside(name), { force: true });
  }
}

function aside(name: string): string {
  return join(flags.out, `.${name}.new`);
}

async function append(name: keyof typeof FILES, text: string): Promise<void> {
  await appendFile(aside(FILES[name]), text);
}

function lines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function showProgress({ units, fixes }: { readonly units: number; readonly fixes: number }): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${units} units, ${fixes} fixes`);
}

const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('stopped')));
await replayNight(stop.signal);
if (process.stderr.isTTY) process.stderr.write('\n');
for (const { file, line, code, message } of refused.slice(0, MOST_SHOWN))
  console.error(`${file}${line === null ? '' : `:${line}`}: ${code}: ${message}`);
if (refused.length > MOST_SHOWN)
  console.error(`… ${refused.length} in all: ${join(flags.out, 'refused.ndjson')}`);
process.exitCode = refused.length > 0 ? 1 : 0;
