import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../host/test/page/violationsOf.js';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { LONG } from '../volume.js';
import { type MapPage, openMap, removeFolder, written } from './browser.js';
import { fromTable } from './fromTable.js';

/** A dispatcher's walk through the report: at three widths, in both languages, light and dark. */

const fixture = (name: string): string => resolve(import.meta.dirname, '../../fixtures', name);
const WIDTHS = { 1440: 900, 768: 1024, 390: 844 } as const;
const TABS = [
  'visits',
  'zones',
  'mileage',
  'rides',
  'speeding',
  'units',
  'trips',
  'timeline',
  'read',
] as const;

const folders = new Map<string, string>();
let browser: Browser;
beforeAll(async () => {
  if (!CHROMIUM.isThere) return;
  browser = await launch();
  const flags = ['--limit', '50', '--hours', fixture('city-hours.json'), '--time-zone', 'Europe/Moscow'];
  const inputs = [
    '--zones',
    fixture('city-zones.geojson'),
    fixture('city-zones.kml'),
    '--tracks',
    fixture('city-day.csv'),
    fixture('city-night.csv'),
    fixture('city-van.gpx'),
    '--trips',
    fixture('city-trips.json'),
    '--speed-unit',
    'kph',
  ];
  for (const [name, more] of [
    ['en', []],
    ['ru', ['--language', 'ru']],
    ['miles', ['--units', 'miles']],
  ] as const)
    folders.set(name, await written('report', ...inputs, ...flags, ...more, '--out', '{folder}'));
});
afterAll(async () => {
  await browser?.close();
  for (const folder of folders.values()) removeFolder(folder);
});

interface Look {
  readonly width?: keyof typeof WIDTHS;
  readonly colors?: 'light' | 'dark';
  readonly hash?: string;
  readonly isStill?: boolean;
}

function opened(
  name: string,
  { width = 1440, colors = 'light', hash = '', isStill = true }: Look = {},
): Promise<MapPage> {
  return openMap(
    browser,
    join(folders.get(name)!, 'index.html'),
    {
      viewport: { width, height: WIDTHS[width] },
      colorScheme: colors,
      reducedMotion: isStill ? 'reduce' : 'no-preference',
      hasTouch: width < 500,
    },
    hash,
  );
}

/** Elements of the chosen panel that are wider than the window or cut by their box. */
const CUT = `[...document.querySelectorAll('.panel .scroll, .panel, header, footer, main, #problems')].filter((node) =>
  node.getClientRects().length > 0 && node.scrollWidth > node.clientWidth + 1).map((node) => node.className || node.id || node.localName)`;

const hashOf = (page: Page): Promise<URLSearchParams> =>
  page.evaluate('location.hash.slice(1)').then((text) => new URLSearchParams(text as string));

needs(CHROMIUM).describe('a walk through the report (needs Chromium)', () => {
  const looks = [
    ['en', 1440, 'light'],
    ['ru', 390, 'dark'],
    ['ru', 768, 'light'],
    ['en', 390, 'light'],
    ['ru', 1440, 'dark'],
  ] as const;
  // The first three have every width, language and colour.
  test.each(LONG ? looks : looks.slice(0, 3))(
    '%s at %i px, %s: every tab fits, is accessible and without an error',
    async (name, width, colors) => {
      const { page, errors, rest } = await opened(name, { width, colors });
      expect(await page.evaluate(CUT)).toEqual([]);
      for (const tab of TABS) {
        await page.locator(`#tab-${tab}`).click();
        await rest();
        expect([tab, await page.evaluate(CUT)]).toEqual([tab, []]);
        expect([tab, await page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([
          tab,
          0,
        ]);
        // The whole page once, then the parts that are new.
        if (tab === 'visits') expect([tab, await violationsOf(page)]).toEqual([tab, []]);
        if (tab === 'trips' || tab === 'timeline')
          expect([tab, await violationsOf(page, [`#panel-${tab}`])]).toEqual([tab, []]);
      }
      // With a popup, and all problems.
      await page.locator('#problems .small').click();
      await page.locator('.problems a').first().click();
      await rest();
      expect(await page.locator('.leaflet-popup').count()).toBe(1);
      expect(await violationsOf(page, ['#map', '#problems'])).toEqual([]);
      expect(errors).toEqual([]);
      await page.close();
    },
  );

  test('the top says what went wrong, the gravest first, and each line leads to its place', async () => {
    const { page, errors, rest } = await opened('en');
    const kinds = await page.locator('.kinds button').allTextContents();
    expect(kinds[0]).toBe('1 trip not started');
    expect(kinds.some((text) => /^\d+ late$/.test(text))).toBe(true);
    expect(kinds.some((text) => text.endsWith('min over the limit'))).toBe(true);
    expect(kinds.some((text) => /out of hours in/.test(text))).toBe(true);
    const order = (await page.evaluate(
      `['h1', '#problems', '#map', '#tab-units', '#cards'].map((name) => document.querySelector(name))
        .every((node, i, list) => i === 0 || list[i - 1].compareDocumentPosition(node) === 4)`,
    )) as boolean;
    expect(order).toBe(true);
    for (const [kind, tab, key] of [
      ['late', 'trips', 'trip'],
      ['over the limit', 'timeline', 'speeding'],
      ['out of hours', 'timeline', 'visit'],
      ['not seen for', 'timeline', 'unit'],
    ] as const) {
      const button = page.locator('.kinds button', { hasText: kind }).last();
      if ((await button.count()) === 0) continue;
      await button.click();
      await page.locator('.problems a').first().click();
      await rest();
      expect([kind, await page.locator('.leaflet-popup').count()]).toEqual([kind, 1]);
      expect(await page.locator(`#tab-${tab}`).getAttribute('aria-selected')).toBe('true');
      expect((await hashOf(page)).get(key)).toBeTruthy();
      if (tab === 'timeline')
        await expect.poll(() => page.locator('.row.marked .cursor').count()).toBeLessThan(2);
      await button.click();
    }
    expect(errors).toEqual([]);
    await page.close();
  });

  test('a link to a trip, a visit or a time survives a reload and a filter', async () => {
    const first = await opened('en');
    await first.page.locator('#tab-visits').click();
    await first.page.locator('#panel-visits tbody tr').nth(7).click();
    await first.rest();
    const hash = (await first.page.evaluate('location.hash')) as string;
    const text = await first.page.locator('.leaflet-popup-content').innerText();
    const row = await first.page.locator('#panel-visits tr.hit').innerText();
    await first.page.close();
    const { page, rest, errors } = await opened('en', { hash: `${hash}&t=2026-03-02T09:00:00.000Z` });
    expect(await page.locator('.leaflet-popup-content').innerText()).toBe(text);
    expect(await page.locator('#panel-visits tr.hit').innerText()).toBe(row);
    expect(await page.locator('.replay output').textContent()).toBe('2026-03-02 12:00:00');
    await page.locator('#panel-visits input[type=search]').fill('nothing has this name');
    await page.reload();
    await rest();
    expect(await page.locator('.leaflet-popup-content').innerText()).toBe(text);
    await page.locator('#panel-visits input[type=search]').fill('no such row');
    await page.evaluate(`location.hash = '#trip=' + encodeURIComponent('x/y/z')`);
    expect(await page.locator('[role=alert]').textContent()).toContain('does not have');
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await rest();
    expect(await page.locator('#panel-visits tr.hit').innerText()).toBe(row);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the filter of the chosen table drives the map, and a selected unit dims the rest', async () => {
    const { page, rest, errors } = await opened('en');
    const drawn = (): Promise<number> =>
      page.evaluate(`(() => {
        let count = 0;
        theMap.eachLayer((layer) => { if (layer instanceof L.CircleMarker && layer.options.radius < 5) count++; });
        return count;
      })()`) as Promise<number>;
    const all = await drawn();
    expect(all).toBeGreaterThan(100);
    await page.locator('#tab-visits').click();
    await page.locator('#panel-visits input[type=search]').fill('bus-5');
    await rest();
    const rows = Number((await page.locator('#panel-visits [role=status]').textContent())!.split(' ')[0]);
    await expect.poll(drawn).toBe(rows);
    expect(await page.locator('#shown').textContent()).toContain('On the map: 1 of 7 units');
    expect(await page.locator('.unit-label').allTextContents()).toEqual(['bus-5']);
    await page.locator('#tab-zones').click();
    await rest();
    await expect.poll(drawn).toBe(all);
    await page.locator('#panel-zones input[type=search]').fill('District');
    await expect.poll(() => page.locator('.zone-label').allTextContents()).toEqual(['District 1']);
    await page.locator('#shown button').click();
    await rest();
    expect(await page.locator('#shown').textContent()).toBe('');
    await expect.poll(() => page.locator('.zone-label').count()).toBeGreaterThan(10);
    const opacity = (): Promise<string> =>
      page.evaluate(
        `getComputedStyle(document.querySelector('.leaflet-tracks-pane')).opacity`,
      ) as Promise<string>;
    expect(await opacity()).toBe('1');
    await page.locator('#tab-units').click();
    await page.locator('#panel-units td .find').first().click();
    await rest();
    expect(Number(await opacity())).toBeLessThan(0.3);
    await page.keyboard.press('Escape');
    expect(await opacity()).toBe('1');
    expect(errors).toEqual([]);
    await page.close();
  });

  test('the replay moves the units, by hand and by itself, slower with reduced motion', async () => {
    const { page, rest, errors } = await opened('en', { isStill: false });
    const places = (): Promise<string> =>
      page.evaluate(`(() => {
        const places = [];
        theMap.eachLayer((layer) => {
          if (layer.options.renderer?.options.pane === 'replay') places.push(layer.getLatLng());
        });
        return JSON.stringify(places);
      })()`) as Promise<string>;
    expect(await places()).toBe('[]');
    await page.locator('.replay input').fill('60000');
    await rest();
    const before = await places();
    expect((JSON.parse(before) as unknown[]).length).toBeGreaterThan(3);
    await page.locator('.replay select').selectOption('1200');
    await page.locator('.replay button').first().click();
    await expect.poll(places).not.toBe(before);
    await page.locator('.replay button').first().click();
    const time = (await hashOf(page)).get('t')!;
    expect(Date.parse(time)).toBeGreaterThan(Date.parse('2026-03-02T08:00Z'));
    await page.locator('.replay button').last().click();
    expect(await places()).toBe('[]');
    expect((await hashOf(page)).get('t')).toBe(null);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('what is shown is saved as CSV and XLSX', async () => {
    for (const name of ['en', 'ru']) {
      const { page, errors } = await opened(name);
      await page.locator('#tab-visits').click();
      await page.locator('#panel-visits input[type=search]').fill('bus-5');
      const shown = await page.locator('#panel-visits tbody tr').count();
      const saved = async (form: string): Promise<Buffer> => {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.locator('#panel-visits .save button', { hasText: form }).click(),
        ]);
        expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${form.toLowerCase()}$`));
        return readFileSync(await download.path());
      };
      const [csv, xlsx] = [await saved('CSV'), await saved('XLSX')];
      const [table, book] = [fromTable(csv), fromTable(xlsx)];
      expect(table.length).toBe(shown + 1);
      expect(book.length).toBe(shown + 1);
      expect(table[0]).toEqual(book[0]);
      expect(table[0]).toContain(name === 'en' ? 'Duration, s' : 'Длительность, с');
      const cells = await page.locator('#panel-visits tbody tr').nth(1).locator('td').allTextContents();
      for (const rows of [table, book]) {
        expect(rows[2]!.slice(0, 2)).toEqual(cells.slice(0, 2));
        const [h, m, s] = cells[4]!.split(':').map(Number) as [number, number, number];
        expect(Math.round(Number(rows[2]![4]!.replace(',', '.')))).toBe(3600 * h + 60 * m + s);
        expect(rows[2]![2]).toContain(cells[2]!.slice(0, 16));
      }
      expect(errors).toEqual([]);
      await page.close();
    }
  });

  test('a day is two sheets: what went wrong and the units, then the map', async () => {
    const { page, errors } = await opened('en');
    const seen = 'JSON.stringify([map.offsetWidth, map.offsetHeight, map.style.zoom])';
    const before = await page.evaluate(seen);
    const text = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(text.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(2);
    expect(await page.evaluate(seen)).toBe(before);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('paper has all rows and no cut column', async () => {
    const { page, errors } = await opened('en');
    await page.locator('#tab-visits').click();
    const all = Number((await page.locator('#panel-visits [role=status]').textContent())!.split(' ')[2]);
    expect(await page.locator('#panel-visits tbody tr').count()).toBeLessThan(all);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 1040, height: 720 });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('#panel-visits tbody tr').count()).toBe(all);
    expect(await page.evaluate(CUT)).toEqual([]);
    expect((await page.pdf()).length).toBeGreaterThan(20_000);
    expect(errors).toEqual([]);
    await page.close();
  });

  test('miles: the same ways, and totals that add up', async () => {
    const [km, miles] = [await opened('en'), await opened('miles')];
    const ways = async ({ page }: MapPage): Promise<number[]> => {
      await page.locator('#tab-mileage').click();
      // All rows, as on paper.
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      const cells = await page.locator('#panel-mileage tr td:nth-child(4)').allTextContents();
      return cells.map((text) => Number(text.replaceAll(',', '')));
    };
    const [inKm, inMiles] = [await ways(km), await ways(miles)];
    expect(inKm.length).toBe(inMiles.length);
    for (const [i, value] of inKm.entries())
      expect(Math.abs(inMiles[i]! * 1.609344 - value)).toBeLessThan(0.05);
    const total = inMiles.at(-1)!;
    expect(inMiles.slice(0, -1).reduce((sum, value) => sum + value, 0)).toBeCloseTo(total, 6);
    const text = await miles.page.locator('body').innerText();
    expect(text).toContain('miles');
    expect(text).not.toMatch(/\bkm\b|km\/h/);
    expect(await miles.page.locator('.leaflet-control-scale').textContent()).toMatch(/ (mi|ft)$/);
    await km.page.close();
    await miles.page.close();
  });
});
