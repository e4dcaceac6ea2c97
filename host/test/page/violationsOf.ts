/** Checks a page by axe-core: WCAG 2.2 A and AA, and the best practices. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rows of a table are alike: the first ones stand for the others, which would take most of the time. */
const ALIKE = 'tbody tr:nth-child(n + 16)';

interface Result {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What is wrong, an entry for each element of the page, or of the parts that these selectors name. */
export async function violationsOf(page: Page, parts: readonly string[] = []): Promise<string[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(`{${SOURCE}}`);
  const include = (parts.length === 0 ? ['html'] : parts).map((part) => [part]);
  const context = JSON.stringify({ include, exclude: [[ALIKE]] });
  const { violations } = (await page.evaluate(
    `axe.run(${context}, { resultTypes: ["violations"], preload: false })`,
  )) as Result;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary.slice(0, 300)}`),
  );
}
