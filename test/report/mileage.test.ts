import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PageData } from '../../src/report/pageData.js';
import { roundTogether } from '../../src/report/pageMileage.js';
import { reportPage } from '../../src/report/reportPage.js';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { volume } from '../volume.js';
import { openMap, removeFolder, written } from './browser.js';
import { SAMPLE, sampleFiles } from './sample.js';

test('amounts that are rounded together differ by less than a step, and add up to their rounded sum', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 30 }),
      fc.constantFrom(1, 10),
      (amounts, step) => {
        const steps = roundTogether(amounts, (amount) => amount, step);
        for (const [i, whole] of steps.entries()) {
          expect(Number.isInteger(whole)).toBe(true);
          expect(Math.abs(whole - amounts[i]! / step)).toBeLessThanOrEqual(1);
        }
        const sum = amounts.reduce((total, amount) => total + amount, 0) / step;
        expect(Math.abs(steps.reduce((total, whole) => total + whole, 0) - sum)).toBeLessThan(0.5 + 1e-6);
      },
    ),
    { numRuns: volume(1000), seed: 386 },
  );
});

test('the page has the measures of visits, and mileage by unit, zone and day', async () => {
  const page = reportPage(SAMPLE, await sampleFiles('report'));
  const [, block] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)!;
  const data = JSON.parse(block!) as PageData;
  expect(data.visits.map((visit) => visit[9])).toEqual([
    [716, 72, 0, 0],
    [0, 0, 0, 0],
  ]);
  // 2154.6 + 716.4 + 3.3 m are 287 steps of 10 m.
  expect(data.mileage.map(([unit, zone, way]) => [unit, zone, way])).toEqual([
    [0, -1, 215],
    [0, 0, 72],
    [0, 1, 0],
  ]);
});

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
/** `h:mm:ss`, or a number. */
const amountOf = (text: string): number =>
  text.includes(':')
    ? text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)
    : Math.round(100 * Number(text.replaceAll(',', '')));

needs(CHROMIUM).test('the table of mileage adds up, also filtered (needs Chromium)', async () => {
  const files = ['--zones', fixture('city-zones.geojson'), '--tracks', fixture('city-day.csv')];
  const folder = await written('report', ...files, '--speed-unit', 'kph', '--out', '{folder}');
  const browser = await launch();
  try {
    const { page, errors } = await openMap(browser, join(folder, 'index.html'), {});
    const heads = await page.locator('#panel-visits thead th').allTextContents();
    expect(heads).toEqual(expect.arrayContaining(['km', 'Moving', 'Idling', 'Parked']));
    await page.locator('#tab-mileage').click();
    const amounts = async (part: string): Promise<number[][]> => {
      const rows = await page.locator(`#panel-mileage ${part} tr`).all();
      return Promise.all(
        rows.map(async (row) => (await row.locator('td').allTextContents()).slice(3).map(amountOf)),
      );
    };
    const addsUp = async (): Promise<number[]> => {
      const rows = await amounts('tbody');
      const sums = rows.reduce((total, row) => total.map((sum, i) => sum + row[i]!), [0, 0, 0, 0, 0, 0]);
      expect(await amounts('tfoot')).toEqual([sums]);
      return sums;
    };
    const all = await addsUp();
    expect(all[0]).toBeGreaterThan(1000);
    await page.locator('#panel-mileage select').first().selectOption({ index: 1 });
    const one = await addsUp();
    expect(one[0]).toBeLessThan(all[0]!);
    expect(one[0]).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    removeFolder(folder);
  }
});
