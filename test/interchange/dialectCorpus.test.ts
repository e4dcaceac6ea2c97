/** Every file of the corpus of dialects gives what is expected of it, or asks the question that it must ask. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { streamInput } from '../../src/cli/io/streamInput.js';
import { run } from '../../src/cli/run.js';
import type { ForeignData } from '../../src/core/fix.js';
import { fromCsv, fromGeoJson, type TableHints } from '../../src/interchange/index.js';
import { needs } from '../needs.js';
import { dataPath, hasData } from './realData.js';

interface ExpectedFix {
  readonly unit: string;
  readonly time: string;
  readonly lat: number;
  readonly lon: number;
  readonly kph: number | null;
}

interface ExpectedZone {
  readonly name: string;
  readonly type: string;
  readonly lon?: number;
  readonly lat?: number;
  readonly radius?: number;
  readonly ring?: readonly (readonly [number, number])[];
  readonly line?: readonly (readonly [number, number])[];
}

interface Expected {
  readonly kind: 'tracks' | 'zones';
  readonly ask: readonly { readonly code: string; readonly flag: string }[];
  readonly filesTogether?: readonly string[];
  readonly expect: { readonly fixes?: readonly ExpectedFix[]; readonly zones?: readonly ExpectedZone[] };
}

const folder = dataPath('dialects');
const DIALECTS = hasData('dialects/expected.json');
const NEED = { name: '../shared/data/dialects', isThere: DIALECTS };
const files: Readonly<Record<string, Expected>> = DIALECTS
  ? (JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as { files: Record<string, Expected> })
      .files
  : {};
const out = mkdtempSync(join(tmpdir(), 'wayzone-corpus-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

/** Questions that are settled by what the file says of itself, or that another question hides. */
const NOT_ASKED: Readonly<Record<string, readonly string[]>> = {
  // CIRCLE is Traccar's alone: said instead.
  'traccar-geofences.csv': ['axis-order-suspect'],
  // Without names of columns there is no column of speeds yet.
  'headerless.csv': ['speed-unit'],
  // Only tracks show it: see the test of both together.
  'swapped.geojson': ['axis-order-suspect'],
};

/** The flags of a file's questions as arguments. */
function answers({ ask }: Expected): string[] {
  return ask.flatMap(({ code, flag }) => {
    if (!flag.startsWith('--')) return [];
    if (code === 'axis-order-suspect' && flag.includes('van-2')) return ['--swapped-units', 'van-2'];
    const [name = '', ...rest] = flag.split(' ');
    return [name, rest.join(' ')];
  });
}

function checkFixes({ value }: ForeignData, fixes: readonly ExpectedFix[]): void {
  const own = value.tracks.flatMap(({ unitId, fixes: list }) => list.map((fix) => ({ ...fix, unitId })));
  const sorted = [...fixes].sort((a, b) => (a.unit === b.unit ? 0 : a.unit < b.unit ? -1 : 1));
  const read = [...own].sort((a, b) => (a.unitId === b.unitId ? 0 : a.unitId < b.unitId ? -1 : 1));
  expect(read.map(({ unitId, time }) => `${unitId} ${new Date(time).toISOString()}`)).toEqual(
    sorted.map(({ unit, time }) => `${unit} ${time}`),
  );
  for (const [i, { lat, lon, kph }] of sorted.entries()) {
    expect(Math.abs(read[i]!.lat - lat)).toBeLessThan(1e-6);
    expect(Math.abs(read[i]!.lon - lon)).toBeLessThan(1e-6);
    if (kph === null) expect(read[i]!.speedKph).toBeUndefined();
    else expect(Math.abs(read[i]!.speedKph! - kph)).toBeLessThan(0.01);
  }
}

function checkZones({ value }: ForeignData, zones: readonly ExpectedZone[]): void {
  expect(value.zones).toHaveLength(zones.length);
  for (const [i, wanted] of zones.entries()) {
    const zone = value.zones[i]!;
    if (wanted.name !== '*') expect(zone.name).toBe(wanted.name);
    expect(zone.type.key).toBe(wanted.type);
    if (wanted.radius !== undefined) expect(Math.abs(zone.width! - wanted.radius)).toBeLessThan(0.01);
    const positions = wanted.ring ?? wanted.line ?? [[wanted.lon!, wanted.lat!]];
    for (const [k, pair] of zone.geometry.entries()) {
      expect(Math.abs(pair[0] - positions[k]![0]!)).toBeLessThan(1e-6);
      expect(Math.abs(pair[1] - positions[k]![1]!)).toBeLessThan(1e-6);
    }
  }
}

/** Reads a file as the command line does, with its flags as options. */
async function readWith(file: string, args: readonly string[]): Promise<ForeignData> {
  const flags = new Map<string, string>();
  for (let i = 0; i < args.length; i += 2) flags.set(args[i]!, args[i + 1]!);
  const latFirst = flags.get('--axis-order') === 'latlon';
  const table: Record<string, unknown> = {
    timeZone: flags.get('--time-zone'),
    dateOrder: flags.get('--date-order'),
    coordinates: flags.get('--coordinates'),
    radiusUnit: flags.get('--radius-unit'),
    date: flags.get('--date'),
    columns: flags.get('--columns')?.split(','),
    swappedUnits: flags.get('--swapped-units')?.split(' '),
    ...(latFirst ? { axisOrder: 'latlon' } : {}),
  };
  const given = Object.fromEntries(
    Object.entries(table).filter(([, own]) => own !== undefined),
  ) as TableHints;
  const unit = flags.get('--unit-column');
  const speedUnit = flags.get('--speed-unit');
  return await streamInput(
    join(folder, file),
    {
      axisOrder: 'lonlat',
      columns: unit === undefined ? {} : { unit },
      ...(Object.keys(given).length === 0 ? {} : { table: given }),
      ...(latFirst ? { latFirst } : {}),
      ...(speedUnit === undefined ? {} : { speedUnit: speedUnit as 'kph' }),
    },
    { write: () => true },
  );
}

const { test: corpusTest } = needs(NEED);

corpusTest.each(Object.keys(files).length === 0 ? [''] : Object.keys(files))(
  '%s gives what is expected, or asks',
  async (file) => {
    const wanted = files[file]!;
    const plain = await readWith(file, []);
    const asked = new Set(
      plain.issues.filter(({ severity }) => severity === 'error').map(({ code }) => String(code)),
    );
    for (const { code } of wanted.ask) {
      if (NOT_ASKED[file]?.includes(code) !== true) expect([...asked], 'asked').toContain(code);
    }
    if (wanted.ask.length === 0 && file !== 'nmea-rmc.nmea') expect([...asked]).toEqual([]);
    const data = wanted.ask.length === 0 ? plain : await readWith(file, answers(wanted));
    if (wanted.kind === 'zones') checkZones(data, wanted.expect.zones ?? []);
    else checkFixes(data, wanted.expect.fixes ?? []);
    // What is asked is not read: no fix that the answer would change.
    const quantities = ['speed-unit'];
    if (
      wanted.kind === 'tracks' &&
      wanted.ask.some(({ code }) => !quantities.includes(code) && code !== 'axis-order-suspect')
    ) {
      expect(plain.value.tracks.flatMap(({ fixes }) => fixes)).toEqual([]);
    }
  },
);

corpusTest.each(Object.keys(files).length === 0 ? [''] : Object.keys(files))(
  'the command line converts %s with the flags that it asks for',
  async (file) => {
    const wanted = files[file]!;
    const count = (wanted.expect.fixes ?? wanted.expect.zones ?? []).length;
    if (count === 0) return;
    const target = join(out, wanted.kind === 'zones' ? 'zones.geojson' : 'fixes.csv');
    let err = '';
    const streams = { stdout: { write: () => true }, stderr: { write: (text: string) => (err += text) } };
    const flags = answers(wanted);
    const code = await run(
      ['convert', join(folder, file), target, ...flags, '--default-width', '50', '--force'],
      streams,
    );
    const text = readFileSync(target, 'utf8');
    if (wanted.kind === 'zones') checkZones(fromGeoJson(text), wanted.expect.zones!);
    else checkFixes(fromCsv(text), wanted.expect.fixes!);
    expect(code, err).toBe(0);
  },
);

corpusTest(
  'two files of unnamed tracks stay two units, and exchanged zones are asked about beside tracks',
  async () => {
    let text = '';
    const streams = {
      stdout: { write: (own: string) => (text += own) },
      stderr: { write: (own: string) => (text += own) },
    };
    const at = (file: string): string => join(folder, file);
    await run(
      [
        'visits',
        '--zones',
        at('zones-plain.geojson'),
        '--tracks',
        at('unnamed-van-1.gpx'),
        at('unnamed-van-2.gpx'),
        '--default-width',
        '5000',
      ],
      streams,
    );
    expect(text).toContain('unnamed-van-1');
    expect(text).toContain('unnamed-van-2');
    const code = await run(
      ['visits', '--zones', at('swapped.geojson'), '--tracks', at('plain-iso.csv')],
      streams,
    );
    expect(code).toBe(1);
    expect(text).toContain('axis-order-suspect');
    const turned = await run(
      ['visits', '--zones', at('swapped.geojson'), '--tracks', at('plain-iso.csv'), '--axis-order', 'latlon'],
      streams,
    );
    expect(turned).toBe(0);
  },
);

test('the corpus is there, or the tests above say that it is not', () => {
  expect(DIALECTS ? Object.keys(files).length : 68).toBeGreaterThanOrEqual(60);
});
