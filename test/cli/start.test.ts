import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { wayzone } from './wayzone.js';

const DIST = resolve(import.meta.dirname, '../../dist');

/** The built modules that a module loads at once, itself among them, and the packages. */
function loadedBy(file: string, seen: Set<string>, packages: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, target] of text.matchAll(/^(?:import|export)\b[^;'"]*?from '([^']+)'|^import '([^']+)'/gm)) {
    if (target!.startsWith('.')) loadedBy(join(dirname(file), target!), seen, packages);
    else if (!target!.startsWith('node:')) packages.add(target!);
  }
}

test('help and version load the declarations of the commands, not what the commands do', () => {
  const [seen, packages] = [new Set<string>(), new Set<string>()];
  loadedBy(join(DIST, 'cli/main.js'), seen, packages);
  const folders = new Set([...seen].map((file) => relative(DIST, file).split('/')[0]));
  expect(folders).toEqual(new Set(['cli', 'core']));
  expect([...packages]).toEqual(['commander']);
  expect(seen.size).toBeLessThan(30);
});

const COMMANDS = readdirSync(join(DIST, 'cli'), { recursive: true, encoding: 'utf8' }).flatMap(
  (name) => /(\w+)Command\.js$/.exec(name)?.[1] ?? [],
);

test('each command is found', () => {
  expect(COMMANDS).toHaveLength(readdirSync(join(DIST, 'cli/commands')).length);
});

test.each(COMMANDS)('the help of %s has examples of itself and explains each option', async (name) => {
  const { code, out } = await wayzone(name, '--help');
  expect(code).toBe(0);
  const examples = out.slice(out.indexOf('Examples:')).split('\n').slice(1);
  expect(examples.length).toBeGreaterThan(0);
  expect(examples.some((line) => line.includes(`wayzone ${name} `))).toBe(true);
  const options = out.split('\n').filter((line) => /^ {2}-/.test(line));
  for (const line of options) expect(line).toMatch(/^ {2}-\S.*? {2,}\S|^ {2}--\S+( <\S+>)?$/);
});
