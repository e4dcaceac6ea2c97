/**
 * `npm run readme`: copies figures of bench/RESULTS.md into docs/, and the codes of src/core/errorCode.ts into
 * docs/errors.md, between `<!-- NAME:begin -->` and `<!-- NAME:end -->`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { codeTables } from './codeTables.js';
import { type Results, readResults } from './results.js';
import { speedTable } from './speedTable.js';

const ROOT = new URL('../', import.meta.url);

type Page = 'docs/performance.md' | 'docs/accuracy.md';

/** For each page: the name of its generated block and the function that writes the block. */
export const PAGES: Readonly<Record<Page, readonly [name: string, tableOf: (results: Results) => string]>> = {
  'docs/performance.md': ['speed', speedTable],
  'docs/accuracy.md': ['precision', precisionTable],
};

/** Returns the page with its figures from the results. Throws if a figure is missing from the results, or the block from the page. */
export function withFigures(page: Page, text: string, markdown: string): string {
  const [name, tableOf] = PAGES[page];
  return withBlock(page, text, name, tableOf(readResults(markdown)));
}

/** Returns docs/errors.md with tables made from the list of codes. Throws if a code has no comment, or if the page has no block for the tables. */
export function withCodes(text: string, source: string): string {
  return withBlock('docs/errors.md', text, 'codes', codeTables(source));
}

function withBlock(page: string, text: string, name: string, block: string): string {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [head, tail] = [text.split(begin), text.split(end)];
  if (head.length !== 2 || tail.length !== 2) throw new Error(`expected ${begin} … ${end} once in ${page}`);
  return `${head[0]}${begin}\n${block}\n${end}${tail[1]}`;
}

function precisionTable(results: Results): string {
  const lines = results
    .section('precision')
    .split('\n')
    .filter((line) => !line.startsWith('### '));
  const [place = '', , ...table] = lines;
  return `${table.join('\n').trim()}\n\n${place}`;
}

if (argv[1] !== undefined && pathToFileURL(argv[1]).href === import.meta.url) {
  const markdown = readFileSync(new URL('bench/RESULTS.md', ROOT), 'utf8');
  for (const page of Object.keys(PAGES) as Page[]) {
    const file = new URL(page, ROOT);
    writeFileSync(file, withFigures(page, readFileSync(file, 'utf8'), markdown));
  }
  const errors = new URL('docs/errors.md', ROOT);
  const source = readFileSync(new URL('src/core/errorCode.ts', ROOT), 'utf8');
  writeFileSync(errors, withCodes(readFileSync(errors, 'utf8'), source));
}
