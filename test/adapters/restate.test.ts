import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as netServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents, lastTimeOf, type UnitOutput } from 'wayzone/operator';
import { detectTrips, findVisits, readTrack } from 'wayzone/tracks';
import {
  type UnitContext,
  type UnitRequest,
  type UnitStore,
  unitHandler,
} from '../../adapters/restate/unitHandler.js';
import { needs, RESTATE, RESTATE_PATH } from '../needs.js';
import { LONG, seeded } from '../volume.js';

/** The adapter for Restate: whatever is killed, the stored outputs are those of the batch over all fixes. */

const START = Date.UTC(2026, 2, 2, 6);
const DEPOT = {
  id: 'depot',
  type: { key: 'circle' as const },
  geometry: [[30, 60]] as [number, number][],
  width: 500,
};
const UNITS = ['truck', 'van'];

/** Drives to and fro over the depot with rests. */
const fixOf = (unit: number, minute: number): Fix => {
  const within = (minute + 7 * unit) % 40;
  return {
    time: START + minute * 60_000,
    lon: 30 + (Math.min(within, 20) - 10) / 300,
    lat: 60,
    speedKph: within < 20 ? 40 : 0,
  };
};

interface Database extends UnitStore {
  readonly outputs: ReadonlyMap<string, UnitOutput>;
}

/** A database in memory. */
function database(): Database {
  const fixes = new Map<string, Map<number, Fix>>();
  const outputs = new Map<string, UnitOutput>();
  return {
    outputs,
    load: async () => ({ zones: new ZoneIndex([DEPOT]) }),
    async keepFixes(unitId, input) {
      const own = fixes.get(unitId) ?? new Map<number, Fix>();
      fixes.set(unitId, own);
      for (const fix of input.fixes) own.set(fix.time, fix);
    },
    async keepOutputs(added) {
      for (const one of added) {
        const id = `${one.unitId} ${one.number}`;
        const known = outputs.get(id);
        if (known !== undefined && JSON.stringify(known) !== JSON.stringify(one))
          throw new Error(`expected the content of ${id}, received another`);
        outputs.set(id, one);
      }
    },
    history: async (unitId, { from }) => ({
      fixes: [...(fixes.get(unitId)?.values() ?? [])].filter(({ time }) => from === null || time >= from),
      outputs: [...outputs.values()].filter(
        (one) => one.unitId === unitId && (from === null || lastTimeOf(one.event) >= from),
      ),
    }),
  };
}

/** The requests of a unit: fixes in small messages, one message in five later than the next. */
function requestsOf(unit: number, minutes: number, random: () => number): UnitRequest[] {
  const requests: UnitRequest[] = [];
  let late: UnitRequest | null = null;
  for (let minute = 0; minute < minutes; ) {
    const length = 1 + Math.floor(12 * random());
    const fixes = Array.from({ length }, (_, i) => fixOf(unit, minute + i));
    minute += length;
    const request: UnitRequest = { zonesVersion: 1, input: { kind: 'fixes', fixes } };
    if (late === null && random() < 0.2) late = request;
    else {
      requests.push(request);
      if (late !== null) requests.push(late);
      late = null;
    }
  }
  if (late !== null) requests.push(late);
  const times = requests.flatMap(({ input }) =>
    input.kind === 'fixes' ? input.fixes.map(({ time }) => time) : [],
  );
  // After the lateness nothing of them is open.
  const end: UnitRequest = { zonesVersion: 1, input: { kind: 'time', time: Math.max(...times) + 31_000 } };
  return [...requests, end];
}

function compare({ outputs }: Database, requests: ReadonlyMap<string, readonly UnitRequest[]>): void {
  for (const [unitId, own] of requests) {
    const all = own.flatMap(({ input }) => (input.kind === 'fixes' ? input.fixes : []));
    const track = readTrack([...all].sort((a, b) => a.time - b.time));
    const emitted = [...outputs.values()]
      .filter((one) => one.unitId === unitId)
      .sort((a, b) => a.number - b.number);
    expect(emitted.map(({ number }) => number)).toEqual(emitted.map((_, i) => i + 1));
    const events = emitted.map(({ event }) => event);
    const visits = describeEvents('visits', events as never).map(({ enter, exit }) => [enter, exit]);
    expect(visits).toEqual(findVisits(track, new ZoneIndex([DEPOT])).map(({ enter, exit }) => [enter, exit]));
    expect(visits.length).toBeGreaterThan(5);
    const trips = describeEvents('movement', events as never).filter(
      ({ kind, to }) => kind === 'trip' && to !== null,
    );
    const ended = new Set(trips.map(({ from }) => from));
    expect(trips.map(({ from, to }) => [from, to])).toEqual(
      detectTrips(track).trips.flatMap(({ from, to }) => (ended.has(from) ? [[from, to]] : [])),
    );
    expect(trips.length).toBeGreaterThan(3);
  }
}

class Killed extends Error {}

test('a handler that is cut anywhere and repeated with its journal gives the outputs of the batch', async () => {
  let [kills, timers] = [0, 0];
  for (let seed = 1; seed <= (LONG ? 30 : 1); seed++) {
    const random = seeded(seed);
    const store = database();
    let apply = unitHandler(store, { latenessSeconds: 30 });
    const requests = new Map(UNITS.map((unitId, unit) => [unitId, requestsOf(unit, 400, random)]));
    for (const [key, own] of requests) {
      const state = new Map<string, string>();
      const queue = [...own];
      for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
        /** What `run` and `now` gave, in the order of the calls. */
        const journal: string[] = [];
        for (let isDone = false; !isDone; ) {
          const changes = new Map<string, string>();
          const sends: UnitRequest[] = [];
          let at = 0;
          const once = async <Value>(action: () => Promise<Value>): Promise<Value> => {
            const known = journal[at++];
            if (known !== undefined) return JSON.parse(known) as Value;
            if (random() < 0.1) throw new Killed();
            const value = (await action()) ?? null;
            if (random() < 0.1) throw new Killed();
            journal.push(JSON.stringify(value));
            return value as Value;
          };
          const ctx: UnitContext = {
            key,
            date: { now: () => once(async () => START) },
            get: async <Value>(name: string) =>
              JSON.parse(changes.get(name) ?? state.get(name) ?? 'null') as Value,
            set: (name, value) => void changes.set(name, JSON.stringify(value)),
            run: (_, action) => once(action),
            genericSend: ({ parameter }) =>
              void sends.push(JSON.parse(new TextDecoder().decode(parameter)) as UnitRequest),
          };
          try {
            await apply(ctx, request);
            if (random() < 0.1) throw new Killed();
            for (const [name, value] of changes) state.set(name, value);
            timers += sends.length;
            // Some timers come much too late.
            if (random() < 0.7) queue.unshift(...sends);
            else queue.push(...sends);
            isDone = true;
          } catch (error) {
            if (!(error instanceof Killed)) throw error;
            kills++;
            // Another process, without what the first one had in memory.
            apply = unitHandler(store, { latenessSeconds: 30 });
          }
        }
      }
    }
    compare(store, requests);
  }
  expect([kills > 20, timers > 20]).toEqual([true, true]);
});

async function freePort(): Promise<number> {
  const server = netServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** The database as `serve.mjs` calls it. */
async function serveDatabase(store: Database): Promise<{ readonly server: Server; readonly url: string }> {
  const answers: Record<string, (body: never) => Promise<unknown>> = {
    zones: async () => [DEPOT],
    fixes: ({ unitId, fixes }: { unitId: string; fixes: Fix[] }) =>
      store.keepFixes(unitId, { kind: 'fixes', fixes }),
    outputs: (outputs: UnitOutput[]) => store.keepOutputs(outputs),
    history: ({ unitId, demand }: { unitId: string; demand: never }) => store.history(unitId, demand),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as never;
      answers[request.url!.slice(1)]!(body).then(
        (answer) => response.end(JSON.stringify(answer ?? null)),
        (error: Error) => response.writeHead(500).end(error.message),
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

needs(RESTATE).test(
  'kills of Restate and of the service lose, double and change no output (needs Restate, npm run test:restate)',
  async () => {
    const random = seeded(7);
    const store = database();
    const { server, url } = await serveDatabase(store);
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-restate-'));
    const [ingress, admin, node, port] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const running = new Map<string, ChildProcess>();
    const start = {
      restate: () =>
        spawn(join(RESTATE_PATH, '@restatedev/restate-server-linux-x64/bin/restate-server'), [], {
          stdio: 'ignore',
          env: {
            ...process.env,
            RUST_BACKTRACE: '0',
            RESTATE_BASE_DIR: folder,
            RESTATE_NODE_NAME: 'one',
            RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
            RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
            RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
            RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
            RESTATE_DEFAULT_NUM_PARTITIONS: '2',
            RESTATE_DISABLE_TELEMETRY: 'true',
          },
        }),
      service: () =>
        spawn(join(RESTATE_PATH, 'n22/bin/node'), ['serve.mjs'], {
          stdio: 'ignore',
          cwd: resolve(RESTATE_PATH, '..'),
          env: { ...process.env, PORT: String(port), STORE: url, NODE_NO_WARNINGS: '1' },
        }),
    };
    const end = async (name: string): Promise<void> => {
      const child = running.get(name);
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGKILL');
      await ended;
    };
    /** Sends until it is taken: a repetition has the same key, and counts once. */
    const send = async (path: string, body: object, key: string | null): Promise<Response> => {
      for (;;) {
        try {
          const answer = await fetch(path, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(key === null ? {} : { 'idempotency-key': key }),
            },
            body: JSON.stringify(body),
            signal: AbortSignal.timeout(20_000),
          });
          if (answer.ok) return answer;
        } catch {
          // Killed.
        }
        await sleep(100);
      }
    };
    try {
      for (const name of ['restate', 'service'] as const) running.set(name, start[name]());
      await send(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${port}` }, null);
      const requests = new Map(UNITS.map((unitId, unit) => [unitId, requestsOf(unit, 400, random)]));
      let kills = 0;
      for (let i = 0; i < Math.max(...[...requests.values()].map(({ length }) => length)); i++) {
        for (const [unitId, own] of requests)
          if (own[i] !== undefined)
            await send(`http://127.0.0.1:${ingress}/unit/${unitId}/apply/send`, own[i]!, `${unitId} ${i}`);
        if (i % 12 !== 6) continue;
        const name = kills++ % 2 === 0 ? 'service' : 'restate';
        await end(name);
        running.set(name, start[name]());
      }
      // The last one of each unit is answered after all before it.
      for (const unitId of UNITS)
        await send(
          `http://127.0.0.1:${ingress}/unit/${unitId}/apply`,
          { zonesVersion: 1, input: { kind: 'edit' } },
          `${unitId} end`,
        );
      compare(store, requests);
      expect(kills).toBeGreaterThan(4);
    } finally {
      for (const name of running.keys()) await end(name);
      server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
