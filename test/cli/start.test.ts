import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { packageVersion } from '../../src/cli/packageRoot.js';
import { wayzone } from './wayzone.js';

const MAIN = resolve(import.meta.dirname, '../../src/cli/dist/main.js');
const SRC = resolve(import.meta.dirname, '../../src/cli');

/** Collects the modules of src/ and the packages that a built file imports statically, itself included. */
function loadedBy(file: string, seen: Set<string>, modules: Set<string>, packages: Set<string>): void {
  if (seen.has(file)) return;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, module] of text.matchAll(/^\/\/ src\/(.+\.ts)$/gm)) modules.add(module!);
  for (const [, target] of text.matchAll(/^(?:import|export)\b[^;'"]*?from "([^"]+)"|^import "([^"]+)"/gm)) {
    if (target!.startsWith('.')) loadedBy(join(dirname(file), target!), seen, modules, packages);
    else if (!target!.startsWith('node:')) packages.add(target!);
  }
}

test('the version loads neither commands nor packages', () => {
  const [seen, modules, packages] = [new Set<string>(), new Set<string>(), new Set<string>()];
  loadedBy(MAIN, seen, modules, packages);
  expect([...packages]).toEqual([]);
  expect([...modules].filter((module) => module.includes('Command'))).toEqual([]);
  expect(seen.size).toBeLessThan(6);
  for (const flag of ['--version', '-v'])
    expect(execFileSync(process.execPath, [MAIN, flag], { encoding: 'utf8' })).toBe(`${packageVersion()}\n`);
});

test('help loads only the declarations of the commands', () => {
  const [seen, modules, packages] = [new Set<string>(), new Set<string>(), new Set<string>()];
  loadedBy(MAIN, seen, modules, packages);
  const [, run] = /import\("(.+?)"\)/.exec(readFileSync(MAIN, 'utf8'))!;
  loadedBy(join(dirname(MAIN), run!), seen, modules, packages);
  expect(new Set([...modules].map((module) => module.split('/')[0]))).toEqual(new Set(['cli', 'core']));
  expect([...packages]).toEqual(['commander']);
  // One module for each command, and what they share.
  expect(modules.size).toBeLessThan(50);
  // Two of the files are main.js and the chunk of run.js, which `--version` leaves out.
  expect(seen.size).toBeLessThan(13);
});

const COMMANDS = readdirSync(join(SRC, 'commands'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .flatMap((name) => [
    ...readFileSync(join(SRC, 'commands', name), 'utf8').matchAll(/export function (\w+)Command\(/g),
  ])
  .map(([, name]) => name!);

test('this test finds each command of the program', () => {
  const declared = [...readFileSync(join(SRC, 'run.ts'), 'utf8').matchAll(/(\w+)Command\(program/g)];
  expect(COMMANDS.toSorted()).toEqual(declared.map(([, name]) => name!).toSorted());
});

test.each(COMMANDS)('the help of %s shows an example and explains each option', async (name) => {
  const { code, out } = await wayzone(name, '--help');
  expect(code).toBe(0);
  const examples = out.slice(out.indexOf('Examples:')).split('\n').slice(1);
  expect(examples.length).toBeGreaterThan(0);
  expect(examples.some((line) => line.includes(`wayzone ${name} `))).toBe(true);
  const options = out.split('\n').filter((line) => /^ {2}-/.test(line));
  for (const line of options) expect(line).toMatch(/^ {2}-\S.*? {2,}\S|^ {2}--\S+( <\S+>)?$/);
});
