import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('inspect');

const TABLE =
  'ТС;Время;Широта;Долгота;Скорость, км/ч\nА1;15.01.2026 08:00;56,30;44,01;0\nА1;15.01.2026 08:01;56,31;44,02;34\n';
const ZONES = 'id,name,lat,lon,radius (m)\nd,Depot,56.3,44.01,500\ny,Yard,56.31,44.02,500\n';

describe('inspect', () => {
  test('prints what is understood, what is asked, and the flag that answers', async () => {
    const file = put('a.csv', TABLE);
    const asked = await wayzone('inspect', file);
    expect(asked.code).toBe(1);
    expect(asked.out).toContain('time-zone-missing');
    expect(asked.out).toContain('--time-zone');
    const settled = await wayzone('inspect', file, '--time-zone', 'Europe/Moscow');
    expect(settled.code).toBe(0);
    expect(settled.out).toContain('2026-01-15T05:00:00.000Z');
    const json = await wayzone('inspect', file, '--format', 'json');
    expect(JSON.parse(json.out)).toMatchObject([{ file, delimiter: ';', decimal: ',', kind: 'fixes' }]);
    expect((await wayzone('inspect', at('none.csv'))).code).toBe(1);
  });

  test('a saved profile answers for the next file, and a file without its columns is an error', async () => {
    const file = put('b.csv', TABLE);
    await wayzone('inspect', file, '--time-zone', 'Europe/Moscow', '--save-profile', at('p.json'));
    expect(JSON.parse(readFileSync(at('p.json'), 'utf8'))).toMatchObject({
      timeZone: 'Europe/Moscow',
      decimal: ',',
    });
    const read = await wayzone('convert', file, at('b-out.csv'), '--profile', at('p.json'));
    expect(read.code).toBe(0);
    expect(readFileSync(at('b-out.csv'), 'utf8')).toContain('А1,2026-01-15T05:00:00.000Z');
    const other = await wayzone(
      'convert',
      put('c.csv', 'unit;time;lat;lon\na;1.1.2026 00:00;1;2\n'),
      at('c-out.csv'),
      '--profile',
      at('p.json'),
    );
    expect(other).toMatchObject({ code: 1 });
    expect(other.err).toContain('profile-mismatch');
  });
});

describe('plans', () => {
  test('trips of a table and of JSON name zones; an unknown zone leaves its trip out with an error', async () => {
    const zones = put('zones.csv', ZONES);
    const tracks = put(
      'tracks.csv',
      'unit,time,lat,lon\nvan,2026-01-15T05:00:00Z,56.3,44.01\nvan,2026-01-15T05:10:00Z,56.3,44.01\nvan,2026-01-15T05:20:00Z,56.31,44.02\nvan,2026-01-15T05:40:00Z,56.31,44.02\n',
    );
    const plan = put(
      'plan.csv',
      'trip,unit,date,order,zone,arrival,tolerance\nA,van,15.01.2026,2,y,08:20,10\nA,van,15.01.2026,1,Depot,08:00,10\nB,van,15.01.2026,1,Nowhere,08:00,10\n',
    );
    const table = await wayzone(
      'trips',
      '--plan',
      plan,
      '--zones',
      zones,
      '--tracks',
      tracks,
      '--time-zone',
      'Europe/Moscow',
    );
    expect(table.code).toBe(1);
    expect(table.err).toContain('zone-unknown');
    const rows = table.out.trim().split(/\r?\n/).slice(1);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain(',Depot,passed,2026-01-15T05:00:00.000Z');
    expect(rows[1]).toContain(',Yard,passed,2026-01-15T05:20:00.000Z');
    const json = put(
      'trips.json',
      JSON.stringify([
        {
          id: 'A',
          name: 'A',
          unit: { id: 'van' },
          passage_order_type: { key: 'strict' },
          dates: ['2026-01-15'],
          points: [
            { zone: 'd', arrival: { time: '08:00', deviation_minutes: 10 } },
            { zone: 'Yard', arrival: { time: '08:20', deviation_minutes: 10 } },
          ],
        },
      ]),
    );
    const same = await wayzone(
      'trips',
      '--trips',
      json,
      '--zones',
      zones,
      '--tracks',
      tracks,
      '--time-zone',
      'Europe/Moscow',
    );
    expect(same.code).toBe(0);
    expect(same.out.trim().split(/\r?\n/).slice(1)).toEqual(rows);
    expect((await wayzone('trips', '--tracks', tracks, '--time-zone', 'UTC')).code).toBe(2);
  });
});
