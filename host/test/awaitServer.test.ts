import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WayzoneError } from 'wayzone';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { awaitServer } from '../src/awaitServer.js';
import { type Database, ownPostgres } from './testHost.js';

/** Processes that start while PostgreSQL is unavailable wait and report it. Wrong settings end them. */

const MAIN = resolve(import.meta.dirname, '../dist/main.js');

test('attempts repeat at growing intervals until the server answers or another error occurs', async () => {
  const reports: [string, string, string][] = [];
  const onAway = ({ code, field, message }: WayzoneError): void => void reports.push([code, field!, message]);
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
  const answers: (Error | string)[] = [refused, refused, refused, refused, 'open'];
  const next = async (): Promise<string> => {
    const one = answers.shift()!;
    if (one instanceof Error) throw one;
    return one;
  };
  const options = { firstMs: 1, mostMs: 4, onAway };
  expect(await awaitServer('PostgreSQL', next, options)).toBe('open');
  expect(reports.map(([code, field]) => [code, field])).toEqual(
    Array.from({ length: 4 }, () => ['server-away', 'PostgreSQL']),
  );
  expect(reports.map(([, , message]) => /in ([\d.]+) s$/.exec(message)?.[1])).toEqual([
    '0.001',
    '0.002',
    '0.004',
    '0.004',
  ]);
  const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  answers.push(refused, wrong);
  await expect(awaitServer('PostgreSQL', next, options)).rejects.toBe(wrong);
  // Errors of the broker's client do not count as errors of the database.
  const lost = Object.assign(new Error('connection refused'), { name: 'ConnectionError' });
  answers.push(lost, 'open', lost);
  expect(await awaitServer('NATS', next, options)).toBe('open');
  await expect(awaitServer('PostgreSQL', next, options)).rejects.toBe(lost);
});

needs(POSTGRESQL).describe('a start without servers (needs PostgreSQL)', () => {
  let database: Database;
  let folder: string;
  beforeAll(async () => {
    database = await ownPostgres();
    folder = mkdtempSync(join(tmpdir(), 'wayzone-away-'));
  });
  afterAll(async () => {
    await database?.storage.close();
    database?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Started {
    readonly child: ChildProcessByStdio<null, Readable, Readable>;
    /** Waits for a text on standard error or standard output. */
    readonly says: (text: string) => Promise<void>;
  }
  const start = (args: readonly string[], environment: NodeJS.ProcessEnv): Started => {
    const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', ...environment };
    const child = spawn(process.execPath, [MAIN, ...args, '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += String(chunk);
      });
    const says = async (text: string): Promise<void> => {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`expected "${text}", received ${output}`);
        await sleep(20);
      }
    };
    return { child, says };
  };

  test('worker and host wait for PostgreSQL, then run; a wrong setting ends them', async () => {
    const DATABASE_URL = database.url!;
    const environment = { DATABASE_URL, LATENESS_SECONDS: '20' };
    database.stop();
    const both = [start(['worker'], environment), start([], environment)];
    for (const { says } of both)
      await says('server-away: expected an answer from PostgreSQL, received connect');
    database.start();
    await both[0]!.says('{"worker":');
    await both[1]!.says('{"url":');

    const wrong = start(['worker'], { ...environment, LATENESS_SECONDS: '30' });
    await wrong.says('Not started: stream-settings: expected 20');
    const missing = start([], {
      ...environment,
      DATABASE_URL: DATABASE_URL.replace('/postgres?', '/nobody?'),
    });
    await missing.says('Not started: 3D000:');
    for (const { child } of [wrong, missing])
      if (child.exitCode === null) expect(await once(child, 'exit')).toEqual([1, null]);
      else expect(child.exitCode).toBe(1);

    for (const { child } of both) {
      child.kill();
      await once(child, 'exit');
    }
  });
});
