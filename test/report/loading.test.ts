import { join, resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { type MapPage, openMap, removeFolder, written } from './browser.js';

/** The report loads in short tasks, and draws in slices. Paper waits for neither. */

const fixture = (name: string): string => resolve(import.meta.dirname, '../../fixtures', name);
const SIZE = { viewport: { width: 1280, height: 900 } };

/** Prints before the first task of the page's script has run. */
const PRINT_AT_ONCE = `new MutationObserver((_, observer) => {
  if (document.body?.ariaBusy !== 'true') return;
  observer.disconnect();
  const rows = () => document.querySelectorAll('#panel-units tbody tr').length;
  const before = rows();
  dispatchEvent(new Event('beforeprint'));
  let isDrawn = true;
  theMap.eachLayer((layer) => { isDrawn &&= !(layer.isBusy?.() ?? false); });
  window.printed = { before, rows: rows(), isDrawn, busy: document.body.ariaBusy, labels: document.querySelectorAll('.map-label').length };
}).observe(document, { subtree: true, attributes: true, attributeFilter: ['aria-busy'] });`;

/** The picture of each canvas. */
const CANVASES = `[...document.querySelectorAll('#map canvas')].map((canvas) => canvas.toDataURL())`;

let folder: string;
let browser: Browser;
beforeAll(async () => {
  if (!CHROMIUM.isThere) return;
  const inputs = ['--zones', fixture('city-zones.geojson'), '--tracks', fixture('city-day.csv')];
  folder = await written('report', ...inputs, '--speed-unit', 'kph', '--out', '{folder}');
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) removeFolder(folder);
});

const opened = (script = ''): Promise<MapPage> =>
  openMap(browser, join(folder, 'index.html'), SIZE, '', script);

needs(CHROMIUM).describe('a report that loads (needs Chromium)', () => {
  test('is whole on paper, also when it is printed before its first task', async () => {
    const usual = await opened();
    const all = Number((await usual.page.locator('#panel-units [role=status]').textContent())!.split(' ')[2]);
    const labels = await usual.page.locator('.map-label').count();
    expect(labels).toBeGreaterThan(5);
    const { page, errors } = await opened(PRINT_AT_ONCE);
    expect(await page.evaluate('window.printed')).toEqual({
      before: 0,
      rows: all,
      isDrawn: true,
      busy: null,
      labels,
    });
    const drawn = (await page.evaluate(CANVASES)) as string[];
    expect(drawn.length).toBeGreaterThan(3);
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn).toEqual(await usual.page.evaluate(CANVASES));
    expect(errors).toEqual([]);
    await usual.page.close();
    await page.close();
  });

  test('has a row of the timeline for each unit on paper', async () => {
    const { page, errors } = await opened();
    await page.locator('#tab-units').click();
    const units = await page.locator('#panel-units [role=status]').textContent();
    await page.locator('#tab-timeline').click();
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('.timeline .row').count()).toBe(Number(units!.split(' ')[2]));
    expect(errors).toEqual([]);
    await page.close();
  });

  test('opens what the address names, and a click during the loading waits for its end', async () => {
    const click = `new MutationObserver((_, observer) => {
      if (document.body?.ariaBusy !== 'true') return;
      observer.disconnect();
      // At once: no table has been made.
      document.getElementById('tab-timeline').click();
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['aria-busy'] });`;
    const { page, errors, rest } = await opened(click);
    await expect.poll(() => page.locator('#tab-timeline').getAttribute('aria-selected')).toBe('true');
    await rest();
    expect(await page.locator('.timeline .row').count()).toBeGreaterThan(0);
    expect(await page.locator('#panel-timeline tbody tr').count()).toBeGreaterThan(0);
    expect(errors).toEqual([]);
    await page.close();
  });
});
