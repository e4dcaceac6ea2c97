import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill } from '../../../src/report/client/shared/formats.js';
import { CHROMIUM, needs } from '../../../test/needs.js';
import { LONG } from '../../../test/volume.js';
import { type Words, wordsIn } from '../../src/page/client/words.js';
import { buildCity, type City, fixAt, HOSTILE } from './city.js';
import { type FleetPage, launchWithMap, openPage, type PageHost, pageHost } from './openPage.js';
import { violationsOf } from './violationsOf.js';

/** Where the screenshots of a long run are. */
const PICTURES = 'out/page';

const ISSUES = `name,lon,lat,width
Gate,30.31,59.94,50
Nowhere,30.3,120,50
Yard,30.32,59.94,80
`;

needs(CHROMIUM).describe('an hour of a dispatcher (needs Chromium)', () => {
  let browser: Browser;
  let host: PageHost;
  beforeAll(async () => {
    [browser, host] = await Promise.all([launchWithMap(), pageHost()]);
    mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(async () => {
    await browser.close();
    await host.close();
  });

  // The long run has one walk more for each width.
  test.for([
    [1440, 'en', 'light'],
    [390, 'ru', 'dark'],
    ...(LONG
      ? ([
          [768, 'ru', 'light'],
          [390, 'en', 'light'],
        ] as const)
      : []),
  ] as const)('at a width of %i, in %s, %s', async ([width, language, colors]) => {
    const owner = await host.api.as(await host.api.company(), 'ADMIN');
    const city = await buildCity(owner);
    const send: Send = (method, url, body) => owner.send(method, url, body);
    const words = wordsIn(language);
    const opened = await openPage(browser, host, null, { width, language, colors });
    const { page, errors } = opened;
    // Drawn by software, a picture of a large window takes seconds.
    const picture = async (name: string): Promise<void> => {
      await opened.rest();
      if (!LONG) return;
      writeFileSync(`${PICTURES}/${width}-${language}-${colors}-${name}.png`, await page.screenshot());
    };
    const check = async (name: string): Promise<void> => {
      await picture(name);
      expect([name, await violationsOf(page)]).toEqual([name, []]);
      // Nothing is wider than the window.
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    };
    await signIn(page, words, owner.headers['authorization']!);
    await check('zones');
    await findZones(page, words, check);
    await watch(opened, words, city, send, check);
    await replay(opened, words, check);
    await showTrip(page, words, check);
    // What is made, drawn and imported is the same at each width: the long run does it at all.
    if (width > 500 || LONG) {
      await makeTrip(page, words, check);
      await drawCrossing(opened, words, city, send, check);
      await dragRadius(opened, words, city, send, check);
      await merge(opened, words, city, send, check);
      await importFile(page, words, send, check);
      await suggest(page, words, city, send, check);
    }
    expect(errors.filter((error) => !REFUSED.some((known) => error.includes(known)))).toEqual([]);
    await page.close();
  });
});

/** What Chromium logs of requests that the host refuses on purpose. */
const REFUSED = ['status of 401', 'status of 412', 'status of 422'];

type Check = (name: string) => Promise<void>;
type Send = (
  method: string,
  url: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly body: unknown }>;

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });
const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });
const field = (page: Page, name: string): Locator => page.locator('.edit').getByLabel(name, { exact: true });

/** A wrong token first. */
async function signIn(page: Page, words: Words, authorization: string): Promise<void> {
  const token = page.getByLabel(words.token);
  await token.fill('not a token');
  await button(page, words.signIn).click();
  await page.getByText(words.signInWrong).waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await token.fill(authorization.replace('Bearer ', ''));
  await token.press('Enter');
  await button(page, 'Depot').waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe(words.language);
}

async function findZones(page: Page, words: Words, check: Check): Promise<void> {
  const panel = page.locator('#panel-zones');
  const shown = (): Promise<string[]> => panel.locator('li .find').allTextContents();
  // A name with markup is a text.
  expect(await shown()).toEqual([HOSTILE, 'Depot', 'Harbour', 'Ring road']);
  expect(await page.locator('img').count()).toBe(0);
  await panel.getByLabel(words.search).fill('HARB');
  await panel.getByText(fill(words.countOf, { count: 1, all: 1 })).waitFor();
  expect(await shown()).toEqual(['Harbour']);
  await panel.getByLabel(words.search).fill('');
  await panel.getByLabel(words.type).selectOption('line');
  // The answer to the cleared search, all four, may be drawn before.
  await expect.poll(shown).toEqual(['Ring road']);
  await panel.getByLabel(words.type).selectOption('');
  await panel.getByText(fill(words.countOf, { count: 4, all: 4 })).waitFor();

  await button(page, 'Depot').click();
  const card = page.getByRole('region', { name: 'Depot' });
  await card.getByText('Van 1', { exact: true }).waitFor();
  const facts = await card.locator('dd').allTextContents();
  expect(facts.map((text) => text.replace(/\s/g, ' '))).toEqual(
    words.language === 'ru'
      ? ['Круг', '502 655 м²', '2 513 м', '400 м', '20 км/ч']
      : ['Circle', '502,655 m²', '2,513 m', '400 m', '20 km/h'],
  );
  await card.getByText(words.still, { exact: false }).waitFor();
  await check('card');
  await button(page, words.close).click();
  await button(page, 'Harbour').click();
  // Monday 15:00 in Moscow: open until 18:00.
  await page.getByText('03-03 08:00 – 03-03 18:00').waitFor();
  await button(page, words.close).click();
}

/** The lorry drives through the depot to the harbour: position, state, zones and event come without a reload. */
async function watch({ page }: FleetPage, words: Words, city: City, send: Send, check: Check): Promise<void> {
  await tab(page, words.vehicles).click();
  const lorry = page.locator('#panel-vehicles li', { hasText: 'Lorry' }).first();
  await lorry.getByText(words.silent).waitFor();
  const [, , unit] = city.units as [string, string, string];
  await send('POST', '/positions', [
    fixAt(unit, 30.3, 59.93, 9),
    fixAt(unit, 30.3001, 59.93, 8),
    fixAt(unit, 30.25, 59.92, 4),
    fixAt(unit, 30.22, 59.91, 1, 12),
  ]);
  await lorry.getByText(`${words.moving} 12 ${words.kph}`).waitFor();
  await lorry.getByText(fill(words.inZones, { zones: 'Harbour' })).waitFor();
  await page.getByText(fill(words.entered, { unit: 'Lorry', zone: 'Depot' })).waitFor();
  await page.getByText(fill(words.left, { unit: 'Lorry', zone: 'Depot' })).waitFor();
  await check('vehicles');
  // Filters are the legend; the map follows them.
  const shown = (): Promise<unknown> =>
    page.evaluate(`theMap.getSource('vehicles').getData().then(({ features }) =>
      features.map(({ properties: { name, state } }) => [name, state]))`);
  const state = (text: string): Locator =>
    page.getByRole('group', { name: words.states }).getByRole('button', { name: text });
  await expect.poll(() => state(words.moving).innerText()).toMatch(/2$/);
  await state(words.moving).click();
  await expect.poll(async () => ((await shown()) as unknown[]).length).toBe(2);
  expect(await shown()).toEqual([
    ['Lorry', 'moving'],
    ['Van 1', 'moving'],
  ]);
  await state(words.moving).click();
  await lorry.getByRole('button', { name: 'Lorry' }).click();
  await button(page, words.follow).click();
  await send('POST', '/positions', [fixAt(unit, 30.215, 59.9101, 0.5, 15)]);
  // The map's middle follows the lorry.
  await expect
    .poll(() => page.evaluate('theMap.getCenter().toArray().map((value) => Number(value.toFixed(3)))'))
    .toEqual([30.215, 59.91]);
  await page.locator('.chosen').getByRole('button', { name: words.close }).click();
}

async function replay({ page, rest }: FleetPage, words: Words, check: Check): Promise<void> {
  await tab(page, words.replay).click();
  await page.getByLabel(words.day).fill('2026-03-02');
  await button(page, words.load).click();
  await page.getByText(fill(words.loadedUnits, { count: 3 })).waitFor();
  const inWords = /^(Monday, March 2, 2026|понедельник, 2 марта 2026 г\.)$/;
  await page.locator('#panel-replay').getByText(inWords).waitFor();
  // A message is not shown on another tab.
  await tab(page, words.zones).click();
  expect(await page.locator('#status').textContent()).toBe('');
  await tab(page, words.replay).click();
  const places = async (): Promise<unknown> => {
    await rest();
    return page.evaluate(`theMap.getSource('vehicles').getData().then(({ features }) =>
      Object.fromEntries(features.map(({ properties, geometry }) =>
        [properties.name, geometry.coordinates.map((value) => Number(value.toFixed(5)))])))`);
  };
  const slider = page.getByLabel(words.time, { exact: true });
  // 14:35:00 and 14:35:30: van 1 goes from fix to fix, van 2 has no position yet.
  await slider.fill(String(14 * 3600 + 35 * 60));
  expect(await places()).toEqual({ Lorry: [30.36, 59.91], 'Van 1': [30.234, 59.9135] });
  await slider.fill(String(14 * 3600 + 35 * 60 + 30));
  expect(await places()).toEqual({ Lorry: [30.36, 59.91], 'Van 1': [30.2354, 59.91385] });
  await slider.press('ArrowRight');
  expect(await slider.getAttribute('aria-valuetext')).toBe('14:35:40');
  await check('replay');
  await button(page, words.play).click();
  await button(page, words.pause).click();
  await button(page, words.backToLive).click();
}

async function showTrip(page: Page, words: Words, check: Check): Promise<void> {
  await tab(page, words.trips).click();
  const run = page.locator('#panel-trips .list li').first();
  // The status of the run is in the list.
  await run.locator('.chip').waitFor();
  await check('trips');
  await run.getByRole('button').click();
  const rows = page.locator('#panel-trips tbody tr');
  await rows.first().waitFor();
  expect(await rows.count()).toBe(2);
  expect((await rows.nth(0).innerText()).replace(/\s+/g, ' ')).toMatch(
    /^1 Harbour gate 14:30 – 14:35 14:30 – 14:32/,
  );
  await check('trip');
  // Two points, each with its place and its area, beside the panel only.
  const planned = (): Promise<unknown> =>
    page.evaluate("theMap.getSource('plan').getData().then(({ features }) => features.length)");
  await expect.poll(planned).toBe(4);
  await tab(page, words.replay).click();
  await expect.poll(planned).toBe(0);
  await tab(page, words.trips).click();
  await expect.poll(planned).toBe(4);
  await page.locator('#panel-trips').getByRole('button', { name: words.close }).click();
  expect(await planned()).toBe(0);
}

/** A vehicle, and a trip for it. What is wrong is said beside its field. */
async function makeTrip(page: Page, words: Words, check: Check): Promise<void> {
  const control = (name: string): Locator => page.locator(`.edit [data-field="${name}"]`);
  const wrong = (): Promise<(string | undefined)[]> =>
    page
      .locator('.edit [aria-invalid]')
      .evaluateAll((nodes) => nodes.map((node) => (node as HTMLElement).dataset['field']));
  await tab(page, words.vehicles).click();
  await button(page, words.newVehicle).click();
  await button(page, words.save).click();
  await expect.poll(wrong).toEqual(['name']);
  await check('vehicle-form');
  await control('name').fill('Van 9');
  await button(page, words.save).click();
  await page.locator('#panel-vehicles li', { hasText: 'Van 9' }).getByText(words.neverSeen).waitFor();
  await tab(page, words.trips).click();
  await button(page, words.newTrip).click();
  await button(page, words.save).click();
  await expect.poll(wrong).toEqual(['name', 'points']);
  await control('name').fill('Evening round');
  await control('unit').selectOption({ label: 'Van 9' });
  for (const zone of ['Depot', 'Harbour']) {
    await page.locator('.edit select').last().selectOption({ label: zone });
    await button(page, words.addPoint).click();
    await page
      .locator('.edit li', { hasText: words.arrival })
      .nth(zone === 'Depot' ? 0 : 1)
      .waitFor();
  }
  await control('points[0].arrival.time').fill('18:00');
  await control('points[0].departure.time').fill('17:00');
  await button(page, words.save).click();
  await expect.poll(wrong).toEqual(['points[0].departure.time']);
  await check('trip-form');
  await control('points[0].departure.time').fill('18:10');
  await button(page, words.save).click();
  await page.locator('#panel-trips tbody tr').nth(1).waitFor();
  expect((await page.locator('#panel-trips tbody tr').nth(0).innerText()).replace(/\s+/g, ' ')).toMatch(
    /^1 Depot 18:00 – 18:10/,
  );
  await page.locator('#panel-trips').getByRole('button', { name: words.close }).click();
}

/** Shows the depot's surroundings, as a user would by moving the map. */
async function look(page: Page): Promise<void> {
  await page.evaluate('theMap.jumpTo({ center: [30.3, 59.945], zoom: 12 })');
}

async function tap({ page, pixelOf }: FleetPage, lon: number, lat: number): Promise<void> {
  const { x, y } = await pixelOf(lon, lat);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
  // Terra Draw takes two presses within 300 ms for a double click.
  await page.waitForTimeout(350);
}

const BOW = [
  [30.28, 59.94],
  [30.32, 59.95],
  [30.32, 59.94],
  [30.28, 59.95],
] as const;

/** A new zone whose border crosses itself cannot be stored until it is repaired. */
async function drawCrossing(
  opened: FleetPage,
  words: Words,
  city: City,
  send: Send,
  check: Check,
): Promise<void> {
  const { page, rest } = opened;
  await tab(page, words.zones).click();
  await button(page, words.newZone).click();
  await field(page, words.name).fill('Bow');
  // Who is inside a new zone is shown as soon as it is known, and never as nobody.
  await send('POST', '/positions', [fixAt(city.units[1]!, 30.3, 59.947, 0.5, 0)]);
  await page.evaluate(`{
    window.internals = new Set();
    new MutationObserver(() => {
      const list = document.querySelector('.cardview h3 + .list');
      if (list !== null) internals.add(list.innerText);
    }).observe(document.getElementById('panel-zones'), { childList: true, subtree: true });
  }`);
  await look(page);
  for (const [lon, lat] of BOW) await tap(opened, lon, lat);
  await tap(opened, ...BOW[3]);
  await page.getByText(words.dragHelp).waitFor();
  // Terra Draw may reverse a finished ring, so the numbers of the segments are either 1 and 3 or 2 and 4.
  const crosses = page.locator('.problems li');
  await crosses.first().waitFor();
  const texts = [1, 2].map((a) => fill(words.crosses, { a, b: a + 2 }));
  expect(texts).toContain(await crosses.innerText());
  expect(await button(page, words.save).isDisabled()).toBe(true);
  await rest();
  const wrong = (await page.evaluate(`theMap.getSource('draft').getData().then(({ features }) =>
    features.filter(({ properties }) => properties.wrong).map(({ geometry }) => geometry.coordinates))`)) as number[][][];
  const ends = wrong.map((line) => line.map((pair) => pair.map((value) => Number(value.toFixed(3)))));
  const sorted = (lines: readonly (readonly (readonly number[])[])[]): string[] =>
    lines.map((line) => [...line].map(String).sort().join(' ')).sort();
  expect(sorted(ends)).toEqual(
    sorted([
      [BOW[0], BOW[1]],
      [BOW[2], BOW[3]],
    ]),
  );
  await check('crossing');
  // By the keyboard alone: the two positions of one longitude change places.
  await page.getByText(words.vertices, { exact: true }).press('Enter');
  const latitude = (n: number): Locator => page.getByLabel(fill(words.vertexLat, { n }), { exact: true });
  const longitude = (n: number): Locator => page.getByLabel(fill(words.vertexLon, { n }), { exact: true });
  const n = (await longitude(2).inputValue()) === (await longitude(3).inputValue()) ? 2 : 3;
  const [first, second] = [await latitude(n).inputValue(), await latitude(n + 1).inputValue()];
  await latitude(n).fill(second);
  await latitude(n).press('Enter');
  await latitude(n + 1).fill(first);
  await latitude(n + 1).press('Enter');
  await crosses.waitFor({ state: 'detached' });
  await button(page, words.save).click();
  await page.getByText(fill(words.saved, { name: 'Bow' })).waitFor();
  const card = page.getByRole('region', { name: 'Bow' });
  await card.getByText('Van 2', { exact: true }).waitFor();
  expect(await page.evaluate('[...internals]')).toEqual(['…', 'Van 2']);
  await button(page, words.remove).click();
  await button(page, fill(words.removeSure, { name: 'Bow' })).click();
  await page.getByText(fill(words.removed, { name: 'Bow' })).waitFor();
}

/** The radius follows the handle; the tiles of the old and the new disc are asked for again, and no others. */
async function dragRadius(
  opened: FleetPage,
  words: Words,
  city: City,
  send: Send,
  check: Check,
): Promise<void> {
  const { page, pixelOf, rest } = opened;
  await button(page, 'Depot').click();
  await button(page, words.edit).click();
  await page.locator('.handle').waitFor();
  await page.evaluate('theMap.jumpTo({ center: [30.3, 59.93], zoom: 13 })');
  await rest();
  const from = (await page.locator('.handle').boundingBox())!;
  const to = await pixelOf(30.312, 59.93);
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x - 20, to.y, { steps: 4 });
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  // 0.012° of longitude at 59.93°.
  const radius = Number(await field(page, `${words.radius}, ${words.meters}`).inputValue());
  expect(radius).toBeGreaterThan(650);
  expect(radius).toBeLessThan(690);
  await page.locator('.handle').press('ArrowRight');
  expect(await field(page, `${words.radius}, ${words.meters}`).inputValue()).toBe(String(radius + 1));
  await check('radius');
  const asked: string[] = [];
  page.on('request', (request) => {
    const found = /tiles\/(\d+\/\d+\/\d+)\.mvt/.exec(request.url());
    if (found !== null) asked.push(found[1]!);
  });
  await button(page, words.save).click();
  await page.getByText(fill(words.saved, { name: 'Depot' })).waitFor();
  await rest();
  const { body } = await send('GET', `/geozones?ids=${city.zones[0]}`);
  expect(body).toMatchObject({ width: radius + 1, speed_limit: 20, color: { key: '#F56C6C' } });
  expect(asked.length).toBeGreaterThan(0);
  // The middle of the disc in tiles of zoom 13 (Web Mercator); it reaches 0.15 tiles.
  const [column, row] = [
    ((30.3 + 180) / 360) * 8192,
    (0.5 - Math.log(Math.tan((Math.PI * (45 + 59.93 / 2)) / 180)) / (2 * Math.PI)) * 8192,
  ];
  const isFar = asked.filter((tile) => {
    const [z, x, y] = tile.split('/').map(Number) as [number, number, number];
    const scale = 2 ** (z - 13);
    const gap = (at: number, from: number): number => Math.max(from - at, at - from - 1, 0);
    return Math.max(gap(column * scale, x), gap(row * scale, y)) > 0.2 * scale + 0.05;
  });
  expect(isFar).toEqual([]);
  await button(page, words.close).click();
}

/** Somebody else changes name and limit while the page changes name and width: the user chooses for each. */
async function merge({ page }: FleetPage, words: Words, city: City, send: Send, check: Check): Promise<void> {
  const [, , road] = city.zones;
  await button(page, 'Ring road').click();
  await button(page, words.edit).click();
  await field(page, words.name).fill('Ring road, mine');
  await field(page, `${words.width}, ${words.meters}`).fill('250');
  const { body } = await send('GET', `/geozones?ids=${road}`);
  await send('PUT', `/geozones/${road}`, { ...(body as object), name: 'Ring road, theirs', speed_limit: 70 });
  await button(page, words.save).click();
  await page.getByText(words.conflictTitle).waitFor();
  await check('conflict');
  const group = page.getByRole('group', { name: words.name, exact: true });
  expect(await page.locator('.conflict fieldset').count()).toBe(3);
  await group.getByLabel(`${words.theirs}: Ring road, theirs`).check();
  await button(page, words.saveMerged).click();
  await page.getByText(fill(words.saved, { name: 'Ring road, theirs' })).waitFor();
  const { body: stored } = await send('GET', `/geozones?ids=${road}`);
  expect(stored).toMatchObject({ name: 'Ring road, theirs', width: 250, speed_limit: 70 });
  await button(page, words.close).click();
}

/** A dropped file is read without storing, and stored on request. Zones with errors are left out, zones without a name get one of the file. */
async function importFile(page: Page, words: Words, send: Send, check: Check): Promise<void> {
  const count = async (): Promise<number> =>
    ((await send('POST', '/geozones/filter', { count: 0 })).body as { max: number }).max;
  const drop = (text: string): Promise<unknown> =>
    page.evaluate(`{
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(text)}], 'gates.csv'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }`);
  const before = await count();
  await drop(ISSUES);
  await page.getByText(fill(words.wouldStore, { count: 2, file: 'gates.csv' })).waitFor();
  await page.getByText('lat-range').waitFor();
  await page.getByText(words.refused).waitFor();
  await button(page, fill(words.store, { count: 2 })).waitFor();
  await check('import');
  expect(await count()).toBe(before);
  await drop(ISSUES.replace('Gate', ''));
  await page.getByText('zones[0].name').waitFor();
  await button(page, fill(words.store, { count: 2 })).click();
  await page.getByText(fill(words.stored, { count: 2 })).waitFor();
  await button(page, 'gates 1').waitFor();
  expect(await count()).toBe(before + 2);
}

/** A lorry stood at two places on three mornings: one is dismissed, the other becomes a zone. Neither is suggested again. */
async function suggest(page: Page, words: Words, city: City, send: Send, check: Check): Promise<void> {
  const mornings = [3, 2, 1].flatMap((days) =>
    Array.from({ length: 31 }, (_, minute) => {
      const share = Math.min(10, Math.max(0, minute - 10));
      return fixAt(
        city.units[2]!,
        30.4 + 0.01 * share,
        59.96,
        days * 1440 + 300 - minute,
        share % 10 ? 40 : 0,
      );
    }),
  );
  await send('POST', '/positions', mornings);
  await tab(page, words.zones).click();
  await button(page, words.suggest).click();
  const view = page.getByRole('region', { name: words.suggest });
  const find = view.getByRole('button', { name: words.findPlaces });
  await find.click();
  await view.getByText(fill(words.placesOf, { count: 2 })).waitFor();
  const drawn = (): Promise<unknown> =>
    page.evaluate(
      `theMap.getSource('preview').getData().then(({ features }) =>
        features.filter(({ properties }) => properties.area !== undefined).length)`,
    );
  await expect.poll(drawn).toBe(2);
  await check('suggestions');
  await view.getByRole('button', { name: words.dismiss }).first().click();
  await view.getByText(fill(words.placesOf, { count: 1 })).waitFor();
  await expect.poll(drawn).toBe(1);
  await view.getByLabel(words.name, { exact: true }).fill('Quarry');
  await view.getByRole('button', { name: words.storePlace, exact: true }).click();
  await page.getByText(fill(words.saved, { name: 'Quarry' })).waitFor();
  await view.getByText(words.noPlaces).waitFor();
  const conditions = [{ field: 'name', value: 'Quarry' }];
  expect((await send('POST', '/geozones/filter', { conditions })).body).toMatchObject({
    max: 1,
    list: [{ name: 'Quarry', type: { key: 'circle' } }],
  });
  await find.click();
  await view.getByText(words.noPlaces).waitFor();
  await view.getByRole('button', { name: words.close }).click();
  expect(await drawn()).toBe(0);
}
