import { describe, expect, test } from 'vitest';
import { wkt } from '../wkt.js';
import { testFolder, wayzone } from './wayzone.js';

const { put } = testFolder('fix-flags');

const [west, east] = [9.9973, 10.0027];
const ring = [
  [west, -0.01],
  [east, -0.01],
  [east, 0.01],
  [west, 0.01],
  [west, -0.01],
];
/** A box 600 m wide. */
const zones = put(
  'zones.geojson',
  JSON.stringify({
    type: 'Feature',
    id: 'a',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [ring] },
  }),
);

/** A unit near the zone: seconds, lon, and further cells. */
function tracks(
  name: string,
  header: string,
  rows: readonly (readonly [number, number, ...(number | string)[]])[],
): string {
  const lines = rows.map(([seconds, lon, ...more]) =>
    ['u', new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString(), 0, lon, ...more].join(','),
  );
  return put(name, `unit,time,lat,lon${header}\n${lines.join('\n')}\n`);
}

async function visits(file: string, ...flags: string[]): Promise<{ ends: string[]; err: string }> {
  const { code, out, err } = await wayzone(
    'visits',
    '--zones',
    zones,
    '--tracks',
    file,
    '--format',
    'json',
    ...flags,
  );
  expect(code).toBe(0);
  return { ends: (JSON.parse(out) as { end: string }[]).map(({ end }) => end), err };
}

describe('wayzone visits', () => {
  test('says what was left out, and nothing if nothing was', async () => {
    const plain = tracks('plain.csv', '', wkt('0 10, 60 10.001'));
    expect((await visits(plain)).err).toBe('');
    const wild = tracks('wild.csv', '', wkt('0 10, 60 10.001, 60 10.001, 70 50, 80 10.002'));
    expect((await visits(wild)).err).toBe('Fixes: 5 read, 3 used, 2 left out (duplicate 1, speed 1)\n');
    expect((await visits(wild, '--max-speed', '1e9')).err).toContain(
      '5 read, 4 used, 1 left out (duplicate 1)',
    );
  });

  test('--max-jam, --frozen-speed, --parked and --max-crossed decide which fixes are good', async () => {
    const jam = tracks('jam.csv', '', wkt('0 10, 60 10.001, 70 14, 100 14.001'));
    expect((await visits(jam)).err).toContain('left out (jammed 2)');
    expect((await visits(jam, '--max-jam', '30')).err).toBe('');
    const frozen = tracks('frozen.csv', ',speed_kph,mileage_meters', [
      [0, 10, 40, 1000],
      [60, 10, 40, 1150],
      [120, 10.01, 40, 2000],
    ]);
    expect(await visits(frozen)).toMatchObject({
      ends: ['gap'],
      err: expect.stringContaining('(frozen 1)') as string,
    });
    expect(await visits(frozen, '--frozen-speed', '50')).toEqual({ ends: ['left'], err: '' });
    expect((await visits(frozen, '--frozen-speed', '50', '--parked', '100')).err).toContain('(frozen 1)');
    // 27 km away for 500 s, then 4 km from the good place.
    const back = tracks('back.csv', '', wkt('0 9.9999, 10 10, 20 10.24, 400 10.24, 700 10.036'));
    expect((await visits(back)).err).toContain('5 read, 3 used, 2 left out (jammed 2)');
    expect((await visits(back, '--max-crossed', '3000')).err).toContain(
      '5 read, 2 used, 3 left out (jammed 3)',
    );
  });

  test('--max-accuracy, --min-satellites, --earliest-time, --latest-time and --keep-zero-island leave out single fixes', async () => {
    const poor = tracks('poor.csv', ',accuracy,satellites', [
      [0, 10, 5, 9],
      [60, 10.001, 80, 9],
      [120, 10.001, 5, 3],
      [180, 10, 5, ''],
    ]);
    expect((await visits(poor)).err).toBe('');
    expect((await visits(poor, '--max-accuracy', '50', '--min-satellites', '4')).err).toBe(
      'Fixes: 4 read, 2 used, 2 left out (accuracy 1, satellites 1)\n',
    );
    const times = ['--earliest-time', '2026-01-01T00:01Z', '--latest-time', '2026-01-01T00:02Z'];
    expect((await visits(poor, ...times)).err).toContain('2 left out (time-implausible 2)');
    const zero = tracks('zero.csv', '', wkt('0 0.1, 600 0'));
    expect((await visits(zero)).err).toContain('(zero-island 1)');
    expect((await visits(zero, '--keep-zero-island')).err).not.toContain('zero-island');
  });

  test('--accuracy-cap and --max-gap-distance decide about visits', async () => {
    const near = tracks('near.csv', ',accuracy', [
      [0, 10, 5],
      [60, 10.003, 50],
      [120, 10, 5],
    ]);
    expect((await visits(near)).ends).toEqual(['left', 'open']);
    expect((await visits(near, '--accuracy-cap', '50')).ends).toEqual(['open']);
    const far = tracks('far.csv', '', wkt('0 10, 60 10.02'));
    expect((await visits(far)).ends).toEqual(['left']);
    expect((await visits(far, '--max-gap-distance', '2000')).ends).toEqual(['gap']);
  });
});

test.each([
  ['--max-jam', 'soon'],
  ['--min-satellites', '-1'],
  ['--latest-time', 'tomorrow'],
])('%s %s: wrong use', async (flag, value) => {
  const { code, err } = await wayzone('visits', '--zones', zones, '--tracks', 'a.csv', flag, value);
  expect(code).toBe(2);
  expect(err).toContain(flag);
});
