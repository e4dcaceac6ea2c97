/**
 * Freezes the inputs of public functions in tests: `import { toKml } from '../../src/…'` in a file of test/ gives `toKml` wrapped in
 * `frozenCall`. Calls within src/ are not wrapped.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

const ROOT = resolve(import.meta.dirname, '..');
const SUBPATHS = [
  '.',
  'algebra',
  'hours',
  'interchange',
  'listing',
  'parallel',
  'routing',
  'schemas',
  'tiles',
  'tracks',
  'trips',
];
const MARK = '?frozen';

/** Names of the functions, classes and constants that a module exports. */
function exportedNames(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const own = [...text.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm)].map(
    ([, name]) => name!,
  );
  const lists = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) =>
    list!
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '' && !item.startsWith('type ')),
  );
  return [...own, ...lists];
}

/** Public names of values from all subpaths. */
export const PUBLIC_NAMES: ReadonlySet<string> = new Set(
  SUBPATHS.flatMap((subpath) => exportedNames(resolve(ROOT, 'src', subpath, 'index.ts'))),
);

export function frozenInputs(): Plugin {
  return {
    name: 'frozen-inputs',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (importer === undefined || !importer.startsWith(`${ROOT}/test/`) || !source.includes('/src/'))
        return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found?.id.startsWith(`${ROOT}/src/`) ? found.id + MARK : null;
    },
    load(id) {
      if (!id.endsWith(MARK)) return null;
      const file = id.slice(0, -MARK.length);
      const names = exportedNames(file).filter((name) => PUBLIC_NAMES.has(name));
      return [
        `import * as real from ${JSON.stringify(file)};`,
        `import { frozenCall } from ${JSON.stringify(`${ROOT}/test/frozenCalls.ts`)};`,
        `export * from ${JSON.stringify(file)};`,
        ...names.map((name) => `export const ${name} = frozenCall(real.${name});`),
      ].join('\n');
    },
  };
}

/** Test files in test/. */
export function testFiles(): string[] {
  return readdirSync(resolve(ROOT, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
}
