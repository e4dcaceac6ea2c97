import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';
import { LONG } from '../volume.js';

/** The page's canvas, which draws in slices, shows what Leaflet's own shows. */

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isThere = existsSync(CHROMIUM);
const title = isThere ? '' : ` (skipped: no ${CHROMIUM})`;
const folder = mkdtempSync(join(tmpdir(), 'wayzone-canvas-'));
let browser: Browser;

beforeAll(async () => {
  if (!isThere) return;
  const quiet = { write: (): boolean => true };
  expect(await run(['report', '--out', folder], { stdout: quiet, stderr: quiet })).toBe(0);
  const sliced = readFileSync(join(folder, 'index.html'), 'utf8');
  const plain = sliced.replace('new SlicedCanvas(', 'L.canvas(');
  expect(plain).not.toBe(sliced);
  writeFileSync(join(folder, 'plain.html'), plain);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Leaflet draws again only where something changed, and may cut a stroke at the edge of that: here it draws all. */
const DRAW_ALL = `for (const own of Object.values(canvas)) {
  if (!own._map) continue;
  own._redrawBounds = null;
  own._redraw();
}`;

/** The map, when it has come to rest. */
async function picture(page: Page): Promise<string> {
  let last = '';
  let same = 0;
  for (let i = 0; i < 60; i++) {
    await page.waitForTimeout(150);
    const next = (await page.locator('#map').screenshot()).toString('base64');
    same = next === last ? same + 1 : 0;
    if (same === 3) return next;
    if (same === 1) await page.evaluate(DRAW_ALL);
    last = next;
  }
  return expect.fail('the map does not come to rest');
}

async function pictures(name: string, options: Parameters<Browser['newPage']>[0]): Promise<string[]> {
  const page = await browser.newPage(options);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(pathToFileURL(join(folder, name)).href);
  await page.waitForLoadState('networkidle');
  const shots = [await picture(page)];
  const box = (await page.locator('#map').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  for (const step of [-120, -120]) {
    await page.mouse.wheel(0, step);
    shots.push(await picture(page));
  }
  await page.mouse.down();
  for (let i = 1; i <= 10; i++) await page.mouse.move(x + 6 * i, y + 3 * i);
  // A pause, so that the map does not fly on.
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

describe.runIf(isThere)(`the report's map${title}`, () => {
  const screens = [
    ['on a desktop', { viewport: { width: 1280, height: 900 } }],
    [
      'on a phone, dark',
      { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, colorScheme: 'dark' },
    ],
  ] as const;
  test.each(LONG ? screens : screens.slice(0, 1))('%s', { timeout: 180_000 }, async (_, options) => {
    const [sliced, plain] = [await pictures('index.html', options), await pictures('plain.html', options)];
    expect(new Set(plain).size).toBe(plain.length);
    expect(sliced.map((shot, i) => shot === plain[i])).toEqual(plain.map(() => true));
  });
});
