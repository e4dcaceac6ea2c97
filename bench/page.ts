/**
 * Drags, zooms, sorts and searches the report's page with many zones and vehicles, in headless Chromium, at desktop and phone size. Reports
 * the processor time of the page's main thread, since the machine is shared. Users notice tasks of more than 50 ms.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import type { Fix, Geozone } from '../src/index.js';
import { toFixCsv, toZoneCsv } from '../src/interchange/index.js';
import { seeded } from '../test/volume.js';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const START = Date.UTC(2026, 2, 2);
const CITY = [44, 56.3] as const;

const SCREENS = [
  { name: 'desktop, 1280 × 900', viewport: { width: 1280, height: 900 } },
  { name: 'phone, 390 × 844', viewport: { width: 390, height: 844 } },
];

/** Stars, circles and corridors in a city 60 km across, or in a region this many times as wide. */
export function zonesOf(count: number, wide = 1): Geozone[] {
  const random = seeded(11);
  return Array.from({ length: count }, (_, i): Geozone => {
    const [x, y] = [CITY[0] + wide * (random() - 0.5), CITY[1] + 0.5 * wide * (random() - 0.5)];
    const key = (['circle', 'line', 'polygon', 'polygon'] as const)[i % 4]!;
    const corners = key === 'circle' ? 1 : key === 'line' ? 12 : 6 + Math.floor(40 * random());
    const geometry = Array.from({ length: corners }, (__, j): [number, number] => {
      if (key === 'circle') return [x, y];
      if (key === 'line') return [x + 0.003 * j, y + 0.003 * Math.sin(j + i)];
      const reach = 0.002 + 0.004 * random();
      const turn = (2 * Math.PI * j) / corners;
      return [x + 1.8 * reach * Math.cos(turn), y + reach * Math.sin(turn)];
    });
    return { id: `zone ${i}`, name: `Zone ${i}`, type: { key }, geometry, width: 50 + 300 * random() };
  });
}

/** A day of a vehicle that drives about the city and stops; one fix every 30 s. */
function dayOf(random: () => number, fixes: number): Fix[] {
  let [lon, lat, heading, kph] = [CITY[0] + (random() - 0.5) / 2, CITY[1] + (random() - 0.5) / 4, 0, 0];
  return Array.from({ length: fixes }, (_, i): Fix => {
    if (random() < 0.1) {
      kph = random() < 0.6 ? 20 + 50 * random() : 0;
      heading += 2 * (random() - 0.5);
    }
    if (Math.hypot((lon - CITY[0]) / 2, lat - CITY[1]) > 0.22)
      heading = Math.atan2(CITY[0] - lon, CITY[1] - lat);
    const degrees = kph > 0 ? (kph * 30) / 3.6 / 111_000 : 0.00002 * random();
    lon += (degrees * Math.sin(heading)) / 0.55;
    lat += degrees * Math.cos(heading);
    return { time: START + i * 30_000, lon, lat, speedKph: kph };
  });
}

/** Writes the report with the command line and returns the page's path. */
function writeReport(folder: string, zones: number, units: number, fixes: number): string {
  const tracks = Array.from({ length: units }, (_, i) => ({
    name: '',
    unitId: `van ${i}`,
    fixes: dayOf(seeded(100 + i), fixes),
  }));
  const [zoneFile, trackFile] = [join(folder, 'zones.csv'), join(folder, 'tracks.csv')];
  writeFileSync(zoneFile, toZoneCsv(zonesOf(zones)));
  writeFileSync(trackFile, toFixCsv(tracks));
  const program = fileURLToPath(new URL('../src/cli/dist/main.js', import.meta.url));
  const args = [
    'report',
    '--zones',
    zoneFile,
    '--tracks',
    trackFile,
    '--speed-unit',
    'kph',
    '--out',
    folder,
    '--force',
  ];
  execFileSync(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(folder, 'index.html');
}

/** Milliseconds of processor time of each task on the page's main thread. */
export async function tasksOf(session: CDPSession, act: () => Promise<void>): Promise<number[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: readonly unknown[] }): void => {
    for (const event of value) events.push(event as TraceEvent);
  };
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  });
  await act();
  await new Promise((resolve) => setTimeout(resolve, 800));
  const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await done;
  session.off('Tracing.dataCollected', collect);
  const main = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.['name'] === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return events
    .filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && main.has(`${pid} ${tid}`))
    .map(({ tdur = 0 }) => tdur / 1000);
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

function actionsOn(page: Page): [name: string, act: () => Promise<void>][] {
  const middle = async (): Promise<{ readonly x: number; readonly y: number }> => {
    const box = (await page.locator('#map').boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const wheel = async (step: number): Promise<void> => {
    const { x, y } = await middle();
    await page.mouse.move(x, y);
    for (let i = 0; i < 5; i++) {
      await page.mouse.wheel(0, step);
      await page.waitForTimeout(300);
    }
  };
  return [
    [
      'dragged',
      async () => {
        const { x, y } = await middle();
        await page.mouse.move(x, y);
        await page.mouse.down();
        for (let i = 1; i <= 60; i++) await page.mouse.move(x + 2 * i, y + i);
        await page.mouse.up();
      },
    ],
    ['zoomed in', () => wheel(-120)],
    ['zoomed out', () => wheel(120)],
    [
      'a pointer over it',
      async () => {
        const { x, y } = await middle();
        for (let i = 0; i < 60; i++) await page.mouse.move(x - 90 + 3 * i, y - 60 + 2 * i);
      },
    ],
    ['tracks by speed', () => page.locator('[data-show=speed]').click()],
    ['the visits', () => page.locator('#tab-visits').click()],
    ['visits sorted by zone', () => page.locator('#panel-visits th button').nth(1).click()],
    ['visits searched', () => page.locator('#panel-visits input').first().pressSequentially('van 17')],
    ['the timeline', () => page.locator('#tab-timeline').click()],
  ];
}

async function rowsOf(url: string, screens: typeof SCREENS): Promise<string[]> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const rows: string[] = [];
    for (const { name, viewport } of screens) {
      const page = await browser.newPage({ viewport });
      page.setDefaultTimeout(30_000);
      const session = await page.context().newCDPSession(page);
      const actions: [what: string, act: () => Promise<void>][] = [
        [`${name}: opened`, async () => void (await page.goto(url, { waitUntil: 'load' }))],
        ...actionsOn(page).map(([what, act]): [string, () => Promise<void>] => [`… ${name}: ${what}`, act]),
      ];
      for (const [what, act] of actions) {
        const tasks = await tasksOf(session, act);
        const all = tasks.reduce((sum, task) => sum + task, 0);
        rows.push(`| ${what} | ${Math.max(...tasks).toFixed(0)} | ${all.toFixed(0)} |`);
      }
      await page.close();
    }
    return rows;
  } finally {
    await browser.close();
  }
}

export async function pageBench(quick: boolean): Promise<string> {
  const title = '### The report in Chromium: processor time of the page’s own thread';
  if (!existsSync(CHROMIUM)) return `${title}\n\nNot run: ${CHROMIUM} is absent.\n`;
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-page-'));
  try {
    const [zones, units, fixes] = quick ? [100, 10, 500] : [500, 50, 2880];
    const file = writeReport(folder, zones, units, fixes);
    const rows = await rowsOf(pathToFileURL(file).href, quick ? SCREENS.slice(0, 1) : SCREENS);
    return [
      title,
      '',
      `${zones} zones, ${units} vehicles of ${fixes} fixes; a page of ${(statSync(file).size / 1e6).toFixed(1)} MB.`,
      '',
      '| | longest task, ms | all tasks, ms |',
      '|---|---|---|',
      ...rows,
      '',
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
