import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
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
      if (match === null || match[1]!.startsWith('console')) return line.replace(' as const;', ';');
      stated.push(match[2]!);
      return `results.push(inspect(${match[1]}, { depth: 9, breakLength: Infinity }));`;
    });
    const program = `import { inspect } from 'node:util'; const results = []; console.log = () => {};\n${body.join('\n')}\nprocess.stdout.write(JSON.stringify(results));`;
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

describe('command lines', () => {
  const lines = of('sh').flatMap(({ code }) => code.replaceAll(/\\\n\s*/g, '').split('\n'));
  const own = lines.filter((line) => /^(npx wayzone|node dist\/cli\/main\.js) /.test(line));

  test('all are commands of wayzone, or what sets the project up', () => {
    const others = lines.filter((line) => line !== '' && !own.includes(line));
    for (const line of others) expect(line).toMatch(/^npm (ci|run|test|install)\b/);
    expect(own.length).toBeGreaterThan(10);
  });

  test.each(own)('%s', async (line) => {
    if (line.includes('../shared') && !existsSync(`${ROOT}/../shared`)) return;
    mkdirSync(`${ROOT}/out`, { recursive: true });
    const command = line.replace('npx wayzone', 'node dist/cli/main.js');
    const { stdout } = await run('bash', ['-c', command], { cwd: ROOT, maxBuffer: 2 ** 26 });
    if (!line.includes('--out')) expect(stdout.length + Number(line.includes('convert'))).toBeGreaterThan(0);
  });
});

test('what the demo prints is what the README says it prints', async () => {
  const shown = BLOCKS.find(({ language, code }) => language === '' && code.startsWith('Zones   23'));
  const { stdout } = await run(process.execPath, ['dist/cli/main.js', 'report', '--out', 'out/readme-demo'], {
    cwd: ROOT,
  });
  expect(shown).toBeDefined();
  for (const line of shown!.code.trim().split('\n')) expect(stdout).toContain(line);
});
