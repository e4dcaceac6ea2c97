/** `npm run readme`: copies figures of bench/RESULTS.md into README.md, between `<!-- NAME:begin -->` and `<!-- NAME:end -->`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import { readResults } from './results.js';
import { speedTable } from './speedTable.js';

const README = new URL('../README.md', import.meta.url);
const RESULTS = new URL('RESULTS.md', import.meta.url);

/** The README as the results have it. Throws when a figure has no row. */
export function withFigures(readme: string, markdown: string): string {
  const results = readResults(markdown);
  const [place = '', , ...precision] = results
    .section('precision')
    .split('\n')
    .filter((line) => !line.startsWith('### '));
  const blocks: Readonly<Record<string, string>> = {
    precision: `${precision.join('\n').trim()}\n\n${place}`,
    speed: speedTable(results),
  };
  return Object.entries(blocks).reduce((text, [name, block]) => {
    const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
    const [head, tail] = [text.split(begin), text.split(end)];
    if (head.length !== 2 || tail.length !== 2)
      throw new Error(`expected ${begin} … ${end} once in README.md`);
    return `${head[0]}${begin}\n${block}\n${end}${tail[1]}`;
  }, readme);
}

if (argv[1] !== undefined && pathToFileURL(argv[1]).href === import.meta.url)
  writeFileSync(README, withFigures(readFileSync(README, 'utf8'), readFileSync(RESULTS, 'utf8')));
