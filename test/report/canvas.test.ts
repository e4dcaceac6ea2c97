import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { LONG } from '../volume.js';
import { openMap, removeFolder, written } from './browser.js';

/** Compares the page's canvas, which draws in slices, with Leaflet's own canvas, pixel by pixel. */

const CLIENT = resolve(import.meta.dirname, '../../src/report/client');
let folder: string;
let browser: Browser;

beforeAll(async () => {
  if (!CHROMIUM.isThere) return;
  folder = await written('report', '--out', '{folder}');
  const sliced = readFileSync(join(folder, 'index.html'), 'utf8');
  const start = sliced.lastIndexOf('<script>') + '<script>'.length;
  const page = sliced.slice(0, start) + (await plainScript()) + sliced.slice(sliced.lastIndexOf('</script>'));
  writeFileSync(join(folder, 'plain.html'), page);
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) removeFolder(folder);
});

/** The page's script with Leaflet's canvas instead of the page's own. */
async function plainScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(CLIENT, 'reportMain.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    plugins: [
      {
        name: 'plain-canvas',
        setup(plugin) {
          plugin.onLoad({ filter: /slicedCanvas\.ts$/ }, () => ({
            loader: 'ts',
            contents:
              'export const SlicedCanvas = L.Canvas.extend({ isBusy: () => false, hit: () => null });',
          }));
        },
      },
    ],
  });
  return outputFiles[0]!.text;
}

/** Leaflet redraws only changed areas and may cut strokes at their edges. This redraws everything. */
const DRAW_ALL = `theMap.eachLayer((layer) => {
  if (!(layer instanceof L.Canvas)) return;
  layer._redrawBounds = null;
  layer._redraw();
}), null`;

/** Screenshot of the map after it has stopped changing. */
async function picture(page: Page): Promise<string> {
  let last = '';
  let same = 0;
  for (;;) {
    await page.waitForTimeout(150);
    const next = (await page.locator('#map').screenshot()).toString('base64');
    same = next === last ? same + 1 : 0;
    if (same === 3) return next;
    if (same === 1) await page.evaluate(DRAW_ALL);
    last = next;
  }
}

async function pictures(name: string, options: Parameters<Browser['newPage']>[0]): Promise<string[]> {
  const { page, errors } = await openMap(browser, join(folder, name), { ...options, bypassCSP: true });
  const shots = [await picture(page)];
  const box = (await page.locator('#map').boundingBox())!;
  // Leaflet's canvas shows no tooltips.
  await page.addStyleTag({ content: '.leaflet-tooltip { visibility: hidden; }' });
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  for (const step of [-120, -120]) {
    await page.mouse.wheel(0, step);
    shots.push(await picture(page));
  }
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) await page.mouse.move(x + 6 * i, y + 3 * i);
  // Pause before releasing, so that the map does not keep sliding.
  await page.waitForTimeout(500);
  await page.mouse.up();
  shots.push(await picture(page));
  await page.locator('[data-show=speed]').click();
  shots.push(await picture(page));
  await page.locator('[data-show=zones]').click();
  shots.push(await picture(page));
  expect(errors).toEqual([]);
  await page.close();
  return shots;
}

needs(CHROMIUM).describe("the report's map looks as drawn by Leaflet's own canvas (needs Chromium)", () => {
  const screens = [
    ['on a desktop', { viewport: { width: 1280, height: 900 } }],
    [
      'on a phone, dark',
      { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: 'dark' },
    ],
  ] as const;
  test.each(LONG ? screens : screens.slice(0, 1))('%s', async (_, options) => {
    const [sliced, plain] = [await pictures('index.html', options), await pictures('plain.html', options)];
    expect(new Set(plain).size).toBe(plain.length);
    expect(sliced.map((shot, i) => shot === plain[i])).toEqual(plain.map(() => true));
  });
});
