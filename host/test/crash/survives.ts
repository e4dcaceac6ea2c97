/** A host that is killed during writes. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { seeded } from '../../../test/volume.js';

const MAIN = resolve(import.meta.dirname, '../../dist/main.js');
const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
/** Fixes per batch. A unit passes the yard once per batch. */
const BATCH = 12;

type Child = ChildProcessByStdio<null, Readable, null>;
interface Running {
  readonly child: Child;
  readonly url: string;
  readonly token: string;
}

async function started(environment: NodeJS.ProcessEnv): Promise<Running> {
  const child = spawn(process.execPath, [MAIN, '--demo', '--json'], {
    env: {
      ...process.env,
      TOKEN_SECRET: 'a secret of the tests, 32 bytes long',
      PORT: '0',
      TICK_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of child.stdout)
    return { child, ...(JSON.parse(String(chunk)) as { url: string; token: string }) };
  throw new Error('expected a line of JSON, received none');
}

async function killed({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
}

/** The response, or null if the host died before it answered. */
async function send({ url, token }: Running, path: string, body?: unknown): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`${url}/api_v1${path}`, request).catch(() => null);
  if (answer === null) return null;
  const read = await answer.json().catch(() => null);
  if (read !== null && answer.status !== 200)
    throw new Error(`expected 200, received ${JSON.stringify(read)}`);
  return read;
}

/**
 * Writes to a host and kills it (SIGKILL) at random instants, `kills` times. No acknowledged write may be lost. `whenDead` runs before each
 * restart.
 */
export async function survives(
  environment: NodeJS.ProcessEnv,
  kills: number,
  whenDead: () => void = () => {},
): Promise<void> {
  let host = await started(environment);
  const restart = async (): Promise<Running> => {
    whenDead();
    host = await started(environment);
    return host;
  };
  try {
    await writeAndKill(host, kills, restart);
  } finally {
    await killed(host);
  }
}

/** Writes to the host and kills it, again and again. `restart` starts it again. */
async function writeAndKill(first: Running, kills: number, restart: () => Promise<Running>): Promise<void> {
  const random = seeded(kills);
  let host = first;
  const { id: unitId } = (await send(host, '/units', { name: 'Van', device_key: 'van' })) as { id: string };
  const { id: yard } = (await send(host, '/geozones', ZONE)) as { id: string };
  const start = Date.now() - 30 * 86_400_000;
  const batchOf = (n: number): object[] =>
    Array.from({ length: BATCH }, (_, i) => ({
      unit_id: unitId,
      // Time to come back from the end of a batch to the start of the next one.
      time: start + (n * (BATCH + 10) + i) * 60_000,
      lon: 29.94 + i / 100,
      lat: 60,
    }));
  const acknowledged = new Set<string>();
  let batch = 0;
  let zone = 0;

  for (let kill = 0; kill < kills; kill++) {
    let isDead = false;
    const positions = async (): Promise<void> => {
      while (!isDead) if ((await send(host, '/positions', batchOf(batch))) !== null) batch++;
    };
    const zones = async (): Promise<void> => {
      while (!isDead) {
        const name = `Zone ${zone++}`;
        if ((await send(host, '/geozones', { ...ZONE, geometry: [[40, 50]], name })) !== null)
          acknowledged.add(name);
      }
    };
    const writers = [positions(), zones(), zones()];
    // Some writes come first, which could be lost. Before the last kill at least one batch is stored.
    const enough = acknowledged.size + 2 + Math.floor(8 * random());
    const batches = kill === kills - 1 ? 1 : 0;
    while (acknowledged.size < enough || batch < batches) await sleep(5);
    await sleep(50 * random());
    const dead = killed(host);
    isDead = true;
    await Promise.all([dead, ...writers]);
    host = await restart();
    // No acknowledged write is lost, and none is stored in part.
    const rows = (await send(host, '/geozones')) as { name: string; area?: number; perimeter?: number }[];
    const names = new Set(rows.map(({ name }) => name));
    expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
    expect(rows.filter(({ name, area }) => name.startsWith('Zone') && !(area! > 0))).toEqual([]);
  }
  // The interrupted batch is sent again, as trackers do. Two more batches make the earlier events final.
  for (let more = 0; more < 2; more++)
    expect(await send(host, '/positions', batchOf(batch++))).not.toBeNull();
  expect(acknowledged.size).toBeGreaterThan(kills);
  expect(batch).toBeGreaterThan(2);

  const span = `from=${start}&to=${Date.now()}`;
  const track = (await send(host, `/units/${unitId}/track?${span}`)) as { points: unknown[] };
  expect(track.points).toHaveLength(batch * BATCH);
  const visits = (await send(host, `/units/${unitId}/visits?${span}`)) as Visit[];
  const expected = visits
    .filter(({ zoneId }) => zoneId === yard)
    .flatMap(({ enter, exit }) => [`enter ${enter}`, `exit ${exit}`]);
  expect(expected).toHaveLength(2 * batch);
  const stored = await events(host, expected.length);
  expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
  expect(stored.map(({ type, time }) => `${type} ${time}`)).toEqual(expected);
}

interface Visit {
  readonly zoneId: string;
  readonly enter: number;
  readonly exit: number | null;
}

/** The company's first `count` events of visits, and the events stored with them. */
async function events(
  { url, token }: Running,
  count: number,
): Promise<{ id: string; type: string; time: number }[]> {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/api_v1/events?cursor=0`, { headers, signal: stop.signal });
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    // Whole ones.
    if (text.split(/\nevent: (?:enter|exit)\ndata: .*\n\n/).length > count) break;
  }
  stop.abort();
  return text
    .split('\n\n')
    .flatMap((part) => [/^id: (\S+)\nevent: (?:enter|exit)\ndata: (.*)$/s.exec(part) ?? []])
    .flatMap(([, id, data]) =>
      id === undefined || data === undefined
        ? []
        : [{ id, ...(JSON.parse(data) as { type: string; time: number }) }],
    );
}
