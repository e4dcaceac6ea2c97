import { join } from 'node:path';
import { expect } from 'vitest';
import { launch } from '../chromium.js';
import { CHROMIUM, needs } from '../needs.js';
import { openMap, removeFolder, written } from './browser.js';

/** Names of all buttons in a panel's rows, and of its filter fields. */
const NAMES = `(panel) => [...document.querySelectorAll('#panel-' + panel + ' td .find, #panel-' + panel + ' input[type=search]')]
  .map((node) => node.getAttribute('aria-label') || node.textContent)`;

needs(CHROMIUM).test("each row's button has a unique name in every table (needs Chromium)", async () => {
  const folder = await written('report', '--out', '{folder}');
  const browser = await launch();
  try {
    const { page } = await openMap(browser, join(folder, 'index.html'));
    for (const panel of ['visits', 'zones', 'units', 'trips', 'timeline', 'read']) {
      await page.locator(`#tab-${panel}`).click();
      const names = (await page.evaluate(`(${NAMES})(${JSON.stringify(panel)})`)) as string[];
      expect([panel, new Set(names).size]).toEqual([panel, names.length]);
    }
    const [first] = (await page.evaluate(`(${NAMES})('visits')`)) as string[];
    expect(first).toBe('Filter the visits');
    await page.locator('#tab-visits').click();
    await page.locator('#panel-visits td .find').first().click();
    expect(await page.locator('.leaflet-popup').count()).toBe(1);
    // The accessible name begins with the visible text, so that voice control finds the button.
    const texts = (await page.evaluate(
      `[...document.querySelectorAll('#panel-visits td .find')].map((node) => [node.textContent, node.getAttribute('aria-label')])`,
    )) as [string, string][];
    expect(texts.length).toBeGreaterThan(20);
    for (const [text, name] of texts) expect(name.startsWith(`${text}, `)).toBe(true);
  } finally {
    await browser.close();
    removeFolder(folder);
  }
});
