/** What a person meets in the first minutes: mistakes in a command line, outputs that exist, files that do not belong together. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import { testFolder, asGiven as wayzone } from './wayzone.js';

const { at, put } = testFolder('first');
const zones = put(
  'zones.geojson',
  JSON.stringify({
    type: 'Feature',
    id: 'd',
    properties: { name: 'Depot, north' },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [37, 55],
          [38, 55],
          [38, 56],
          [37, 55],
        ],
      ],
    },
  }),
);
/** A drive of 11.1 m/s along a meridian. */
const drive = (name: string, lat: number, speeds = 'speed'): string =>
  put(
    name,
    [
      `unit,time,lat,lon,${speeds}`,
      ...Array.from({ length: 12 }, (_, i) => {
        const time = new Date(Date.UTC(2026, 0, 1) + 30_000 * i).toISOString();
        return `van,${time},${(lat + 0.003 * i).toFixed(6)},37.5,11.1`;
      }),
    ].join('\n'),
  );
const tracks = drive('tracks.csv', 55.1);

describe('mistakes in a command line', () => {
  test('a wrong flag is said before a missing one, with the flag that is meant', async () => {
    const { code, err } = await wayzone('visits', '--trak', tracks);
    expect([
      code,
      err.includes("unknown option '--trak'"),
      err.includes('--tracks'),
      err.includes('--zones'),
    ]).toEqual([2, true, true, false]);
    expect((await wayzone('visits', '--tracks', tracks)).err).toContain(
      "required option '--zones <file...>'",
    );
  });

  test.each([
    ['inspect', ['inspect', 'absent.csv']],
    ['a profile', ['movement', tracks, '--profile', 'absent.json']],
    ['settings', ['movement', tracks, '--speed-unit', 'mps', '--settings', 'absent.json']],
    ['a file of zones', ['measure', 'absent.geojson']],
    ['an index', ['locate', 'absent.wzi', '--at', '1,2']],
  ])('%s that does not exist: no such file', async (_, argv) => {
    const { code, err } = await wayzone(...argv);
    expect([code === 0, err.includes('no such file'), err.includes('ENOENT')]).toEqual([false, true, false]);
  });

  test('speeding without a limit is an error', async () => {
    const { code, out, err } = await wayzone('speeding', '--tracks', tracks, '--speed-unit', 'mps');
    expect([code, out, err.includes('--limit')]).toEqual([2, '', true]);
  });

  test('a single trip is `1 trip`', async () => {
    const { out } = await wayzone(
      'report',
      '--zones',
      zones,
      '--tracks',
      tracks,
      '--speed-unit',
      'mps',
      '--out',
      at('single'),
    );
    expect(out).toMatch(/^Moved {3}1 trip, .* km; /m);
  });

  test('settings without a limit are an error of speeding', async () => {
    const settings = put('no-limit.json', '{}');
    const { code, out, err } = await wayzone(
      'speeding',
      '--tracks',
      tracks,
      '--speed-unit',
      'mps',
      '--settings',
      settings,
    );
    expect([code, out, err.includes('--limit')]).toEqual([1, '', true]);
  });
});

describe('outputs that exist', () => {
  test.each([
    ['convert', (out: string) => ['convert', zones, out], 'kept.kml'],
    ['tiles', (out: string) => ['tiles', zones, out], 'kept.pmtiles'],
    ['index', (out: string) => ['index', zones, '--out', out], 'kept.wzi'],
    ['visits', (out: string) => ['visits', '--zones', zones, '--tracks', tracks, '--out', out], 'kept.csv'],
    ['issues', (out: string) => ['convert', zones, at('other.kml'), '--issues', out], 'kept2.csv'],
  ])('%s keeps a file, and replaces it with --force', async (_, argv, name) => {
    const file = put(name, 'kept');
    const { code, err } = await wayzone(...argv(file));
    expect([code, err, readFileSync(file, 'utf8')]).toEqual([
      1,
      `wayzone: cannot write ${file}: it exists; --force replaces it (output-unwritable)\n`,
      'kept',
    ]);
    await wayzone(...argv(file), '--force');
    expect(readFileSync(file, 'utf8')).not.toBe('kept');
  });

  test('a folder with a page is one', async () => {
    const argv = ['report', '--zones', zones, '--tracks', tracks, '--speed-unit', 'mps', '--out', at('page')];
    expect((await wayzone(...argv)).code).toBe(0);
    expect((await wayzone(...argv)).err).toContain('it exists; --force replaces it');
    expect((await wayzone(...argv, '--force')).code).toBe(0);
  });
});

test('locate names the zones in tables, and takes the latitude first', async () => {
  const { out } = await wayzone('locate', zones, '--at', '55.2,37.6');
  expect(out).toBe('unit_id,time_utc,lon,lat,zone_id,zone_name\r\n,,37.6,55.2,d,"Depot, north"\r\n');
  const file = at('rows.csv');
  await wayzone('locate', zones, '--positions', tracks, '--speed-unit', 'mps', '--out', file);
  expect(readFileSync(file, 'utf8').split('\r\n')[1]).toMatch(/,d,"Depot, north"$/);
  const index = at('zones.wzi');
  await wayzone('index', zones, '--out', index);
  expect((await wayzone('locate', index, '--at', '55.2,37.6')).out).toBe(out);
});

test('a straight line is said, but not in the answer', async () => {
  const { out, err } = await wayzone('route', '55.75,37.61;55.70,37.50', '--format', 'json');
  expect(err).toContain('Straight lines');
  expect(() => JSON.parse(out) as unknown).not.toThrow();
});

describe('files that do not fit', () => {
  test.each([
    ['in another country', 5, true],
    ['beside the zones', 54, false],
  ])('tracks %s', async (_, lat, isFar) => {
    const { err } = await wayzone('visits', '--zones', zones, '--tracks', drive('far.csv', lat, 'speed_mps'));
    expect(/zones-far[\s\S]*all 5,5\d\d km and more/.test(err)).toBe(isFar);
  });

  test.each(['kph', 'knots', 'mph', 'mps'])('a unit of speeds: %s', async (unit) => {
    const { err } = await wayzone('movement', tracks, '--speed-unit', unit);
    expect(err.includes('--speed-unit mps fits')).toBe(unit !== 'mps');
  });
});

test('reading draws its progress on a terminal only', async () => {
  const drawn = async (isTTY: boolean): Promise<string> => {
    const screen = new PassThrough() as PassThrough & { isTTY?: boolean };
    screen.isTTY = isTTY;
    let text = '';
    screen.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    const argv = ['visits', '--zones', zones, '--tracks', tracks, '--speed-unit', 'mps'];
    await run(argv, { stdout: { write: () => true }, stderr: screen });
    return text;
  };
  expect(await drawn(false)).toBe('');
  expect(await drawn(true)).toContain('read ');
});

describe('completion', () => {
  const bash = (script: string, words: readonly string[]): string[] => {
    const list = words.map((word) => `'${word}'`).join(' ');
    const code = `${script}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _wayzone; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', code], { encoding: 'utf8' }).trim().split(' ');
  };

  test('offers commands, their flags, and the words of a flag', async () => {
    const { out: script } = await wayzone('completion', 'bash');
    expect(bash(script, ['wayzone', 'me'])).toEqual(['measure', 'meetings']);
    expect(bash(script, ['wayzone', 'speeding', '--zone-l'])).toEqual(['--zone-limits']);
    expect(bash(script, ['wayzone', 'locate', 'z.wzi', '--format', ''])).toEqual(['csv', 'json', 'ndjson']);
    expect(bash(script, ['wayzone', 'completion', 'z'])).toEqual(['zsh']);
  });

  test('the script for zsh runs that for bash', async () => {
    const [first, second] = [await wayzone('completion', 'zsh'), await wayzone('completion', 'bash')];
    expect(first.out.endsWith(second.out)).toBe(true);
    expect(first.out).toContain('bashcompinit');
    expect((await wayzone('completion', 'fish')).code).toBe(2);
  });
});
