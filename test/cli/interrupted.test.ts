import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ZoneIndex } from '../../src/index.js';
import { fromGeoJson, fromGpx, toFixCsv } from '../../src/interchange/index.js';
import { needs, SCRIPT } from '../needs.js';
import { LONG } from '../volume.js';
import { testFolder } from './wayzone.js';

/** Runs the built program as a shell does: stopped by Ctrl-C, with a closed reader, with and without a terminal. */

const PROGRAM = new URL('../../src/cli/dist/main.js', import.meta.url).pathname;
const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;
const { at, put } = testFolder('interrupted');
const OLD = 'what stood there before\n';

beforeAll(() => {
  const fixes = Array.from({ length: 20_000 }, (_, i) => ({
    time: 1_772_438_400_000 + 1000 * i,
    lon: 37.6 + i * 1e-6,
    lat: 55.7,
    speedKph: 40,
  }));
  put('day.csv', toFixCsv([{ name: 'u', unitId: 'u', fixes }]));
  const line = (i: number): object => ({
    type: 'Feature',
    id: `line ${i}`,
    properties: { name: '\u001b[31mred', width: 30 },
    geometry: {
      type: 'LineString',
      coordinates: Array.from({ length: 50 }, (_, k) => [37 + k / 100, 55 + i / 500 + (k % 2) / 1000]),
    },
  });
  put(
    'lines.geojson',
    JSON.stringify({ type: 'FeatureCollection', features: Array.from({ length: 200 }, (_, i) => line(i)) }),
  );
  put('trips.json', readFileSync(`${FIXTURES}city-trips.json`));
});

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
}

function start(argv: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function ending(child: ChildProcess): Promise<Ending> {
  let err = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((done) => {
    child.on('close', (code, signal) => done({ code, signal, err }));
  });
}

/** Commands that write files: their arguments, one of their files, and whether its bytes are complete. */
const WRITERS: readonly (readonly [
  name: string,
  argv: (out: string) => string[],
  file: string,
  whole: (bytes: Buffer) => boolean,
])[] = [
  [
    'convert',
    (out) => [
      'convert',
      at('day.csv'),
      join(out, 'x.gpx'),
      '--speed-unit',
      'kph',
      '--issues',
      join(out, 'issues.csv'),
    ],
    'x.gpx',
    (bytes) => fromGpx(bytes).value.tracks[0]?.fixes.length === 20_000,
  ],
  [
    'buffer',
    (out) => ['buffer', at('lines.geojson'), '--out', join(out, 'x.geojson')],
    'x.geojson',
    (bytes) => fromGeoJson(bytes).value.zones.length === 200,
  ],
  [
    'index',
    (out) => ['index', at('lines.geojson'), '--out', join(out, 'x.wzi')],
    'x.wzi',
    (bytes) => ZoneIndex.fromBuffer(bytes).size === 200,
  ],
  [
    'route',
    (out) => ['route', '55.7,37.6;55.8,37.7', '--out', join(out, 'x.geojson')],
    'x.geojson',
    (bytes) => JSON.parse(bytes.toString()) !== null,
  ],
  [
    'report',
    (out) => ['report', '--out', out],
    'zones.geojson',
    (bytes) => fromGeoJson(bytes).value.zones.length === 23,
  ],
];

/** Temporary files left in the folder, and the output if it is neither complete nor the old one. */
function brokenFiles(out: string, file: string, whole: (bytes: Buffer) => boolean): string[] {
  const parts = readdirSync(out).filter((name) => name.endsWith('.part'));
  const bytes = readFileSync(join(out, file));
  return bytes.toString('latin1') === OLD || whole(bytes) ? parts : [...parts, file];
}

function folderFor(name: string, file: string): string {
  const out = at(name);
  mkdirSync(out, { recursive: true });
  put(join(name, file), OLD);
  return out;
}

describe.each(WRITERS)('%s', (name, argv, file, whole) => {
  test('Ctrl-C at any moment leaves no partly written file', async () => {
    const moments = LONG
      ? (['writing', 'writing', 150, 200, 300, 400, 600, 800] as const)
      : (['writing', 300] as const);
    for (const [i, moment] of moments.entries()) {
      const out = folderFor(`${name}-${i}`, file);
      const child = start([...argv(out), '--force']);
      const ended = ending(child);
      child.stdout!.resume();
      if (moment === 'writing') {
        while (child.exitCode === null && !readdirSync(out).some((entry) => entry.endsWith('.part'))) {
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      } else await new Promise((resolve) => setTimeout(resolve, moment));
      child.kill('SIGINT');
      const { code, signal } = await ended;
      expect(signal === 'SIGINT' || code === 0, `${code} ${signal} at ${moment}`).toBe(true);
      expect(brokenFiles(out, file, whole)).toEqual([]);
    }
  });

  test('the file is complete even if nobody reads the standard output', async () => {
    const out = folderFor(`${name}-unread`, file);
    const child = start([...argv(out), '--force']);
    child.stdout!.destroy();
    const { code, signal, err } = await ending(child);
    expect([code, signal, err.includes('EPIPE')]).toEqual([0, null, false]);
    const bytes = readFileSync(join(out, file));
    expect([bytes.toString('latin1') === OLD, whole(bytes), brokenFiles(out, file, whole)]).toEqual([
      false,
      true,
      [],
    ]);
    if (name === 'convert') expect(existsSync(join(out, 'issues.csv'))).toBe(true);
  });
});

/** Commands that print rows, each with a large output. */
const PRINTERS: readonly (readonly [name: string, argv: () => string[]])[] = [
  ['measure', () => ['measure', at('lines.geojson')]],
  ['buffer', () => ['buffer', at('lines.geojson')]],
  ['locate', () => ['locate', at('lines.geojson'), '--positions', at('day.csv')]],
  [
    'visits',
    () => ['visits', '--zones', `${FIXTURES}city-zones.geojson`, '--tracks', `${FIXTURES}city-night.csv`],
  ],
  ['movement', () => ['movement', `${FIXTURES}city-night.csv`]],
  ['validate', () => ['validate', at('lines.geojson')]],
  ['--help', () => ['--help']],
];

describe.each(PRINTERS)('%s', (_, argv) => {
  test('ends without an error message when its reader closes', async () => {
    for (const closed of LONG ? (['stdout', 'stderr', 'both'] as const) : (['both'] as const)) {
      const child = start(argv());
      if (closed !== 'stderr') child.stdout!.destroy();
      else child.stdout!.resume();
      const ended = ending(child);
      if (closed !== 'stdout') child.stderr!.destroy();
      const { code, signal, err } = await ended;
      expect(signal).toBeNull();
      expect([0, 1]).toContain(code);
      expect(err).not.toMatch(/EPIPE|at .*node:/);
    }
  });

  test('prints the same without a terminal, whatever the colour variables', () => {
    const printed = (env: NodeJS.ProcessEnv): string => {
      const { FORCE_COLOR: _, NO_COLOR: __, ...rest } = process.env;
      try {
        return execFileSync(process.execPath, [PROGRAM, ...argv()], {
          encoding: 'utf8',
          env: { ...rest, ...env },
          maxBuffer: 2 ** 30,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    const plain = printed({});
    expect(plain.length).toBeGreaterThan(0);
    expect(plain.includes('\u001b')).toBe(false);
    expect(printed({ NO_COLOR: '1' })).toBe(plain);
    expect(printed({ FORCE_COLOR: '3', COLORTERM: 'truecolor' })).toBe(plain);
  });
});

needs(SCRIPT).test.each(['NO_COLOR', 'FORCE_COLOR'])(
  'a terminal shows a progress bar, and the content of files adds no colours, with %s set (needs script)',
  (name) => {
    const command = `${process.execPath} ${PROGRAM} buffer ${at('lines.geojson')} --out ${at('screen.geojson')} --force`;
    const out = execFileSync('script', ['-qec', command, '/dev/null'], {
      encoding: 'utf8',
      env: { ...process.env, [name]: '1', TERM: 'xterm-256color' },
    });
    expect(out).toContain('corridors');
    expect(out).toContain('Written to');
    // Escape sequences in files must not colour the terminal.
    expect(out.includes('\u001b[31m')).toBe(false);
    // The sequences of the bar move the cursor. Sequences for colours end in m.
    const colours = out.split('\u001b[').filter((rest, i) => i > 0 && /^[0-9;]*m/.test(rest));
    if (name === 'NO_COLOR') expect(colours).toEqual([]);
  },
);
