/** Checks a page by axe-core: WCAG 2.2 A and AA, and the best practices. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Result {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

/** What is wrong, an entry for each element of the page, or of the parts that these selectors name. */
export async function violationsOf(page: Page, parts: readonly string[] = []): Promise<string[]> {
  if ((await page.evaluate('typeof window.axe')) === 'undefined') await page.evaluate(`{${SOURCE}}`);
  const context = parts.length === 0 ? 'document' : JSON.stringify({ include: parts.map((part) => [part]) });
  const { violations } = (await page.evaluate(
    `axe.run(${context}, { resultTypes: ["violations"], preload: false })`,
  )) as Result;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary.slice(0, 300)}`),
  );
}
