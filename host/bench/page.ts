/**
 * `npm run bench:page -w host`: the page for dispatchers with many zones and vehicles in headless Chromium. Reports the processor time of the
 * longest task of the page's main thread, since the machine is shared, and the page's heap after a garbage collection. `ZONES` (100,000),
 * `UNITS` (500), `SECONDS` (30) of live positions.
 */

import type { CDPSession, Page } from 'playwright-core';
import { tasksOf, zonesOf } from '../../bench/page.js';
import { toZoneCsv } from '../../src/interchange/index.js';
import { launchWithMap, openPage, type PageHost, pageHost } from '../test/page/openPage.js';
import { NOW } from '../test/testHost.js';

const ZONES = Number(process.env['ZONES'] ?? 100_000);
const UNITS = Number(process.env['UNITS'] ?? 500);
const SECONDS = Number(process.env['SECONDS'] ?? 30);
const CITY = [44, 56.3] as const;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function importZones({ url, owner }: PageHost): Promise<void> {
  const form = new FormData();
  form.append('file', new File([toZoneCsv(zonesOf(ZONES))], 'zones.csv'));
  const answer = await fetch(`${url}/api_v1/geozones/import`, {
    method: 'POST',
    headers: owner.headers,
    body: form,
  });
  const { stored } = (await answer.json()) as { readonly stored?: number };
  if (stored !== ZONES) throw new Error(`expected ${ZONES} stored zones, received ${stored}`);
}

/** A fix of each unit at a second; they drive around the city. */
function fixesAt(ids: readonly string[], second: number): object[] {
  return ids.map((id, i) => {
    const turn = (i + second * 0.01) * 2.4;
    const reach = 0.02 + (0.4 * i) / ids.length;
    return {
      unit_id: id,
      time: NOW - 1_800_000 + second * 1000,
      lon: CITY[0] + reach * Math.cos(turn),
      lat: CITY[1] + 0.5 * reach * Math.sin(turn),
      speedKph: 40,
    };
  });
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

/** Drags and zooms by the mouse. */
async function moveMap(page: Page): Promise<void> {
  const box = (await page.locator('#map').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  for (const step of [-120, -120, 120, 120]) {
    await page.mouse.wheel(0, step);
    await page.waitForTimeout(400);
  }
  await page.mouse.down();
  for (let i = 1; i <= 40; i++) await page.mouse.move(x + 3 * i, y + 2 * i);
  await page.mouse.up();
}

const host = await pageHost({ maxBodyBytes: 1e9 });
const browser = await launchWithMap();
try {
  const { owner } = host;
  const ids: string[] = [];
  for (let i = 0; i < UNITS; i++) {
    const { body } = await owner.send('POST', '/units', { name: `Van ${i}`, device_key: `key ${i}` });
    ids.push((body as { id: string }).id);
  }
  await importZones(host);
  await owner.send('POST', '/positions', fixesAt(ids, 0));
  const { page, rest, errors } = await openPage(browser, host, owner);
  await page.evaluate(`theMap.jumpTo({ center: [${CITY.join(', ')}], zoom: 11 })`);
  await rest();
  const session = await page.context().newCDPSession(page);
  let second = 0;
  const live = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds; i++) {
      await Promise.all([
        owner.send('POST', '/positions', fixesAt(ids, ++second)),
        page.waitForTimeout(1000),
      ]);
    }
  };
  await live(5);
  const rows: (readonly [string, () => Promise<void>])[] = [
    ['live positions each second', () => live(SECONDS)],
    ['the map moved and zoomed', () => moveMap(page)],
    [
      'the list of vehicles, live',
      async () => {
        await page.getByRole('tab', { name: 'Vehicles' }).click();
        await live(SECONDS);
      },
    ],
    [
      'a search',
      async () => {
        await page.getByRole('tab', { name: 'Zones' }).click();
        await page.locator('#panel-zones input[type=search]').pressSequentially('Zone 77', { delay: 100 });
        await rest();
      },
    ],
    [
      'a replay',
      async () => {
        await page.getByRole('tab', { name: 'Replay' }).click();
        await page.getByRole('button', { name: 'Load' }).click();
        await page.getByRole('button', { name: 'Play' }).click();
        await page.waitForTimeout(5000);
      },
    ],
  ];
  say(
    `${ZONES} zones, ${UNITS} vehicles.\n\n| | longest task, ms | tasks over 50 ms | heap after it, MB |\n|---|---|---|---|`,
  );
  for (const [name, act] of rows) {
    const tasks = await tasksOf(session, act);
    const long = tasks.filter((task) => task > 50).length;
    say(`| ${name} | ${Math.max(...tasks).toFixed(0)} | ${long} | ${(await heapOf(session)).toFixed(1)} |`);
  }
  if (errors.length > 0) say(`\nErrors: ${errors.join('\n')}`);
} finally {
  await browser.close();
  await host.close();
}
