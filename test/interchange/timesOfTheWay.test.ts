/** Of several columns of times that one is read by which the unit drives, not jumps. */

import { expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';

const T0 = Date.UTC(2026, 2, 2, 8);
const text = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
const read = (header: string, rows: readonly string[]): ReturnType<typeof fromCsv> =>
  fromCsv([header, ...rows].join('\n'), { table: { timeZone: 'UTC', speedUnit: 'kph' } });

/** Rows of a drive at 36 km/h. They were sent the next day, a second apart. */
function late(count: number, unit = ''): string[] {
  return Array.from({ length: count }, (_, i) => {
    const [sent, driven] = [T0 + 82_800_000 + i * 1000, T0 + i * 30_000];
    return `${unit}${text(sent)},${text(driven)},${(52 + i * 0.003).toFixed(4)},0.2488,36`;
  });
}

test.each([
  ['dt_server,dt_tracker'],
  ['received,recorded'],
  ['insert_date,event_date'],
  ['srv,dev'],
  ['server_ts,gps_ts'],
  ['Серверное,Бортовое'],
])('%s: the second', (names) => {
  const { value } = read(`${names},lat,lng,speed`, late(8));
  expect(value.tracks[0]?.fixes[1]?.time).toBe(T0 + 30_000);
});

test('with units in a column', () => {
  const rows = [...late(8, 'a,'), ...late(8, 'b,')];
  const { value, issues } = read('unit,received,recorded,lat,lng,speed', rows);
  expect(value.tracks.map(({ fixes }) => fixes[1]?.time)).toEqual([T0 + 30_000, T0 + 30_000]);
  expect(issues.map(({ message }) => message).join()).toContain('recorded');
});

test('where both fit the way, the words decide, or it is asked', () => {
  const rows = Array.from({ length: 8 }, (_, i) => {
    const driven = T0 + i * 30_000;
    return `${text(driven + 2000)},${text(driven)},${52 + i * 0.003},0.2488,36`;
  });
  expect(read('server_time,fix_time,lat,lng,speed', rows).value.tracks[0]?.fixes[0]?.time).toBe(T0);
  const { issues } = read('alpha,beta,lat,lng,speed', rows);
  expect(issues.map(({ code, severity }) => `${severity} ${code}`)).toContain('error columns-unknown');
});
