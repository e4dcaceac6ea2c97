import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { toFixCsv, toZoneCsv } from '../../src/interchange/index.js';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { openMap, removeFolder, written } from './browser.js';

/** A report of what nobody expects: names as scripts, zones of 10,000 vertices, poles, the antimeridian, times out of order and decades apart. */

const NAMES = [
  '<script>document.title = "owned"</script>',
  '"><img src=x onerror="document.title = \'owned\'">',
  '\u202Egnp.eno\u202C',
  '{count} $& {unit}',
  'a'.repeat(900),
];
const START = Date.UTC(2026, 2, 2);

function star(vertices: number): [number, number][] {
  return Array.from({ length: vertices }, (_, i) => {
    const turn = (2 * Math.PI * i) / vertices;
    const reach = i % 2 === 0 ? 0.05 : 0.04;
    return [30.3 + 2 * reach * Math.cos(turn), 59.93 + reach * Math.sin(turn)];
  });
}

const ZONES = [
  { type: { key: 'circle' }, geometry: [[10, 89.9]], width: 50_000 },
  { type: { key: 'circle' }, geometry: [[180, -16]], width: 20_000 },
  { type: { key: 'polygon' }, geometry: star(10_000) },
  {
    type: { key: 'line' },
    geometry: Array.from({ length: 2000 }, (_, i) => [30 + i / 3000, 59.9 + 0.01 * Math.sin(i)]),
    width: 60,
  },
  { type: { key: 'point' }, geometry: [[-180, -90]] },
].map((zone, i) => ({ ...zone, id: `zone ${NAMES[i]}`, name: NAMES[i]! })) as unknown as Parameters<
  typeof toZoneCsv
>[0];

type Fix = { time: number; lon: number; lat: number };
const drive = (lon: number, lat: number, step: readonly [number, number], count: number): Fix[] =>
  Array.from({ length: count }, (_, i) => ({
    time: START + i * 60_000,
    lon: ((lon + i * step[0] + 540) % 360) - 180,
    lat: lat + i * step[1],
  }));
const TRACKS: readonly Fix[][] = [
  // Across the antimeridian, and over the zone there.
  drive(179.9, -16, [0.005, 0], 60),
  // Near the pole, the latest first.
  drive(9, 89.8, [0.02, 0.001], 60).reverse(),
  // Every fix twice, and a decade of silence.
  [...drive(30.2, 59.93, [0.005, 0], 40), ...drive(30.2, 59.93, [0.005, 0], 40)].concat({
    time: START + 10 * 365 * 86_400_000,
    lon: 30.4,
    lat: 59.93,
  }),
  [{ time: START, lon: 0, lat: 0.5 }],
  drive(30, 59.9, [0.002, 0], 200),
];

let folders: string[] = [];
let browser: Browser;
beforeAll(async () => {
  if (!CHROMIUM.isThere) return;
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-hostile-'));
  const [zones, tracks] = [join(folder, 'zones.csv'), join(folder, 'tracks.csv')];
  writeFileSync(zones, toZoneCsv(ZONES));
  writeFileSync(tracks, toFixCsv(TRACKS.map((fixes, i) => ({ name: '', unitId: NAMES[i]!, fixes }))));
  folders = [
    folder,
    await written('report', '--zones', zones, '--tracks', tracks, '--limit', '30', '--out', '{folder}'),
  ];
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  for (const folder of folders) removeFolder(folder);
});

needs(CHROMIUM).test(
  'a hostile report is shown as text, and all of it can be opened (needs Chromium)',
  async () => {
    const file = join(folders[1]!, 'index.html');
    const { page, errors, rest } = await openMap(browser, file, { viewport: { width: 1280, height: 900 } });
    const title = await page.title();
    const tabs = await page.locator('[role=tab]').all();
    expect(tabs.length).toBeGreaterThan(5);
    for (const tab of tabs) {
      await tab.click();
      await rest();
      const panel = page.locator('[role=tabpanel]:not([hidden])');
      // The first and the last row that the panel shows.
      for (const row of [panel.locator('tbody tr.click').first(), panel.locator('tbody tr.click').last()]) {
        if ((await row.count()) === 0) continue;
        await row
          .locator('td')
          .first()
          .click({ position: { x: 3, y: 3 } });
        await rest();
        expect(await page.locator('.leaflet-popup-content').count()).toBe(1);
      }
    }
    await page.locator('#tab-zones').click();
    const zones = await page.locator('#panel-zones tbody td:first-child').allTextContents();
    expect(zones.sort()).toEqual([...NAMES].sort());
    await page.locator('#tab-units').click();
    const units = await page.locator('#panel-units tbody .find').allTextContents();
    expect(units.sort()).toEqual([...NAMES].sort());
    const slider = page.locator('.replay input');
    const most = Number(await slider.getAttribute('max'));
    for (const second of [0, 1800, 3599, Math.floor(most / 2), most]) {
      await slider.fill(String(second));
      await rest();
      expect(await page.locator('.replay output').textContent()).toMatch(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$/);
    }
    expect(await page.title()).toBe(title);
    expect(await page.locator('img').count()).toBe(0);
    expect(errors).toEqual([]);
    await page.close();
  },
);
