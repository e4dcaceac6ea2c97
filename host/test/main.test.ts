import { type ChildProcessByStdio, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

/** Runs the program of `npm run host` on an embedded database in a temporary folder. */

const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const folder = mkdtempSync(join(tmpdir(), 'wayzone-host-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Child = ChildProcessByStdio<null, Readable, null>;

const environment = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' };

async function started(...args: string[]): Promise<{
  child: Child;
  url: string;
  token: string;
  companyId: string;
}> {
  // The database runs too short for the second compiler of WebAssembly, which takes a third of the processor time of a start.
  const child = spawn(process.execPath, ['--liftoff-only', MAIN, ...args, '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout) return { child, ...JSON.parse(String(chunk)) };
  throw new Error('expected a line of JSON, received none');
}

function stopped(child: Child, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((done) => {
    child.once('exit', (code) => done(code));
    child.kill(signal);
  });
}

/** The `curl` commands of the README's code blocks, with continued lines joined. */
function linesOfReadme(): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../README.md'), 'utf8').replaceAll('\\\n', ' ');
  return text.split('\n').filter((line) => line.startsWith('curl '));
}

test.each([['--help'], ['token', '--help'], ['worker', '-h']])(
  '%s %s prints the commands, and starts nothing',
  (...args) => {
    const text = execFileSync(process.execPath, [MAIN, ...args], { env: environment, encoding: 'utf8' });
    for (const word of ['worker', 'source', 'company', 'token', 'set-aside', '--no-demo', '--json'])
      expect(text).toContain(word);
    expect(existsSync(environment.DATA_DIR)).toBe(false);
  },
);

test.each([['--port'], ['tokn'], ['--nodemo', '--json'], ['worker', '--demo=1']])(
  '%s %s is no command or option, and starts nothing',
  (...args) => {
    expect(() =>
      execFileSync(process.execPath, [MAIN, ...args], { env: environment, stdio: 'pipe' }),
    ).toThrow(/option-unknown: expected one of worker, source/);
    expect(existsSync(environment.DATA_DIR)).toBe(false);
  },
);

test('it loads the example city, accepts the printed token, and keeps acknowledged writes when it is killed', async () => {
  const first = await started();
  const headers = { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' };
  const list = (url: string): Promise<unknown[]> =>
    fetch(`${url}/api_v1/geozones`, { headers }).then((answer) => answer.json() as Promise<unknown[]>);
  // The commands of the README, unchanged.
  const lines = linesOfReadme();
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const command = line
      .replaceAll('http://127.0.0.1:8080', first.url)
      .replace(/^curl /, 'curl -sS --fail-with-body --max-time 60 ');
    const options = { env: { ...process.env, TOKEN: first.token }, encoding: 'utf8' } as const;
    const answer = await promisify(execFile)('sh', ['-c', command], options);
    expect([line, answer.stdout.length > 1]).toEqual([line, true]);
  }

  const before = await list(first.url);
  expect(before.length).toBeGreaterThan(10);

  // A second process on the same folder fails.
  expect(() => execFileSync(process.execPath, [MAIN, '--json'], { env: environment, stdio: 'pipe' })).toThrow(
    'data-in-use',
  );

  const zone = { name: 'Kept', type: { key: 'circle' }, geometry: [[44, 56]], width: 100 };
  const answer = await fetch(`${first.url}/api_v1/geozones`, {
    method: 'POST',
    headers,
    body: JSON.stringify(zone),
  });
  expect(answer.status).toBe(200);
  await stopped(first.child, 'SIGKILL');

  // A start without the example prints no token; the command makes one.
  const silent = await started('--no-demo');
  expect([silent.token, silent.companyId]).toEqual([null, null]);
  const role = ['token', '--role', 'READER', '--company', first.companyId];
  const token = execFileSync(process.execPath, [MAIN, ...role], {
    env: environment,
    encoding: 'utf8',
  }).trim();
  const me = await fetch(`${silent.url}/api_v1/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await me.json()).toMatchObject({ role: { key: 'READER' }, active_company: { id: first.companyId } });
  await stopped(silent.child, 'SIGKILL');

  const second = await started();
  expect(second.companyId).toBe(first.companyId);
  expect(await list(second.url)).toHaveLength(before.length + 1);
  expect(await stopped(second.child, 'SIGTERM')).toBe(0);
});
