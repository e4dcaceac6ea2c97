import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launch, newPage } from '../chromium.js';
import { CHROMIUM } from '../needs.js';
import { dayTrip, fixes } from '../trips/fairDays.js';
import { removeFolder, written } from './browser.js';

/** Trips with unseen, overdue or assumed times: how the page and its tables show them. */
const DAYS: readonly (readonly [name: string, points: readonly string[], day: readonly string[]])[] = [
  ['Live', ['A 08:00±10', 'B 09:00±10', 'C 10:00±10'], ['07:35 -4', '07:45 -0.6', '07:55 0', '08:10 0', '08:20 0.6', '08:30 1', '09:00 1.1', '09:20 1.2', '09:24 1.3']],
  ['Hole', ['A 08:00±10', 'B 09:00±10', 'C 10:00±10'], ['07:45 -0.6', '07:55 0', '08:05 0', '08:13 0.9', '09:35 8', '09:44 8']],
  ['Assumed', ['A 08:00±10', 'B 09:00±10', 'C 10:00±10'], ['08:30 1', '08:40 2', '08:50 2', '09:00 4', '09:20 4', '09:30 5']],
]; // biome-ignore format: one day per line

let input = '';
const folders: string[] = [];
beforeAll(async () => {
  input = mkdtempSync(join(tmpdir(), 'wayzone-unseen-'));
  const trips = DAYS.map(([name, points]) => ({ ...dayTrip(points), id: name, name, unit: { id: name } }));
  const rows = DAYS.flatMap(([name, , day]) =>
    fixes(...day).map(({ time, lat, lon }) => [name, new Date(time).toISOString(), lat, lon].join(',')),
  );
  writeFileSync(join(input, 'trips.json'), JSON.stringify(trips));
  writeFileSync(join(input, 'day.csv'), ['unit,time,lat,lon', ...rows].join('\n'));
  const zone = { type: 'Point', coordinates: [37.6, 55.75] };
  const feature = {
    type: 'Feature',
    id: 'z',
    properties: { name: 'Z', type: 'circle', width: 100 },
    geometry: zone,
  };
  writeFileSync(join(input, 'zones.geojson'), JSON.stringify(feature));
  for (const language of ['en', 'ru'])
    folders.push(await written(...argv('report'), '--language', language, '--out', '{folder}'));
});
afterAll(() => [input, ...folders].forEach(removeFolder));

const argv = (command: string): string[] => [
  command,
  ...(command === 'report' ? ['--zones', join(input, 'zones.geojson')] : []),
  '--trips',
  join(input, 'trips.json'),
  '--tracks',
  join(input, 'day.csv'),
  '--time-zone',
  'UTC',
  '--now',
  '2026-03-02T09:45:00Z',
  '--predict-speed',
  '10',
];

test('trips.csv contains bounds of arrivals, overdue and predicted times, and an explanation', () => {
  const [head, ...rows] = readFileSync(join(folders[0]!, 'trips.csv'), 'utf8').trim().split('\r\n');
  const at = (row: string, name: string): string => row.split(',')[head!.split(',').indexOf(name)]!;
  const [live, hole] = [
    rows.find((row) => row.includes('Live,') && row.includes(',B,'))!,
    rows.find((row) => row.includes('Hole,') && row.includes(',C,'))!,
  ];
  expect(at(live, 'overdue_seconds')).toBe('2100');
  expect(at(live, 'predicted_arrival_utc')).toMatch(/^2026-03-02T09:40:/);
  expect(at(hole, 'arrival_from_utc')).toMatch(/^2026-03-02T08:16:/);
  expect(at(hole, 'arrival_to_utc')).toBe('2026-03-02T09:35:00.000Z');
  expect(at(hole, 'arrival_status')).toBe('uncertain');
  expect(hole).toContain('C was reached between 08:16 and 09:35');
  const russian = readFileSync(join(folders[1]!, 'trips.csv'), 'utf8');
  expect(russian).toContain('C: прибытие между 08:16 и 09:35, точнее не видно');
});

describe.skipIf(!CHROMIUM.isThere)('trips in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  test.each([
    ['Live', 0, ['overdue 35 min', 'expected 09:40', '1 point is overdue', '1 point is expected late']],
    [
      'Hole',
      0,
      ['no data', 'between 08:16 and 09:35, not seen', 'uncertain', 'Uncertain: ', 'Without data: 1'],
    ],
    ['Assumed', 0, ['start assumed', 'The trip is assumed to have begun by 08:30']],
    ['Live', 1, ['просрочено на 35 мин', 'ожидается в 09:40']],
    ['Hole', 1, ['нет данных', 'между 08:16 и 09:35, не видно', 'неизвестно']],
    ['Assumed', 1, ['начало предположительно', 'Рейс начат, вероятно, до 08:30']],
  ])('the trip %s on page %i shows %j', async (name, folder, texts) => {
    const page = await newPage(browser);
    const errors: string[] = [];
    page.on('pageerror', (error) => errors.push(String(error)));
    await page.goto(pathToFileURL(join(folders[folder]!, 'index.html')).href);
    await page.getByRole('tab', { name: /^(Trips|Рейсы)$/ }).click();
    await page
      .locator('#panel-trips > .scroll tbody tr', { hasText: name })
      .locator('button')
      .first()
      .click();
    const detail = page.locator('.detail');
    const shown = await detail.textContent();
    for (const text of texts) expect(shown).toContain(text);
    const drawn = async (kind: string): Promise<number> => detail.locator(`.graph[role] .${kind}`).count();
    expect((await drawn('bounds')) > 0).toBe(name === 'Hole');
    expect((await drawn('expected')) > 0).toBe(name !== 'Hole');
    const rows = await detail
      .locator('table.points tbody tr')
      .evaluateAll((all) => all.map((row) => row.getAttribute('title')));
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(row).toMatch(/^[ABC].*\.$/);
    expect(errors).toEqual([]);
    await page.close();
  });
});
