/**
 * `npm run bench:page -w host`: the page for dispatchers with many zones and vehicles in headless Chromium, on PostgreSQL. Reports the processor
 * time of the longest task of the page's main thread, since the machine is shared, and the page's heap after a garbage collection. Then an hour of
 * positions, each vehicle every 10 s, as fast as the page takes them: the heap must stay as it is. `ZONES` (100,000) lie in a region of `WIDE` (5)
 * times 60 km; `UNITS` (500), `SECONDS` (20) of live positions, `MINUTES` (60) of the hour.
 */

import type { CDPSession, Page } from 'playwright-core';
import { tasksOf, zonesOf } from '../../bench/page.js';
import { toZoneCsv } from '../../src/interchange/index.js';
import { type FleetPage, launchWithMap, openPage, type PageHost, pageHost } from '../test/page/openPage.js';
import { NOW, ownPostgres } from '../test/testHost.js';

const ZONES = Number(process.env['ZONES'] ?? 100_000);
const WIDE = Number(process.env['WIDE'] ?? 5);
const UNITS = Number(process.env['UNITS'] ?? 500);
const SECONDS = Number(process.env['SECONDS'] ?? 20);
const MINUTES = Number(process.env['MINUTES'] ?? 60);
const CITY = [44, 56.3] as const;
const MOST_TASK_MS = 50;
/** The heap may grow by this much in the hour: the names of zones that vehicles have entered stay known. */
const MOST_GROWTH_MB = 3;
/** A vehicle sends a position every so many seconds. */
const EVERY = 10;
const START = NOW - 3_600_000;
const METERS_PER_DEGREE = 111_200;
/** 36 km/h. */
const METERS_PER_SECOND = 10;
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function importZones({ url, owner }: PageHost, csv: string): Promise<void> {
  const form = new FormData();
  form.append('file', new File([csv], 'zones.csv'));
  const answer = await fetch(`${url}/api_v1/geozones/import`, {
    method: 'POST',
    headers: owner.headers,
    body: form,
  });
  const { stored } = (await answer.json()) as { readonly stored?: number };
  if (stored !== ZONES) throw new Error(`expected ${ZONES} stored zones, received ${stored}`);
}

/** The fix of a vehicle at a second. Each drives round a circle of its own in the city. */
function fixOf(id: string, i: number, second: number): object {
  const turn = 2.4 * i;
  const reach = 0.2 * Math.sqrt((i + 0.5) / UNITS);
  const meters = 500 + ((i * 37) % 4000);
  const angle = i + (METERS_PER_SECOND * second) / meters;
  const degrees = meters / METERS_PER_DEGREE;
  return {
    unit_id: id,
    time: START + second * 1000,
    lon: CITY[0] + 1.8 * (reach * Math.cos(turn) + degrees * Math.cos(angle)),
    lat: CITY[1] + reach * Math.sin(turn) + degrees * Math.sin(angle),
    speedKph: 3.6 * METERS_PER_SECOND,
  };
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

interface Drive {
  /** Sends positions at their own pace. */
  live(seconds: number): Promise<void>;
  /** Sends the positions of minutes as fast as they are stored, then waits for the page. */
  fast(minutes: number): Promise<void>;
}

function driveOf({ owner }: PageHost, ids: readonly string[], { page }: FleetPage): Drive {
  let second = 0;
  const send = async (count: number): Promise<void> => {
    const fixes: object[] = [];
    for (let step = 0; step < count; step++) {
      second++;
      for (let i = second % EVERY; i < ids.length; i += EVERY) fixes.push(fixOf(ids[i]!, i, second));
    }
    const { status, body } = await owner.send('POST', '/positions', fixes);
    if (status !== 200) throw new Error(`expected 200, received ${status} ${JSON.stringify(body)}`);
    await page.clock.setFixedTime(START + second * 1000);
  };
  return {
    async live(seconds) {
      for (let i = 0; i < seconds; i++) await Promise.all([send(1), page.waitForTimeout(1000)]);
    },
    async fast(minutes) {
      for (let i = 0; i < 2 * minutes; i++) await Promise.all([send(30), page.waitForTimeout(500)]);
      await page.waitForTimeout(2500);
    },
  };
}

// Before the host, which runs in this process.
const csv = toZoneCsv(zonesOf(ZONES, WIDE));
const host = await pageHost({ maxBodyBytes: 1e9 }, ownPostgres());
const browser = await launchWithMap();
try {
  const { owner } = host;
  const ids: string[] = [];
  for (let i = 0; i < UNITS; i++) {
    const { body } = await owner.send('POST', '/units', { name: `Van ${i}`, device_key: `key ${i}` });
    ids.push((body as { id: string }).id);
  }
  await importZones(host, csv);
  say(`${ZONES} zones in a region ${60 * WIDE} km wide, ${UNITS} vehicles, a position every ${EVERY} s.\n`);
  await owner.send(
    'POST',
    '/positions',
    ids.map((id, i) => fixOf(id, i, 0)),
  );
  const opened = await openPage(browser, host, owner);
  const { page, rest, errors } = opened;
  page.setDefaultTimeout(60_000);
  await page.evaluate(`theMap.jumpTo({ center: [${CITY.join(', ')}], zoom: 11 })`);
  await rest();
  const session = await page.context().newCDPSession(page);
  const drive = driveOf(host, ids, opened);
  await drive.live(3);
  const rows: (readonly [string, () => Promise<void>])[] = [
    ['live positions', () => drive.live(SECONDS)],
    ['the map moved and zoomed', () => moveMap(page)],
    [
      'the list of vehicles, live',
      async () => {
        await page.getByRole('tab', { name: 'Vehicles' }).click();
        await drive.live(SECONDS);
      },
    ],
    [
      'a search',
      async () => {
        await page.getByRole('tab', { name: 'Zones' }).click();
        await page.locator('#panel-zones input[type=search]').pressSequentially('Zone 77', { delay: 100 });
        await page.waitForTimeout(3000);
        await page.locator('#panel-zones input[type=search]').fill('');
        await page.waitForTimeout(3000);
      },
    ],
    [
      'a replay',
      async () => {
        await page.getByRole('tab', { name: 'Replay' }).click();
        await page.getByRole('button', { name: 'Load' }).click();
        await page.getByRole('button', { name: 'Play' }).click();
        await page.waitForTimeout(5000);
        await page.getByRole('button', { name: 'Back to live' }).click();
      },
    ],
  ];
  say('| | longest task, ms | tasks over 50 ms | heap after it, MB |\n|---|---|---|---|');
  let most = 0;
  for (const [name, act] of rows) {
    const tasks = await tasksOf(session, act);
    const longest = Math.max(...tasks);
    most = Math.max(most, longest);
    const long = tasks.filter((task) => task > MOST_TASK_MS).length;
    say(`| ${name} | ${longest.toFixed(0)} | ${long} | ${(await heapOf(session)).toFixed(1)} |`);
  }
  await page.getByRole('tab', { name: 'Vehicles' }).click();
  const heaps: number[] = [];
  const part = Math.max(1, Math.round(MINUTES / 6));
  for (let minute = 0; minute < MINUTES; minute += part) {
    await drive.fast(part);
    heaps.push(await heapOf(session));
  }
  say(`\nHeap each ${part} minutes of the hour, MB: ${heaps.map((heap) => heap.toFixed(1)).join(', ')}`);
  if (errors.length > 0) say(`\nErrors: ${errors.join('\n')}`);
  // The first part fills the trails.
  const grown = heaps.at(-1)! - heaps[0]!;
  if (most > MOST_TASK_MS || grown > MOST_GROWTH_MB || errors.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await host.close();
}
