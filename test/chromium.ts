import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM_PATH } from './needs.js';
import { PATIENCE_MS } from './patience.js';

/** A real browser, without the network. */
export function launch(graphics: readonly string[] = ['--disable-gpu']): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM_PATH,
    timeout: PATIENCE_MS,
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...graphics,
    ],
  });
}

/** A new page. Its waits have the limit of a slow machine. */
export async function newPage(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0] = {},
): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
