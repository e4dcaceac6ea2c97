import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test as plainTest } from 'vitest';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { type MapPage, openMap, removeFolder, written, zoomed } from './browser.js';
import { crossingFlags, PLACES, ZONES } from './crossing.js';

/** Moves a real pointer over the report's map and clicks. */

const input = mkdtempSync(join(tmpdir(), 'wayzone-clicks-'));
const folders: string[] = [input];
let browser: Browser;
let report: string;

beforeAll(async () => {
  if (!CHROMIUM.isThere) return;
  browser = await launch();
  const folder = await written('report', ...crossingFlags(input), '--out', '{folder}');
  folders.push(folder);
  report = join(folder, 'index.html');
});
afterAll(async () => {
  await browser?.close();
  for (const folder of folders) removeFolder(folder);
});

type Place = keyof typeof PLACES;

/** Moves the pointer to a place. Closes an open popup first, since it may cover the place. */
async function moveTo({ page, pixelOf }: MapPage, place: Place): Promise<{ x: number; y: number }> {
  await page.keyboard.press('Escape');
  const [lat, lon] = PLACES[place];
  const { x, y } = await pixelOf(lat, lon);
  // Move twice, so that the page gets a move event even if the pointer is already there.
  await page.mouse.move(x + 3, y + 3);
  await page.mouse.move(x, y);
  return { x, y };
}

/** Lines of the tooltip at a place; empty without a tooltip. */
async function hover(map: MapPage, place: Place): Promise<string[]> {
  await moveTo(map, place);
  await map.rest();
  return map.page.locator('.leaflet-tooltip > div > *').allTextContents();
}

/** Lines of the popup after a click at a place; empty without a popup. */
async function click(map: MapPage, place: Place): Promise<string[]> {
  const { x, y } = await moveTo(map, place);
  await map.page.mouse.click(x, y);
  await map.rest();
  return popup(map);
}

function popup({ page }: MapPage): Promise<string[]> {
  return page.locator('.leaflet-popup-content > div > *').allTextContents();
}

/** The selected tab, and the first cell of each highlighted row that is visible. */
async function marked({ page }: MapPage): Promise<[tab: string | null, rows: string[]]> {
  const rows = (await page.evaluate(`[...document.querySelectorAll('tr.hit')].map((row) => {
    const { left, top, width, height } = row.getBoundingClientRect();
    const seen = document.elementFromPoint(left + Math.min(width, innerWidth) / 2, top + height / 2);
    return row.contains(seen) ? row.cells[0].textContent.trim() : 'hidden: ' + row.textContent;
  })`)) as string[];
  return [await page.locator('[role=tab][aria-selected=true]').textContent(), rows];
}

const toggle = ({ page }: MapPage, layer: string): Promise<void> =>
  page.locator(`[data-show=${layer}]`).click();

const SCREENS = [
  ['on a desktop', { viewport: { width: 1280, height: 900 } }],
  ['on a phone', { viewport: { width: 390, height: 844 } }],
  [
    'on a phone with a touch screen, dark',
    {
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
      colorScheme: 'dark',
    },
  ],
] as const;

needs(CHROMIUM).describe("the report's map answers the pointer (needs Chromium)", () => {
  plainTest.each(SCREENS)('%s: finds each thing and highlights its row', async (_, screen) => {
    const map = await openMap(browser, report, screen);
    expect(await hover(map, 'nothing')).toEqual([]);
    expect(await hover(map, 'yard')).toEqual(['Yard', 'polygon']);
    expect(await hover(map, 'shed')).toEqual(['Shed <b>', 'polygon']);
    expect(await hover(map, 'road')).toEqual(['Road', 'line']);
    expect(await hover(map, 'east')).toEqual(['van east']);
    expect(await hover(map, 'north')).toEqual(['van north']);
    expect((await hover(map, 'visit')).slice(0, 2)).toEqual(['Yard', 'van east']);
    expect(await hover(map, 'nothing')).toEqual([]);

    expect((await click(map, 'yard')).slice(0, 2)).toEqual(['Yard', 'polygon']);
    expect(await marked(map)).toEqual(['Zones', ['Yard']]);
    expect((await click(map, 'shed'))[0]).toBe('Shed <b>');
    expect(await marked(map)).toEqual(['Zones', ['Shed <b>']]);
    expect((await click(map, 'road'))[0]).toBe('Road');
    expect(await marked(map)).toEqual(['Zones', ['Road']]);
    expect((await click(map, 'north'))[0]).toBe('van north');
    expect(await marked(map)).toEqual(['Units', ['van north']]);
    expect((await click(map, 'visit')).slice(0, 2)).toEqual(['Yard', 'Unit van east · inside · left']);
    expect(await marked(map)).toEqual(['Visits', ['van east']]);
    expect(await click(map, 'nothing')).toEqual([]);
    expect((await marked(map))[1]).toEqual([]);
    expect(map.errors).toEqual([]);
    await map.page.close();
  });

  plainTest.each([SCREENS[0], SCREENS[2]])('%s: hidden layers and units get no events', async (_, screen) => {
    const map = await openMap(browser, report, screen);
    await toggle(map, 'visits');
    expect(await hover(map, 'visit')).toEqual(['van east']);
    expect((await click(map, 'visit'))[0]).toBe('van east');
    expect((await click(map, 'yard'))[0]).toBe('Yard');
    await toggle(map, 'tracks');
    expect((await hover(map, 'east'))[0]).toBe('Yard');
    expect((await click(map, 'east'))[0]).toBe('Yard');
    await toggle(map, 'zones');
    expect(await hover(map, 'east')).toEqual([]);
    expect(await click(map, 'yard')).toEqual([]);
    await toggle(map, 'tracks');
    expect(await hover(map, 'east')).toEqual(['van east']);
    await toggle(map, 'speed');
    expect((await click(map, 'north'))[0]).toBe('van north');
    await toggle(map, 'visits');
    expect((await click(map, 'visit'))[0]).toBe('Yard');
    await toggle(map, 'zones');
    await map.page.locator('#tab-units').click();
    await map.page.getByLabel('Show van east').click();
    expect((await hover(map, 'east'))[0]).toBe('Yard');
    expect((await click(map, 'visit'))[0]).toBe('Yard');
    expect((await marked(map))[0]).toBe('Zones');
    expect(map.errors).toEqual([]);
    await map.page.close();
  });

  plainTest('works after zooming and dragging, and while the map still draws', async () => {
    const map = await openMap(browser, report, SCREENS[0][1]);
    const { x, y } = await moveTo(map, 'shed');
    await zoomed(map, () => map.page.mouse.wheel(0, -240));
    expect((await hover(map, 'shed'))[0]).toBe('Shed <b>');
    await map.page.mouse.move(x, y);
    await map.page.mouse.down();
    await map.page.mouse.move(x + 60, y + 40, { steps: 5 });
    await map.page.mouse.up();
    // A drag selects nothing.
    expect(await popup(map)).toEqual([]);
    expect((await click(map, 'shed'))[0]).toBe('Shed <b>');
    await map.page.locator('#home').click();
    const [lat, lon] = PLACES.road;
    const place = (await map.page.evaluate(`(() => {
      const { x, y } = theMap.latLngToContainerPoint([${lat}, ${lon}]);
      const box = theMap.getContainer().getBoundingClientRect();
      return { x: x + box.left, y: y + box.top };
    })()`)) as { x: number; y: number };
    await map.page.mouse.click(place.x, place.y);
    await map.rest();
    expect((await popup(map))[0]).toBe('Road');
    expect(map.errors).toEqual([]);
    await map.page.close();
  });

  plainTest(
    'Escape, the button for the whole map, the close button and a click elsewhere end a selection',
    async () => {
      const map = await openMap(browser, report, SCREENS[0][1]);
      const ends: (() => Promise<void>)[] = [
        () => map.page.keyboard.press('Escape'),
        () => map.page.locator('#home').click(),
        () => map.page.locator('.leaflet-popup-close-button').click(),
        async () => {
          const { x, y } = await map.pixelOf(...PLACES.nothing);
          await map.page.mouse.click(x, y);
          await map.rest();
        },
      ];
      for (const [i, end] of ends.entries()) {
        expect((await click(map, 'yard'))[0]).toBe('Yard');
        await end();
        expect([i, await popup(map)]).toEqual([i, []]);
        expect((await marked(map))[1]).toEqual([]);
      }
      // A click on another zone moves the selection.
      expect((await click(map, 'yard'))[0]).toBe('Yard');
      const { x, y } = await map.pixelOf(...PLACES.road);
      await map.page.mouse.click(x, y);
      await map.rest();
      expect((await popup(map))[0]).toBe('Road');
      expect(await marked(map)).toEqual(['Zones', ['Road']]);
      // Escape also ends a selection made in a row, wherever the focus is.
      await map.page.locator('#tab-zones').click();
      await map.page.locator('#panel-zones td .find').last().click();
      expect((await marked(map))[1]).toEqual(['Road']);
      await map.page.keyboard.press('Escape');
      expect(await popup(map)).toEqual([]);
      expect((await marked(map))[1]).toEqual([]);
      await map.page.close();
    },
  );

  plainTest(
    'selecting on the map scrolls to a row far down and clears the filter that hides it',
    async () => {
      const corner = (i: number): [number, number] => [
        24 + 0.002 * (i % 25),
        57 + 0.002 * Math.floor(i / 25),
      ];
      const far = Array.from({ length: 400 }, (_, i) => ({
        id: `far ${i}`,
        name: `Far ${i}`,
        type: { key: 'circle' as const },
        geometry: [corner(i)],
        width: 20,
      }));
      const files = crossingFlags(join(input, 'many'), [...far, ...ZONES]);
      const folder = await written('report', ...files, '--out', '{folder}');
      folders.push(folder);
      const map = await openMap(browser, join(folder, 'index.html'), SCREENS[1][1]);
      expect((await click(map, 'shed'))[0]).toBe('Shed <b>');
      expect(await marked(map)).toEqual(['Zones', ['Shed <b>']]);
      const { page } = map;
      expect(await page.locator('#panel-zones tbody tr').count()).toBe(3);
      await page.locator('#panel-zones .more').first().click();
      expect(await page.locator('#panel-zones tbody tr').count()).toBe(153);
      const names = await page.locator('#panel-zones tbody td:first-child').allTextContents();
      expect(names.slice(0, 2)).toEqual(['Far 250', 'Far 251']);
      await page.locator('#panel-zones input[type=search]').fill('far 39');
      expect(await page.locator('#panel-zones tbody tr').count()).toBeLessThan(50);
      expect((await click(map, 'road'))[0]).toBe('Road');
      expect(await marked(map)).toEqual(['Zones', ['Road']]);
      expect(await page.locator('#panel-zones input[type=search]').inputValue()).toBe('');
      expect(map.errors).toEqual([]);
      await page.close();
    },
  );
});
