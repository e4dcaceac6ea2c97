import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { needs } from '../needs.js';

/** Compares the 10,000 results of corpus.ts between versions of Node, which `npm run test:nodes` installs. */

const ROOT = resolve(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'out/nodes/node_modules');
const NODES = existsSync(MODULES)
  ? readdirSync(MODULES)
      .map((name) => join(MODULES, name, 'bin/node'))
      .filter((path) => existsSync(path))
  : [];

function corpus(node: string): [name: string, result: unknown][] {
  return execFileSync(node, ['--import', 'tsx', join(ROOT, 'test/nodes/corpus.ts')], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as [string, unknown]);
}

/** Paths at which two results differ. Numbers may differ by 1e-12, relative above 1. */
function differences(a: unknown, b: unknown, path: string): string[] {
  if (typeof a === 'number' && typeof b === 'number') {
    return Math.abs(a - b) <= 1e-12 * Math.max(1, Math.abs(a)) ? [] : [`${path}: ${a} and ${b}`];
  }
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) {
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
      differences(a[key as keyof typeof a], b[key as keyof typeof b], `${path}.${key}`),
    );
  }
  return a === b ? [] : [`${path}: ${JSON.stringify(a)} and ${JSON.stringify(b)}`];
}

const here = corpus(process.execPath);

test('the corpus holds 10,000 results without a NaN', () => {
  expect(here).toHaveLength(10_000);
  // JSON writes NaN as null, which these results never contain otherwise.
  const numbers = here.filter(([name]) => ['distance', 'corridor'].includes(name));
  expect(numbers.length).toBeGreaterThan(2000);
  for (const [, result] of numbers) expect(JSON.stringify(result)).not.toContain('null');
});

needs({ name: 'other Nodes', isThere: NODES.length > 0 }).test(
  'other Nodes give the same ids, orders, statuses and numbers (needs npm run test:nodes)',
  () => {
    for (const node of NODES) {
      const there = corpus(node);
      expect(there).toHaveLength(here.length);
      expect(here.flatMap((result, i) => differences(result, there[i], `${node} ${i}`)).slice(0, 20)).toEqual(
        [],
      );
    }
  },
);
