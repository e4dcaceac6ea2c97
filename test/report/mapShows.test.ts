import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { type MapPage, openMap, removeFolder, written, zoomed } from './browser.js';
import { crossingFlags } from './crossing.js';

/** What the pages show on and beside the map: names, numbers, directions, times, and their language. */

const input = mkdtempSync(join(tmpdir(), 'wayzone-shows-'));
const folders: string[] = [input];
let browser: Browser;

beforeAll(async () => {
  if (CHROMIUM.isThere) browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  for (const folder of folders) removeFolder(folder);
});

async function opened(file: string, ...args: readonly string[]): Promise<MapPage> {
  const folder = await written(...args);
  folders.push(folder);
  return openMap(browser, join(folder, file), { viewport: { width: 1280, height: 900 } });
}

/** A trip of the eastbound van that visits the shed twice. */
function tripFlags(): string[] {
  const file = join(input, 'trips.json');
  const point = (name: string, lon: number, lat: number): object => ({
    name,
    type: { key: 'circle' },
    geometry: [[lon, lat]],
    width: 300,
  });
  writeFileSync(
    file,
    JSON.stringify({
      name: 'Crossing',
      unit: { id: 'van east' },
      passage_order_type: { key: 'arbitrary' },
      dates: ['2026-03-02'],
      points: [
        point('Gate', 24, 56.935),
        point('Shed', 24.025, 56.915),
        point('Corner', 24.1, 56.935),
        point('Shed', 24.025, 56.915),
      ],
    }),
  );
  return ['--trips', file, '--time-zone', 'Europe/Riga'];
}

const labels = ({ page }: MapPage, kind: string): Promise<string[]> =>
  page.locator(`.${kind}-label`).allTextContents();

needs(CHROMIUM).describe('a page (needs Chromium)', () => {
  test('labels visible zones and units', async () => {
    const map = await opened('index.html', 'report', ...crossingFlags(input), '--out', '{folder}');
    expect((await labels(map, 'zone')).sort()).toEqual(['Road', 'Shed <b>', 'Yard']);
    expect((await labels(map, 'unit')).sort()).toEqual(['van east', 'van north']);
    await map.page.locator('[data-show=zones]').click();
    await map.rest();
    expect(await labels(map, 'zone')).toEqual([]);
    await map.page.locator('[data-show=labels]').click();
    await map.rest();
    expect(await labels(map, 'map')).toEqual([]);
    expect(map.errors).toEqual([]);
    await map.page.close();
  });

  test('labels do not overlap at any zoom', async () => {
    const map = await opened('index.html', 'report', '--out', '{folder}');
    for (let zoom = 0; zoom < 4; zoom++) {
      const boxes = (await map.page.evaluate(
        `[...document.querySelectorAll('.map-label')].map((node) => node.getBoundingClientRect().toJSON())`,
      )) as { left: number; right: number; top: number; bottom: number }[];
      expect(boxes.length).toBeGreaterThan(zoom === 0 ? 10 : 0);
      for (const [i, a] of boxes.entries()) {
        for (const b of boxes.slice(i + 1)) {
          const isOver =
            a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
          expect([i, isOver]).toEqual([i, false]);
        }
      }
      await zoomed(map, () => map.page.locator('.leaflet-control-zoom-in').click());
    }
    await map.page.close();
  });

  test("a trip's points have the same numbers on the map as in the table, and tooltips and popups", async () => {
    const flags = [...crossingFlags(input), ...tripFlags()];
    const map = await opened('index.html', 'report', ...flags, '--out', '{folder}');
    const { page } = map;
    await page.locator('#tab-trips').click();
    await page.locator('#panel-trips td .find').first().click();
    await map.rest();
    const numbers = await page.locator('table.points tbody td:first-child').allTextContents();
    expect(numbers).toEqual(['1', '2', '3', '4']);
    expect((await labels(map, 'point')).sort()).toEqual(['1', '2, 4', '3']);
    const { x, y } = await map.pixelOf(56.935, 24.1);
    await page.mouse.move(x + 2, y + 2);
    await page.mouse.move(x, y);
    await map.rest();
    expect((await page.locator('.leaflet-tooltip > div > *').allTextContents())[0]).toBe('3 Corner');
    await page.mouse.click(x, y);
    await map.rest();
    expect((await page.locator('.leaflet-popup-content > div > *').allTextContents())[0]).toBe('3 Corner');
    expect(await page.locator('table.points tr.hit td').first().textContent()).toBe('3');
    await page.keyboard.press('Escape');
    await map.rest();
    expect(await labels(map, 'point')).toEqual([]);
    expect(map.errors).toEqual([]);
    await page.close();
  });

  test('times are in the given time zone, by default UTC, and name it', async () => {
    const head = async ({ page }: MapPage): Promise<(string | null)[]> => {
      await page.locator('#tab-visits').click();
      return Promise.all([
        page.locator('#panel-visits th').nth(2).textContent(),
        page.locator('#panel-visits tbody tr').first().locator('td').nth(2).textContent(),
        page.locator('#period').textContent(),
      ]);
    };
    const utc = await opened('index.html', 'report', ...crossingFlags(input), '--out', '{folder}');
    const [title, enter, period] = await head(utc);
    expect(title).toBe('Enter (UTC)');
    expect(enter).toBe('2026-03-02 05:05:00');
    expect(period).toBe('2026-03-02 05:00:00 – 2026-03-02 05:20:00 UTC');
    await utc.page.close();
    const zoned = [...crossingFlags(input), '--time-zone', 'Asia/Kolkata'];
    const kolkata = await opened('index.html', 'report', ...zoned, '--out', '{folder}');
    expect(await head(kolkata)).toEqual([
      'Enter (Asia/Kolkata)',
      '2026-03-02 10:35:00',
      '2026-03-02 10:30:00 – 2026-03-02 10:50:00 Asia/Kolkata',
    ]);
    await kolkata.page.locator('#tab-timeline').click();
    await kolkata.rest();
    expect(await kolkata.page.locator('.timeline .graph text').first().textContent()).toBe('10:30');
    expect(await kolkata.page.locator('#panel-timeline td.time').first().textContent()).toBe(
      '2026-03-02 10:30:00',
    );
    expect(kolkata.errors).toEqual([]);
    await kolkata.page.close();
  });

  test('the Russian page contains no English', async () => {
    const flags = [...crossingFlags(input), ...tripFlags(), '--language', 'ru'];
    const map = await opened('index.html', 'report', ...flags, '--out', '{folder}');
    const { page } = map;
    expect(await page.locator('html').getAttribute('lang')).toBe('ru');
    await page.locator('#tab-trips').click();
    await page.locator('#panel-trips td .find').first().click();
    await page.locator('#tab-timeline').click();
    await map.rest();
    const text = (await page.evaluate(`[document.title, document.body.textContent,
      ...[...document.querySelectorAll('[aria-label], [placeholder]')].map((node) =>
        node.getAttribute('aria-label') + ' ' + (node.getAttribute('placeholder') ?? ''))].join(' ')
      .replaceAll(document.getElementById('data').textContent, '')
      .replaceAll([...document.scripts].map((node) => node.textContent).join('|'), '')`)) as string;
    const shown = (await page.evaluate(
      `[...document.querySelectorAll('h1, h2, th, label, .tabs, .card span, .chip, .note, footer, option, .leaflet-popup-content')]
        .map((node) => node.textContent).join(' ')`,
    )) as string;
    expect(text).toContain('Посещения');
    const own =
      /Yard|Shed|<b>|Road|van|east|north|Crossing|Gate|Corner|Europe\/Riga|Leaflet|BSD-2-Clause|UTC/g;
    expect(shown.replaceAll(own, '').match(/[A-Za-z]{3,}/g) ?? []).toEqual([]);
    expect(map.errors).toEqual([]);
    await page.close();
  });

  test('arrowheads point in the direction of travel', async () => {
    const map = await opened('index.html', 'report', ...crossingFlags(input), '--out', '{folder}');
    const { page } = map;
    for (const layer of ['zones', 'visits', 'labels']) await page.locator(`[data-show=${layer}]`).click();
    await map.rest();
    const south = await map.pixelOf(56.935, 23.95);
    const end = await map.pixelOf(56.935, 24.15);
    // Thickness of the eastbound line in each column of pixels.
    const thick = (await page.evaluate(`(() => {
      const layer = [...document.querySelectorAll('.leaflet-pane canvas')].find((node) => node.parentNode.className.includes('tracks'));
      const box = layer.getBoundingClientRect();
      const image = layer.getContext('2d').getImageData(${Math.round(south.x)} - box.left, ${Math.round(south.y)} - box.top - 12,
        ${Math.round(end.x - south.x)}, 24);
      return Array.from({ length: image.width }, (_, x) =>
        Array.from({ length: 24 }, (__, y) => image.data[4 * (y * image.width + x) + 3] > 60).filter(Boolean).length);
    })()`)) as number[];
    const base = [...thick].sort((a, b) => a - b)[Math.floor(thick.length / 2)]!;
    const heads: number[][] = [];
    thick.forEach((count, x) => {
      if (count <= base + 1) return;
      const last = heads.at(-1);
      if (last !== undefined && x - last.at(-1)! <= 2) last.push(x);
      else heads.push([x]);
    });
    // Leave out the line that crosses it.
    const own = heads.filter((columns) => Math.max(...columns.map((x) => thick[x]!)) < 20);
    expect(own.length).toBeGreaterThan(1);
    for (const columns of own) {
      const widest = columns.reduce((best, x) => (thick[x]! > thick[best]! ? x : best));
      // An arrowhead is widest at its western end.
      expect(widest - columns[0]!).toBeLessThan((columns.at(-1)! - columns[0]!) / 2);
    }
    expect(map.errors).toEqual([]);
    await page.close();
  });

  test("a route's legs have tooltips and popups, and its stops are numbered from 1 in the list and on the map", async () => {
    const points = '56.305,44.010;56.340,44.050;56.310,44.090';
    const map = await opened('way.html', 'route', points, '--out', '{folder}/way.html');
    const { page } = map;
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    const { x, y } = await map.pixelOf((56.305 + 56.34) / 2, (44.01 + 44.05) / 2);
    await page.mouse.move(x + 3, y + 3);
    await page.mouse.move(x, y);
    await map.rest();
    const tooltip = await page.locator('.leaflet-tooltip > div > *').allTextContents();
    expect(tooltip[0]).toBe('1 → 2');
    await page.mouse.click(x, y);
    await map.rest();
    expect(await page.locator('.leaflet-popup-content > div > *').allTextContents()).toEqual(tooltip);
    expect(await page.locator('.leg.hit h2 .find').allTextContents()).toEqual(['1 → 2']);
    await page.keyboard.press('Escape');
    expect(await page.locator('.leaflet-popup').count()).toBe(0);
    expect(await page.locator('.hit').count()).toBe(0);
    expect(await page.locator('.stop-mark').allTextContents()).toEqual(['1', '2', '3']);
    await page.locator('.stop-mark').nth(2).click();
    expect((await page.locator('.leaflet-popup-content > div > *').allTextContents()).slice(0, 2)).toEqual([
      'Stop 3',
      'Given as point 3',
    ]);
    await page.locator('#home').click();
    expect(await page.locator('.leaflet-popup').count()).toBe(0);
    expect(map.errors).toEqual([]);
    await page.close();
  });

  test("a Russian route's page has a Russian title", async () => {
    const points = '56.305,44.010;56.340,44.050';
    const args = ['route', points, '--language', 'ru-RU', '--out', '{folder}/way.html'];
    const map = await opened('way.html', ...args);
    expect(await map.page.title()).toBe('Маршрут');
    expect(await map.page.locator('h1').textContent()).toBe('Маршрут');
    expect(await map.page.locator('html').getAttribute('lang')).toBe('ru');
    await map.page.close();
    const titled = await opened('way.html', ...args, '--title', 'Tour');
    expect(await titled.page.title()).toBe('Tour');
    await titled.page.close();
  });
});
