import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { PageData } from '../../src/report/pageData.js';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { wkt } from '../wkt.js';
import { openMap, removeFolder, written } from './browser.js';

/** Speeding, rides, closed hours, a route and meetings on the report's page. */

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const RING_ROAD = '00000000-0000-4000-8000-000000000010';
const DEPOT = '00000000-0000-4000-8000-000000000001';
/** Streets of the example city; the last one leads out of it. */
const ROUTE = wkt(
  '44.0095 56.3218, 44.1085 56.3212, 44.1 56.3215, 44.0975 56.338, 44.02 56.3382, 44.02 56.36',
);

/** The report of the example city with everything asked for. */
async function report(...more: readonly string[]): Promise<string> {
  const inputs = await written('report', '--out', '{folder}', '--time-zone', 'Europe/Moscow');
  const write = (name: string, content: unknown): string => {
    writeFileSync(join(inputs, name), JSON.stringify(content));
    return join(inputs, name);
  };
  const geometry = { type: 'LineString', coordinates: ROUTE };
  const limits = write('limits.json', { [RING_ROAD]: 30 });
  const hours = write('hours.json', { [DEPOT]: 'Mo-Fr 09:00-17:00' });
  const route = write('route.geojson', { type: 'Feature', properties: { name: 'Round' }, geometry });
  const files = ['--zones', fixture('city-zones.geojson'), '--tracks', fixture('city-day.csv')];
  const flags = ['--limit', '50', '--zone-limits', limits, '--hours', hours, '--time-zone', 'Europe/Moscow'];
  const along = ['--route', route, '--route-width', '100', '--meeting-meters', '50'];
  try {
    return await written(
      'report',
      ...files,
      '--speed-unit',
      'kph',
      ...flags,
      ...along,
      ...more,
      '--out',
      '{folder}',
    );
  } finally {
    removeFolder(inputs);
  }
}
function dataOf(folder: string): PageData {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const [, block] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)!;
  return JSON.parse(block!) as PageData;
}

test('the page has the parts of speeding, rides, closed hours, the route and meetings', async () => {
  const folder = await report();
  try {
    const { conduct, zones, visits, units } = dataOf(folder);
    const ring = zones.findIndex(({ id }) => id === RING_ROAD);
    const speeding = conduct.speeding!;
    expect(speeding.length).toBeGreaterThan(20);
    for (const [, , from, to, , limit, zone, max] of speeding) {
      expect([limit, zone]).toEqual(zone === -1 ? [50, -1] : [30, ring]);
      expect(max).toBeGreaterThan(limit);
      expect(to).toBeGreaterThan(from);
    }
    expect(speeding.some(([, , , , , , zone]) => zone === ring)).toBe(true);
    expect(conduct.rides.length).toBeGreaterThan(50);
    for (const [, fromZone, toZone, from, to, , seconds, moving, idling, parked] of conduct.rides) {
      expect(Math.min(fromZone, toZone)).toBeGreaterThanOrEqual(0);
      expect(Math.abs((to - from) / 1000 - seconds)).toBeLessThanOrEqual(1);
      expect(Math.abs(moving + idling + parked - seconds)).toBeLessThanOrEqual(3);
    }
    const depot = zones.findIndex(({ id }) => id === DEPOT);
    expect(conduct.closed!.length).toBeGreaterThan(0);
    for (const [visit, from, to] of conduct.closed!) {
      const [, zone, enter, exit] = visits[visit]!;
      expect(zone).toBe(depot);
      expect(from).toBeGreaterThanOrEqual(enter);
      expect(to).toBeLessThanOrEqual(exit ?? Number.POSITIVE_INFINITY);
    }
    const route = conduct.route!;
    expect(route.units).toHaveLength(units.length);
    for (const { ways, parts } of route.units) {
      expect(ways.reduce((sum, way) => sum + way, 0)).toBe(Math.round(route.lengthMeters / 10));
      expect(parts[0]![1]).toBe(0);
      expect(parts.at(-1)![2]).toBeCloseTo(route.lengthMeters, 6);
      for (const [i, part] of parts.slice(1).entries()) expect(part[1]).toBe(parts[i]![2]);
    }
    expect(route.units.some(({ ways }) => ways[0]! > 0 && ways[2]! > 0)).toBe(true);
    expect(conduct.meetings!.length).toBeGreaterThan(3);
    for (const [a, b, from, to, , meters, time] of conduct.meetings!) {
      expect(a).not.toBe(b);
      expect(meters).toBeLessThanOrEqual(50);
      expect(time >= from && time <= to).toBe(true);
    }
  } finally {
    removeFolder(folder);
  }
});

test('without limits, hours, a route and meetings the page has none of their tabs', async () => {
  const files = ['--zones', fixture('city-zones.geojson'), '--tracks', fixture('city-day.csv')];
  const folder = await written('report', ...files, '--speed-unit', 'kph', '--out', '{folder}');
  try {
    const { conduct } = dataOf(folder);
    expect(conduct).toMatchObject({ speeding: null, closed: null, route: null, meetings: null });
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    expect(
      ['speeding', 'route', 'meetings', 'rides'].map((name) => page.includes(`id="tab-${name}"`)),
    ).toEqual([false, false, false, true]);
  } finally {
    removeFolder(folder);
  }
});

test('a route with two lines is refused', async () => {
  const two = fixture('city-zones.geojson');
  await expect(
    written('report', '--out', '{folder}', '--route', two, '--time-zone', 'Europe/Moscow'),
  ).rejects.toThrow('expected one line');
});

/** `h:mm:ss`, or a number, in either language. */
const amountOf = (text: string): number =>
  text.includes(':')
    ? text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
    : Math.round(100 * Number(text.replaceAll(/[,\s](?=\d{3}\b)/g, '').replace(',', '.')));

needs(CHROMIUM).test(
  'tables add up, parts are found on the map, in both languages (needs Chromium)',
  async () => {
    const browser = await launch();
    try {
      for (const language of ['en', 'ru']) {
        const folder = await report('--language', language);
        const { page, errors, rest } = await openMap(browser, join(folder, 'index.html'), {});
        for (const [tab, columns] of [
          ['speeding', [3, 7]],
          ['rides', [5, 6, 7, 8, 9]],
          ['meetings', [4]],
          ['mileage', [3, 4, 5, 6]],
        ] as const) {
          await page.locator(`#tab-${tab}`).click();
          // All rows, as on paper.
          await page.evaluate(
            "dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))",
          );
          const cells = async (part: string): Promise<string[][]> => {
            const rows = await page.locator(`#panel-${tab} ${part} tr`).all();
            return Promise.all(rows.map((row) => row.locator('td').allTextContents()));
          };
          const rows = await cells('tbody');
          const [total] = await cells('tfoot');
          expect(rows.length, tab).toBeGreaterThan(2);
          for (const at of columns)
            expect(amountOf(total![at]!), `${language} ${tab} ${at}`).toBe(
              rows.reduce((sum, row) => sum + amountOf(row[at]!), 0),
            );
        }
        // A click on a row marks the part and names its limit.
        await page.locator('#tab-speeding').click();
        await page.locator('#panel-speeding tbody tr').first().click();
        await rest();
        expect(await page.locator('.leaflet-popup-content').textContent()).toMatch(/50 (km\/h|км\/ч)/);
        expect(await page.locator('.limit-label').count()).toBeGreaterThan(0);
        await page.locator('[data-show=speeding]').uncheck();
        await rest();
        await expect.poll(() => page.locator('.limit-label').count()).toBe(0);
        // The timeline shows closed hours and speeding; the route has a bar for each unit.
        await page.locator('#tab-timeline').click();
        await expect.poll(() => page.locator('#panel-timeline .row rect.closed').count()).toBeGreaterThan(0);
        expect(await page.locator('#panel-timeline .row rect.fast').count()).toBeGreaterThan(10);
        await page.locator('#tab-route').click();
        expect(await page.locator('#panel-route svg.along').count()).toBe(5);
        await page.locator('#panel-route tbody tr').nth(1).click();
        const unit = await page.locator('#panel-route tbody tr').nth(1).locator('td').first().textContent();
        expect(await page.locator('#panel-route h2').last().textContent()).toContain(unit);
        expect(errors).toEqual([]);
        removeFolder(folder);
      }
    } finally {
      await browser.close();
    }
  },
);
