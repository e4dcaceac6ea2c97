import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';

/**
 * Runs the examples of the docstrings: a line `expression; // value` must give that value (`12.3…` is a number that begins so).
 * Every public function and class must have an example.
 */

const ROOT = resolve(import.meta.dirname, '../..');
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

const publicNames: Record<string, unknown> = {};
const namesOf = new Map<string, ReadonlySet<string>>();
for (const subpath of SUBPATHS) {
  const names = (await import(join(ROOT, 'src', subpath, 'index.ts'))) as Record<string, unknown>;
  Object.assign(publicNames, names);
  namesOf.set(subpath === '.' ? 'wayzone' : `wayzone/${subpath}`, new Set(Object.keys(names)));
}

interface Example {
  readonly file: string;
  readonly name: string;
  readonly code: readonly string[];
  readonly imports: readonly string[];
}

/** Exports whose docstring has an `@example`, with the lines of that example. */
function examplesOf(file: string): Example[] {
  const text = readFileSync(file, 'utf8');
  const docs = text.matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*?@example[\s\S]*?)\*\/\s*export (?:async )?(?:function|class|const) (\w+)/g,
  );
  return [...docs].map(([, doc, name]) => {
    const lines = doc!
      .slice(doc!.indexOf('@example') + '@example'.length)
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
      .filter((line) => line !== '' && !line.startsWith('```'));
    return {
      file: file.slice(ROOT.length + 1),
      name: name!,
      code: lines.filter((line) => !line.startsWith('import ')),
      imports: lines.filter((line) => line.startsWith('import ')),
    };
  });
}

const EXAMPLES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => examplesOf(join(ROOT, 'src', name)));

/** Runs the lines in one scope and returns every `[value, expected text]`. */
async function run(code: readonly string[]): Promise<[unknown, string][]> {
  const body = code.map((line) => {
    const stated = /^(?!const )(.+); \/\/ (.+)$/.exec(line);
    return stated === null ? line : `results.push([(${stated[1]}), ${JSON.stringify(stated[2])}]);`;
  });
  const names = Object.keys(publicNames);
  const results: [unknown, string][] = [];
  const scope = runInThisContext(
    `(async function (results, ${names.join(', ')}) {\n${body.join('\n')}\n})`,
  ) as (...values: unknown[]) => Promise<void>;
  await scope(results, ...names.map((name) => publicNames[name]));
  return results;
}

/** Public names that the code uses without an import from their subpath. */
function missingImports(code: readonly string[], imports: readonly string[]): string[] {
  const imported = imports.flatMap((line) => {
    const [, names, subpath] = /^import \{ (.*) \} from '(.*)';$/.exec(line)!;
    return names!.split(', ').filter((name) => namesOf.get(subpath!)?.has(name) === true);
  });
  const text = code.join('\n').replaceAll(/\/\/.*|'[^'\n]*'/g, '');
  const own = [...text.matchAll(/(?:const|let) (\w+)/g)].map(([, name]) => name!);
  const used = [...text.matchAll(/(?<![.\w])[A-Za-z_]\w*/g)].map(([name]) => name);
  return [...new Set(used)].filter(
    (name) => name in publicNames && !imported.includes(name) && !own.includes(name),
  );
}

describe('docstring examples', () => {
  test('every public function and class has one', () => {
    const shown = new Set(EXAMPLES.map(({ name }) => name));
    const missing = Object.entries(publicNames).filter(
      ([name, value]) => typeof value === 'function' && !shown.has(name),
    );
    expect(missing.map(([name]) => name)).toEqual([]);
  });

  test.each(EXAMPLES)('$file: $name', async ({ code, imports }) => {
    expect(missingImports(code, imports)).toEqual([]);
    const results = await run(code);
    expect(results.length).toBeGreaterThan(0);
    for (const [value, text] of results) {
      if (text.endsWith('…')) expect(String(value).slice(0, text.length - 1)).toBe(text.slice(0, -1));
      else expect(value).toEqual(runInThisContext(`(${text})`));
    }
  });
});
