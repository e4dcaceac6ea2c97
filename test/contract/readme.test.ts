import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { describe, expect, test } from 'vitest';

/** Every block of code in the README is run: lines `expression; // value` must give that value (`12.3…` a number that begins so). */

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Block {
  readonly language: string;
  readonly code: string;
  readonly line: number;
}

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    code: match[2]!,
    line: text.slice(0, match.index).split('\n').length,
  }));
}

const README = readFileSync(`${ROOT}/README.md`, 'utf8');
const BLOCKS = blocksOf(README);
const of = (language: string): Block[] => BLOCKS.filter((block) => block.language === language);

/** `[…]` without what a printer adds. */
const bare = (text: string): string => text.replaceAll(/\s+/g, '');

test('every block is of a kind that is run, or is output or a download', () => {
  expect(new Set(BLOCKS.map(({ language }) => language))).toEqual(new Set(['sh', 'ts', '']));
});

test('every code of an error stands in its table', () => {
  const table = README.slice(README.indexOf('## Error codes'), README.indexOf('## Limits'));
  const codes = readdirSync(`${ROOT}/src`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(`${ROOT}/src/${name}`, 'utf8').matchAll(/new WayzoneError\(\s*'([a-z-]+)'/g),
    ])
    .map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(100);
  expect([...new Set(codes)].filter((code) => !table.includes(`\`${code}\``))).toEqual([]);
});

describe('programs', () => {
  test.each(of('ts'))('line $line', async ({ code }) => {
    const stated: string[] = [];
    const body = code.split('\n').map((line) => {
      const match = /^((?!const |import |\/\/|for |\s).+); \/\/ (.+)$/.exec(line);
      if (match === null || match[1]!.startsWith('console')) return line;
      stated.push(match[2]!);
      return `results.push(inspect(${match[1]}, { depth: 9, breakLength: Infinity }));`;
    });
    const source = `import { inspect } from 'node:util'; const results = []; console.log = () => {};\n${body.join('\n')}\nprocess.stdout.write(JSON.stringify(results));`;
    const { code: program } = await transform(source, { loader: 'ts' });
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: ROOT });
    const results = JSON.parse(stdout) as string[];
    expect(stated.length).toBeGreaterThan(0);
    for (const [i, text] of stated.entries()) {
      const pattern = text
        .split('…')
        .map((part) => bare(part).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('\\d*');
      expect(bare(results[i]!)).toMatch(new RegExp(`^${pattern}$`));
    }
  });
});

test('the programs compile under strict', async () => {
  const folder = `${ROOT}/out/readme-programs`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { code, line } of of('ts')) writeFileSync(`${folder}/line${line}.mts`, code);
  const compilerOptions = {
    target: 'ES2022',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    // consumers.test.ts checks every declaration.
    skipLibCheck: true,
    types: ['node'],
  };
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*.mts'] }));
  const compiled = run(process.execPath, [`${ROOT}/node_modules/typescript-native/bin/tsc`, '-p', folder]);
  expect(await compiled.catch(({ stdout }: { stdout: string }) => stdout)).toMatchObject({ stdout: '' });
});

describe('command lines', () => {
  const lines = of('sh').flatMap(({ code }) => code.replaceAll(/\\\n\s*/g, '').split('\n'));
  const own = lines.filter((line) => /^(npx wayzone|node dist\/cli\/main\.js) /.test(line));

  test('all are commands of wayzone, or what sets the project up', () => {
    const others = lines.filter((line) => line !== '' && !own.includes(line));
    for (const line of others) expect(line).toMatch(/^npm (ci|run|test|install)\b/);
    expect(own.length).toBeGreaterThan(10);
  });

  test.each(own)('%s', async (line) => {
    mkdirSync(`${ROOT}/out`, { recursive: true });
    const command = line.replace('npx wayzone', 'node dist/cli/main.js');
    const { stdout } = await run('bash', ['-c', command], { cwd: ROOT, maxBuffer: 2 ** 26 });
    if (!line.includes('--out')) expect(stdout.length + Number(line.includes('convert'))).toBeGreaterThan(0);
  });
});

/** What a report prints, with the command before it; the first is the demo's own. */
const REPORTS = BLOCKS.flatMap(({ language, code, line }, i) =>
  language === '' && code.startsWith('Zones ') ? [{ line, code, command: BLOCKS[i - 1] }] : [],
);

test('two reports are shown', () => {
  expect(REPORTS.map(({ command }) => command?.language)).toEqual(['sh', 'sh']);
});

test.each(REPORTS)(
  'line $line: what the report prints is what the README says it prints',
  async ({ code, command }) => {
    const [line] = command!.code.replaceAll(/\\\n\s*/g, '').split('\n');
    const isReport = line!.startsWith('node dist/cli/main.js report');
    const { stdout } = await run(
      'bash',
      ['-c', isReport ? line! : 'node dist/cli/main.js report --out out/readme-demo'],
      {
        cwd: ROOT,
      },
    );
    for (const expected of code.trim().split('\n')) expect(stdout).toContain(expected);
  },
);
