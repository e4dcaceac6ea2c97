/** The page of a test host in a real browser. */

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { launch, newPage } from '../../../test/chromium.js';
import type { Settings } from '../../src/settings.js';
import { type Caller, type Database, embedded, NOW, type TestHost, testHost } from '../testHost.js';

/** With WebGL by software. */
export function launchWithMap(): Promise<Browser> {
  return launch([
    '--enable-unsafe-swiftshader',
    '--use-gl=angle',
    '--use-angle=swiftshader',
    '--ignore-gpu-blocklist',
  ]);
}

export interface PageHost {
  readonly api: TestHost;
  readonly url: string;
  /** An administrator of the company. */
  readonly owner: Caller;
  close(): Promise<void>;
}

/** A host on a port of its own with one company. */
export async function pageHost(
  settings: Partial<Settings> = {},
  opened: Promise<Database> = embedded(),
  port = 0,
): Promise<PageHost> {
  const database = await opened;
  const api = await testHost(database.storage, settings);
  const url = await api.host.app.listen({ host: '127.0.0.1', port });
  const owner = await api.as(await api.company(), 'ADMIN');
  return {
    api,
    url,
    owner,
    async close() {
      await api.close();
      database.remove();
    },
  };
}

export interface OpenOptions {
  readonly width?: number;
  readonly language?: 'en' | 'ru';
  readonly colors?: 'light' | 'dark';
  readonly isStill?: boolean;
}

export interface FleetPage {
  readonly page: Page;
  /** Errors and warnings of the page, requests that it was not allowed, and addresses of other hosts. */
  readonly errors: string[];
  /** Resolves when the map has drawn everything. */
  readonly rest: () => Promise<void>;
  /** Window position of a map position. */
  readonly pixelOf: (lon: number, lat: number) => Promise<{ readonly x: number; readonly y: number }>;
}

const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 1440: 720 };

/** Opens the page and signs in with the token of `caller`; null: the sign-in form. */
export async function openPage(
  browser: Browser,
  { url }: Pick<PageHost, 'url'>,
  caller: Caller | null,
  { width = 1440, language = 'en', colors = 'light', isStill = true }: OpenOptions = {},
): Promise<FleetPage> {
  const page = await newPage(browser, {
    viewport: { width, height: HEIGHTS[width] ?? 900 },
    locale: language === 'ru' ? 'ru-RU' : 'en-GB',
    colorScheme: colors,
    reducedMotion: isStill ? 'reduce' : 'no-preference',
    hasTouch: width < 500,
  });
  await page.clock.setFixedTime(NOW);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !/^(data|blob):/.test(address)) errors.push(`request to ${address}`);
  });
  if (caller !== null) {
    const token = caller.headers['authorization']!.replace('Bearer ', '');
    await page.addInitScript(`sessionStorage.setItem('wayzone-token', ${JSON.stringify(token)})`);
  }
  // The page tells its map to tests through this event.
  await page.addInitScript(
    "addEventListener('wayzone-map', ({ detail }) => { window.theMap = detail; }, { once: true })",
  );
  // A message is shown for some seconds only, which pass while a busy machine draws.
  await page.addInitScript(`new MutationObserver(() => {
    const text = document.getElementById('status')?.textContent ?? '';
    if (text !== '' && text !== (window.said ??= []).at(-1)) said.push(text);
  }).observe(document, { childList: true, subtree: true })`);
  await page.goto(`${url}/map`);
  // `waitForFunction` needs `eval`, which the page's policy forbids.
  const until = async (expression: string): Promise<void> => {
    await expect.poll(() => page.evaluate(expression), { message: expression }).toBe(true);
  };
  const rest = async (): Promise<void> => {
    await until('window.theMap !== undefined && theMap.loaded() && !theMap.isMoving()');
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await until('theMap.loaded() && theMap.areTilesLoaded() && !theMap.isMoving()');
  };
  if (caller !== null) await rest();
  return {
    page,
    errors,
    rest,
    async pixelOf(lon, lat) {
      await rest();
      return (await page.evaluate(`(() => {
        const { x, y } = theMap.project([${lon}, ${lat}]);
        const box = theMap.getContainer().getBoundingClientRect();
        return { x: x + box.left, y: y + box.top };
      })()`)) as { x: number; y: number };
    },
  };
}
