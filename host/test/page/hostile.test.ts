import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHROMIUM, needs } from '../../../test/needs.js';
import { wkt } from '../../../test/wkt.js';
import { wordsIn } from '../../src/page/client/words.js';
import { fixAt } from './city.js';
import { launchWithMap, openPage, type PageHost, pageHost } from './openPage.js';

/** What no dispatcher wants to meet on the page: names as scripts, zones of 10,000 vertices, poles, the antimeridian, times out of order. */

const NAMES = [
  '<script>document.title = "owned"</script>',
  '"><img src=x onerror="document.title = \'owned\'">',
  '\u202Egnp.eno\u202C',
  '{count} {0} $& {name}',
  'a'.repeat(900),
  '</option></select><svg onload=alert(1)>',
];

/** A star of many vertices. */
function star(vertices: number): [number, number][] {
  return Array.from({ length: vertices }, (_, i) => {
    const turn = (2 * Math.PI * i) / vertices;
    const reach = i % 2 === 0 ? 0.05 : 0.04;
    return [30.3 + 2 * reach * Math.cos(turn), 59.93 + reach * Math.sin(turn)];
  });
}

const SHAPES: readonly object[] = [
  { type: { key: 'circle' }, geometry: [[10, 90]], width: 500_000 },
  { type: { key: 'circle' }, geometry: [[180, -16]], width: 200_000 },
  { type: { key: 'polygon' }, geometry: star(10_000) },
  {
    type: { key: 'line' },
    geometry: Array.from({ length: 3000 }, (_, i) => [30 + i / 3000, 59.9 + 0.01 * Math.sin(i)]),
    width: 60,
  },
  {
    type: { key: 'polygon' },
    geometry: wkt('170 60, -170 60, -170 70, 170 70'),
  },
  { type: { key: 'point' }, geometry: [[-180, -90]], width: 0 },
];

needs(CHROMIUM).describe('a page of hostile data (needs Chromium)', () => {
  let browser: Browser;
  let host: PageHost;
  beforeAll(async () => {
    [browser, host] = await Promise.all([launchWithMap(), pageHost()]);
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
  });

  test('shows each zone and vehicle as it is, with its name as text', async () => {
    const { owner } = host;
    const words = wordsIn('en');
    const units: string[] = [];
    for (const [i, name] of NAMES.entries()) {
      const zone = await owner.send('POST', '/geozones', { name, ...SHAPES[i] });
      expect(zone).toMatchObject({ status: 200 });
      const { body } = await owner.send('POST', '/units', { name, device_key: `key ${i}` });
      units.push((body as { id: string }).id);
    }
    // The latest first, two of one time, one at the pole, one across the antimeridian.
    const fixes = [
      fixAt(units[0]!, 30.3, 59.93, 1),
      fixAt(units[0]!, 30.2, 59.93, 50),
      fixAt(units[0]!, 30.25, 59.93, 20),
      fixAt(units[0]!, 30.26, 59.93, 20),
      fixAt(units[1]!, 12, 90, 3, 0),
      fixAt(units[2]!, 179.99, -16, 9),
      fixAt(units[2]!, -179.99, -16, 2),
      ...units.slice(3).map((unit) => fixAt(unit, 30.3, 59.93, 5)),
    ];
    expect(await owner.send('POST', '/positions', fixes)).toMatchObject({ status: 200 });
    const { page, errors, rest } = await openPage(browser, host, owner);
    const title = await page.title();
    const list = page.locator('#panel-zones li .find');
    await expect.poll(() => list.count()).toBe(NAMES.length);
    expect((await list.allTextContents()).sort()).toEqual([...NAMES].sort());
    for (const name of NAMES) {
      await list.filter({ hasText: name }).first().click();
      const card = page.locator('.cardview h2');
      await expect.poll(() => card.textContent()).toBe(name);
      await rest();
      await page.getByRole('button', { name: words.edit, exact: true }).click();
      await page.locator('.edit').waitFor();
      await rest();
      expect(await page.locator('.edit h2').textContent()).toBe(name);
      expect(await page.locator('.problems li').allTextContents()).toEqual([]);
      await page.getByRole('button', { name: words.cancel, exact: true }).click();
      await page.getByRole('button', { name: words.close, exact: true }).click();
    }
    await page.getByRole('tab', { name: words.vehicles }).click();
    const vehicles = page.locator('#panel-vehicles .list .find');
    await expect.poll(() => vehicles.count()).toBe(NAMES.length);
    expect((await vehicles.allTextContents()).sort()).toEqual([...NAMES].sort());
    for (const button of await vehicles.all()) {
      await button.click();
      await rest();
    }
    await page.getByRole('tab', { name: words.replay }).click();
    await page.getByRole('button', { name: words.load, exact: true }).click();
    const slider = page.getByLabel(words.time, { exact: true });
    await slider.waitFor();
    // 14:10 and 14:40 in Moscow: the first vehicle is at each place once, in the order of time.
    const placeOf = async (): Promise<unknown> => {
      await rest();
      return page.evaluate(`theMap.getSource('vehicles').getData().then(({ features }) =>
        features.find(({ properties }) => properties.name === ${JSON.stringify(NAMES[0])})?.geometry.coordinates)`);
    };
    await slider.fill(String(14 * 3600 + 15 * 60));
    expect(await placeOf()).toEqual([30.2, 59.93]);
    await slider.fill(String(15 * 3600));
    expect(await placeOf()).toEqual([30.3, 59.93]);
    expect(await page.title()).toBe(title);
    expect(await page.locator('img, script:not([src]), svg[onload]').count()).toBe(0);
    // A limit of MapLibre: while the star is edited, its border of 10,000 sharp corners is not drawn.
    expect(errors.filter((error) => !error.includes('Max vertices per segment'))).toEqual([]);
    await page.close();
  });
});
