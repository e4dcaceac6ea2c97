import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { wayzone } from '../cli/wayzone.js';

/**
 * Runs every code block in the README and in docs/: a line `expression; // value` must give that value (`12.3…` is a number that begins
 * so), and shell lines must exit with 0.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Block {
  readonly page: string;
  readonly language: string;
  readonly code: string;
  readonly line: number;
}

const read = (page: string): string => readFileSync(`${ROOT}/${page}`, 'utf8');
const PAGES = [
  'README.md',
  ...readdirSync(`${ROOT}/docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

function blocksOf(page: string): Block[] {
  const text = read(page);
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    language: match[1]!,
    code: match[2]!,
    line: text.slice(0, match.index).split('\n').length,
  }));
}

/** The examples of docs/reference/ are those of the docstrings, which examples.test.ts runs. */
const BLOCKS = PAGES.filter((page) => !page.startsWith('docs/reference/')).flatMap(blocksOf);
const of = (language: string): Block[] => BLOCKS.filter((block) => block.language === language);

/** The text without white space, which printers of values differ in. */
const bare = (text: string): string => text.replaceAll(/\s+/g, '');

// Pages are built by test/tiles/pages.test.ts.
test('every block is run, or is output, a download, a page or a picture', () => {
  expect(new Set(BLOCKS.map(({ language }) => language))).toEqual(
    new Set(['sh', 'ts', '', 'mermaid', 'html']),
  );
});

test('the reference names no number of an internal rule', () => {
  const pages = PAGES.filter((page) => page.startsWith('docs/reference/')).map(read);
  expect(pages.length).toBeGreaterThan(0);
  expect(pages.flatMap((page) => page.match(/(?<!\w)\([A-Z]\d{1,2}\b/g) ?? [])).toEqual([]);
});

test('the README is short', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(6400);
});

test('every link to a file of the project has a target', () => {
  const pages = [...PAGES, 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'host/README.md', 'test/mutation/README.md'];
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(resolve(ROOT, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('every file that ARCHITECTURE.md and CONTRIBUTING.md name exists', () => {
  const named = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((page) => {
    let folder = '';
    return [...read(page).matchAll(/`((?:src|test|host|docs|bench)\/[\w./-]*|\w+\.ts)`/g)].map(([, name]) => {
      // A bare file name is in the folder of the last path before it.
      if (name!.includes('/')) folder = dirname(name!);
      return name!.includes('/') ? name! : `${folder}/${name}`;
    });
  });
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !name.includes('NAME') && !existsSync(`${ROOT}/${name}`))).toEqual([]);
});

/** A program whose stated values go to `results`. */
function collecting(code: string): { readonly source: string; readonly stated: readonly string[] } {
  const stated: string[] = [];
  const body = code.split('\n').map((line) => {
    const match = /^((?!const |import |\/\/|for |\s).+); \/\/ (.+)$/.exec(line);
    if (match === null || match[1]!.startsWith('console')) return line;
    stated.push(match[2]!);
    return `results.push(inspect(${match[1]}, { depth: 9, breakLength: Infinity }));`;
  });
  const source = `import { inspect } from 'node:util'; export const results = [];\n${body.join('\n')}`;
  return { source, stated };
}

describe('programs', () => {
  const folder = `${ROOT}/out/docs-values`;
  const blocks = of('ts').map(({ page, line, code }, i) => ({ page, line, i, ...collecting(code) }));
  /** Of each program what it gave, or the error that ended it. */
  let given: readonly (readonly string[] | string)[];

  // One process runs all of them, in turn, as `wayzone` takes half a second to load.
  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const { i, source } of blocks)
      writeFileSync(`${folder}/${i}.mjs`, (await transform(source, { loader: 'ts' })).code);
    writeFileSync(
      `${folder}/all.mjs`,
      `console.log = () => {};
const given = [];
for (let i = 0; i < ${blocks.length}; i++)
  given.push(await import(\`./\${i}.mjs\`).then(({ results }) => results, (error) => String(error.stack)));
process.stdout.write(JSON.stringify(given));`,
    );
    given = JSON.parse((await run(process.execPath, [`${folder}/all.mjs`], { cwd: ROOT })).stdout);
  });

  test.each(blocks)('$page, line $line', ({ i, stated }) => {
    const results = given[i]!;
    expect(results).toBeInstanceOf(Array);
    expect(stated.length).toBeGreaterThan(0);
    for (const [k, text] of stated.entries()) {
      const pattern = text
        .split('…')
        .map((part) => bare(part).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
        .join('\\d*');
      expect(bare(results[k]!)).toMatch(new RegExp(`^${pattern}$`));
    }
  });
});

test('the programs compile under strict', async () => {
  const folder = `${ROOT}/out/docs-programs`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { code, page, line } of of('ts'))
    writeFileSync(`${folder}/${page.replaceAll('/', '-')}-${line}.mts`, code);
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

interface Printed {
  readonly stdout: string;
}

const lineRuns = new Map<string, Promise<Printed>>();
/**
 * Runs a command line once, however many pages and tests name it: the first one as a program, those with threads too, since threads run the
 * built files; the others in this process, since a program takes longer to load than most commands run.
 */
function execute(line: string): Promise<Printed> {
  const given = line.replace(/^(?:npx wayzone|node src\/cli\/dist\/main\.js) /, '');
  // Files of an earlier run of the tests are replaced.
  const command = /^(?:convert|tiles) | --(?:out|save-profile) /.test(given) ? `${given} --force` : given;
  const isProgram = lineRuns.size === 0 || command.includes('--workers');
  const running = lineRuns.get(command) ?? (isProgram ? asProgram(command) : here(command));
  lineRuns.set(command, running);
  return running;
}

const asProgram = (command: string): Promise<Printed> =>
  run('bash', ['-c', `node src/cli/dist/main.js ${command}`], { cwd: ROOT, maxBuffer: 2 ** 26 });

const WORD = /"([^"]*)"|(\S+)/g;
async function here(command: string): Promise<Printed> {
  const words = [...command.matchAll(WORD)].map(([, quoted, plain]) => quoted ?? plain!);
  // A shell changes none of the others.
  expect(command.replaceAll(/"[^"]*"/g, '')).toMatch(/^[\w ./:,=+-]*$/);
  const { code, out, err } = await wayzone(words);
  expect(code, `${command}: ${err}`).toBe(0);
  return { stdout: out };
}

describe('command lines', () => {
  const lines = of('sh').flatMap(({ code }) => code.replaceAll(/\\\n\s*/g, '').split('\n'));
  const own = lines.filter((line) => /^(npx wayzone|node src\/cli\/dist\/main\.js) /.test(line));

  test('all are wayzone commands or set the project up', () => {
    const others = lines.filter((line) => line !== '' && !own.includes(line));
    for (const line of others) expect(line).toMatch(/^npm (ci|run|test|install)\b/);
    expect(own.length).toBeGreaterThan(10);
  });

  /** The command line that writes the file in `out/` that this line reads. It runs first, so that no older file is read. */
  const makerOf = (line: string): string | undefined => {
    const read = / (out\/[\w.-]+)/.exec(line.replace(/--out \S+/, ''))?.[1];
    return read && own.find((other) => other.endsWith(`--out ${read}`));
  };

  test.each(own)('%s', async (line) => {
    mkdirSync(`${ROOT}/out`, { recursive: true });
    const maker = makerOf(line);
    if (maker !== undefined) await execute(maker);
    const { stdout } = await execute(line);
    if (!line.includes('--out')) expect(stdout.length + Number(line.includes('convert'))).toBeGreaterThan(0);
  });
});

/** Printed reports and the block before each, which has the command. The first is the report of the demo. */
const REPORTS = BLOCKS.flatMap(({ language, page, code, line }, i) =>
  language === '' && code.startsWith('Zones ') ? [{ page, line, code, command: BLOCKS[i - 1] }] : [],
);

test('two reports are shown', () => {
  expect(REPORTS.map(({ command }) => command?.language)).toEqual(['sh', 'sh']);
});

test.each(REPORTS)('$page, line $line: the report prints what the page shows', async ({ code, command }) => {
  const [line] = command!.code.replaceAll(/\\\n\s*/g, '').split('\n');
  const isReport = line!.startsWith('node src/cli/dist/main.js report');
  const { stdout } = await execute(
    isReport ? line! : 'node src/cli/dist/main.js report --out out/readme-demo',
  );
  for (const expected of code.trim().split('\n')) expect(stdout).toContain(expected);
});
