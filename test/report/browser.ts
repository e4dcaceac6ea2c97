import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { run } from '../../src/cli/run.js';
import { newPage } from '../chromium.js';

/** Opens written pages in a real browser. */

/** Runs the command with `{folder}` replaced by a new folder, and returns that folder. */
export async function written(...args: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-page-'));
  const texts: string[] = [];
  const io = { write: (text: string): boolean => texts.push(text) > 0 };
  const code = await run(
    args.map((arg) => arg.replace('{folder}', folder)),
    { stdout: io, stderr: io },
  );
  if (code !== 0) throw new Error(`expected exit code 0, received ${code}: ${texts.join('')}`);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A page and its Leaflet map, which is captured when the page creates it. */
export interface MapPage {
  readonly page: Page;
  /** Errors and warnings of the page. */
  readonly errors: readonly string[];
  /** Window position of a map position, after the map has stopped moving. */
  readonly pixelOf: (lat: number, lon: number) => Promise<{ readonly x: number; readonly y: number }>;
  /** Resolves when all canvases are drawn. */
  readonly rest: () => Promise<void>;
}

const FIND_MAP = `Object.defineProperty(window, 'L', {
  configurable: true,
  set(leaflet) {
    Object.defineProperty(window, 'L', { value: leaflet, configurable: true, writable: true });
    leaflet.Map.addInitHook(function () { window.theMap = this; });
  },
});`;

const IS_RESTING = `(() => {
  if (document.body.ariaBusy === 'true') return false;
  let busy = theMap._animatingZoom || theMap._panAnim?._inProgress || false;
  theMap.eachLayer((layer) => { busy ||= layer.isBusy?.() ?? false; });
  return !busy;
})()`;

export async function openMap(
  browser: Browser,
  file: string,
  options: Parameters<Browser['newPage']>[0] = {},
  /** What is behind `#` in the address. */
  hash: string = '',
  /** A script that runs before those of the page. */
  script: string = '',
): Promise<MapPage> {
  const page = await newPage(browser, options);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  await page.addInitScript(`${FIND_MAP}\n${script}`);
  await page.goto(`${pathToFileURL(file).href}${hash === '' || hash.startsWith('#') ? hash : `#${hash}`}`);
  const rest = async (): Promise<void> => {
    // Twice, because drawing may cause further drawing.
    for (let i = 0; i < 2; i++) {
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      while ((await page.evaluate(IS_RESTING)) !== true) await page.waitForTimeout(20);
    }
  };
  await rest();
  return {
    page,
    errors,
    rest,
    async pixelOf(lat, lon) {
      await rest();
      return (await page.evaluate(`(() => {
        const { x, y } = theMap.latLngToContainerPoint([${lat}, ${lon}]);
        const box = theMap.getContainer().getBoundingClientRect();
        return { x: x + box.left, y: y + box.top };
      })()`)) as { x: number; y: number };
    },
  };
}

/** Zooms by `act`, and waits until the map has another zoom and rests. */
export async function zoomed({ page, rest }: MapPage, act: () => Promise<void>): Promise<void> {
  const zoom = (): Promise<unknown> => page.evaluate('theMap.getZoom()');
  const before = await zoom();
  await act();
  while ((await zoom()) === before) await page.waitForTimeout(20);
  await rest();
}
