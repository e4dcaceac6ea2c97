import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHROMIUM, needs } from '../../../test/needs.js';
import { buildCity, type City } from './city.js';
import { launchWithMap, openPage, type PageHost, pageHost } from './openPage.js';

needs(CHROMIUM).describe('the page for dispatchers (needs Chromium)', () => {
  let browser: Browser;
  let host: PageHost;
  let city: City;
  beforeAll(async () => {
    [browser, host] = await Promise.all([launchWithMap(), pageHost()]);
    city = await buildCity(host.owner);
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
  });

  test('shows zones and vehicles', async () => {
    const { page, errors, rest, pixelOf } = await openPage(browser, host, host.owner);
    mkdirSync('out/page', { recursive: true });
    const shot = async (name: string): Promise<void> => {
      await rest();
      writeFileSync(`out/page/${name}.png`, await page.screenshot());
    };
    await page.getByRole('tab', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Load' }).click();
    await page.locator('input[type=range]').waitFor();
    await page.locator('input[type=range]').fill('53500');
    await shot('d');
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.getByRole('tab', { name: 'Trips' }).click();
    await page.waitForTimeout(500);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('#panel-trips h2').waitFor();
    await shot('e');
    await page.getByRole('tab', { name: 'Zones' }).click();
    await page.getByRole('button', { name: 'Ring road' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.locator('.handle').waitFor();
    await shot('f');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'New zone' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Bow');
    for (const [lon, lat] of [
      [30.28, 59.955],
      [30.33, 59.965],
      [30.33, 59.955],
      [30.28, 59.965],
      [30.28, 59.965],
    ]) {
      const { x, y } = await pixelOf(lon!, lat!);
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.up();
      await page.waitForTimeout(400);
    }
    await page.waitForTimeout(500);
    await shot('g');
    console.log(city.tripId, errors);
    expect(errors).toEqual([]);
  });
});
