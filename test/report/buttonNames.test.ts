import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { expect, test } from 'vitest';
import { run } from '../../src/cli/run.js';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isThere = existsSync(CHROMIUM);

/** The names of all buttons of a panel's rows, and of the fields that filter them. */
const NAMES = `(panel) => [...document.querySelectorAll('#panel-' + panel + ' td .find, #panel-' + panel + ' input[type=search]')]
  .map((node) => node.getAttribute('aria-label') || node.textContent)`;

test.skipIf(!isThere)(
  `in every table each row's button has a name of its own${isThere ? '' : ` (skipped: no ${CHROMIUM})`}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-names-'));
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const quiet = { write: (): boolean => true };
      expect(await run(['report', '--out', folder], { stdout: quiet, stderr: quiet })).toBe(0);
      const page = await browser.newPage();
      await page.goto(pathToFileURL(join(folder, 'index.html')).href);
      for (const panel of ['visits', 'zones', 'units', 'trips', 'timeline', 'read']) {
        const names = (await page.evaluate(`(${NAMES})(${JSON.stringify(panel)})`)) as string[];
        expect([panel, new Set(names).size]).toEqual([panel, names.length]);
      }
      const [first] = (await page.evaluate(`(${NAMES})('visits')`)) as string[];
      expect(first).toBe('Filter the visits');
      await page.locator('#panel-visits td .find').first().click();
      expect(await page.locator('.leaflet-popup').count()).toBe(1);
      // What is seen is how the name begins, so that it can be spoken.
      const texts = (await page.evaluate(
        `[...document.querySelectorAll('#panel-visits td .find')].map((node) => [node.textContent, node.getAttribute('aria-label')])`,
      )) as [string, string][];
      expect(texts.length).toBeGreaterThan(20);
      for (const [text, name] of texts) expect(name.startsWith(`${text}, `)).toBe(true);
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
