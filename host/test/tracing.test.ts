import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { signToken } from '../src/auth/tokens.js';
import { readSettings } from '../src/settings.js';
import { type Host, startHost } from '../src/startHost.js';
import { embeddedStorage } from '../src/storage/embeddedStorage.js';
import { startWorkerHost } from '../src/workerHost.js';
import { embedded, emptyDatabase, NOW, ownPostgres, SETTINGS } from './testHost.js';

/** Traces, as a collector receives them. */

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

const attributeOf = ({ attributes }: OtlpSpan, key: string): unknown =>
  Object.values(attributes.find((one) => one.key === key)?.value ?? {})[0];

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

/** A collector that keeps what it is sent. */
async function collector(): Promise<{ url: string; bodies: string[]; spans: () => OtlpSpan[] }> {
  const bodies: string[] = [];
  const server = createServer(
    (request, response) =>
      void textOf(request).then((text) => {
        bodies.push(`${request.method} ${request.url} ${text}`);
        response.setHeader('content-type', 'application/json').end('{}');
      }),
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies.flatMap((body) =>
        JSON.parse(body.slice(body.indexOf('{'))).resourceSpans.flatMap(
          (one: { scopeSpans: { spans: OtlpSpan[] }[] }) => one.scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
  };
}

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-traces-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const CALLER = { companyId: 'a', userId: 'u', role: 'ADMIN' } as const;

test('a request is a span of its caller’s trace, with its statements and computations', async () => {
  const { url, bodies, spans } = await collector();
  const empty = await emptyDatabase();
  const host = await startHost(
    { ...SETTINGS, dataDir: dataFolder(), tracesUrl: url, serviceName: 'fleet' },
    () => NOW,
    (log) => embeddedStorage(null, empty, log),
  );
  await host.storage.db
    .insertInto('companies')
    .values({ id: 'a', name: 'A', time_zone: 'Europe/Moscow', zones_version: 0, properties: '{}' })
    .execute();
  const token = await signToken(host.secret!, SETTINGS, CALLER, NOW + 3_600_000);
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const send = (path: string, payload?: object): Promise<{ statusCode: number; body: string }> =>
    host.app.inject({
      method: payload === undefined ? 'GET' : 'POST',
      url: `/api_v1${path}`,
      headers: { authorization: `Bearer ${token}`, traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
      ...(payload === undefined ? {} : { payload }),
    });
  expect((await send('/geozones?ids=secret-id')).statusCode).toBe(404);
  expect((await send('/geozones/filter', { limit: 5 })).statusCode).toBe(200);
  expect((await host.app.inject('/api_v1/geozones')).statusCode).toBe(401);
  await host.close();

  expect(bodies[0]).toMatch(/^POST \/v1\/traces \{/);
  expect(bodies[0]).toContain('{"key":"service.name","value":{"stringValue":"fleet"}}');
  const all = spans();
  const [got, listed, refused] = all.filter(({ kind }) => kind === 2);
  expect(
    [got, listed, refused].map((span) => [span!.name, attributeOf(span!, 'http.response.status_code')]),
  ).toEqual([
    ['GET /api_v1/geozones', 404],
    ['POST /api_v1/geozones/filter', 200],
    ['GET /api_v1/geozones', 401],
  ]);
  expect([got!.traceId, got!.parentSpanId, attributeOf(got!, 'wayzone.company')]).toEqual([
    traceId,
    '00f067aa0ba902b7',
    'a',
  ]);
  expect(refused!.parentSpanId ?? '').toBe('');
  expect(refused!.traceId).not.toBe(traceId);
  // Each other span is a part of one of them, also behind a body.
  const parts = all.filter(({ kind }) => kind !== 2);
  const of = (span: OtlpSpan): OtlpSpan[] => parts.filter(({ parentSpanId }) => parentSpanId === span.spanId);
  for (const span of [got!, listed!]) {
    expect(of(span).map(({ name }) => name)).toContain('select');
    for (const part of of(span)) {
      expect(part.traceId).toBe(span.traceId);
      expect(BigInt(part.endTimeUnixNano) >= BigInt(part.startTimeUnixNano)).toBe(true);
    }
  }
  expect(of(listed!).map(({ name }) => name)).toContain('compute zoneList');
  expect(parts).toHaveLength([got!, listed!, refused!].flatMap(of).length);
  // Neither addresses nor values.
  expect(bodies.join('')).not.toContain('secret-id');
  expect(bodies.join('')).not.toContain(token);
});

const FIX = { lat: 60.125, lon: 30.125, time: NOW };

/** Spans of turns with fixes, and what is within them. */
function turnsOf(all: readonly OtlpSpan[]): OtlpSpan[] {
  const turns = all.filter((span) => span.name === 'turn' && Number(attributeOf(span, 'wayzone.fixes')) > 0);
  for (const turn of turns) {
    const parts = all.filter(({ parentSpanId }) => parentSpanId === turn.spanId);
    // It reads messages, and commits.
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['select']));
    expect(parts.every(({ traceId }) => traceId === turn.traceId)).toBe(true);
    expect([attributeOf(turn, 'wayzone.company'), turn.kind]).toEqual(['a', 5]);
    expect(Number(attributeOf(turn, 'wayzone.cells'))).toBeGreaterThan(0);
  }
  return turns;
}

async function sendFix({ app, storage, secret }: Host): Promise<void> {
  await storage.db
    .insertInto('companies')
    .values({ id: 'a', name: 'A', time_zone: 'Europe/Moscow', zones_version: 0, properties: '{}' })
    .execute();
  const token = await signToken(secret!, SETTINGS, CALLER, NOW + 3_600_000);
  const headers = { authorization: `Bearer ${token}` };
  const payload = { name: 'Van' };
  const unit = await app.inject({ method: 'POST', url: '/api_v1/units', headers, payload });
  const { id: unitId } = unit.json<{ id: string }>();
  const sent = {
    method: 'POST',
    url: '/api_v1/positions',
    headers,
    payload: [{ ...FIX, unit_id: unitId }],
  } as const;
  const { statusCode, body } = await app.inject(sent);
  expect([statusCode, body]).toEqual([200, expect.anything()]);
}

test('a turn of the worker is a span with the number of its fixes and events', async () => {
  const { url, spans, bodies } = await collector();
  const empty = await emptyDatabase();
  const settings = { ...SETTINGS, dataDir: dataFolder(), tracesUrl: url };
  const host = await startHost(
    settings,
    () => NOW,
    (log) => embeddedStorage(null, empty, log),
  );
  await sendFix(host);
  await host.close();
  const turns = turnsOf(spans());
  expect(turns.map((turn) => Number(attributeOf(turn, 'wayzone.fixes')))).toEqual([1]);
  expect(Number(attributeOf(turns[0]!, 'wayzone.events'))).toBeGreaterThanOrEqual(0);
  expect(bodies.join('')).not.toContain('.125');
});

needs(POSTGRESQL).test('a worker in its own process traces its turns (needs PostgreSQL)', async () => {
  const { url, spans, bodies } = await collector();
  const database = await ownPostgres();
  onTestFinished(() => database.remove());
  const { storage } = database;
  const settings = { ...SETTINGS, dataDir: dataFolder(), databaseUrl: database.url };
  const host = await startHost({ ...settings, isFollowing: false }, () => NOW, storage);
  const worker = await startWorkerHost({ ...settings, tracesUrl: url, serviceName: 'fleet-worker' });
  await sendFix(host);
  await expect
    .poll(async () => {
      const { rows } = await sql<{ left: string }>`
        select sum(head - position) as left from cells join cell_positions using (cell)`.execute(storage.db);
      return Number(rows[0]!.left);
    })
    .toBe(0);
  await worker.close();
  await host.close();
  expect(bodies.join('')).toContain('{"key":"service.name","value":{"stringValue":"fleet-worker"}}');
  const fixes = turnsOf(spans()).map((turn) => Number(attributeOf(turn, 'wayzone.fixes')));
  expect(fixes.reduce((sum, count) => sum + count, 0)).toBe(1);
});

test('a host and a worker without the packages do not start, and say how to install them', () => {
  const root = resolve(import.meta.dirname, '../..');
  const folder = dataFolder();
  // The host as it is installed: with all packages but these.
  cpSync(join(root, 'host/dist'), join(folder, 'host/dist'), { recursive: true });
  for (const [from, names] of [
    ['', readdirSync(join(root, 'node_modules')).filter((name) => name !== '@opentelemetry')],
    ['@opentelemetry', ['api']],
  ] as const)
    for (const name of names) {
      mkdirSync(join(folder, 'node_modules', from), { recursive: true });
      symlinkSync(join(root, 'node_modules', from, name), join(folder, 'node_modules', from, name));
    }
  const env = {
    ...process.env,
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
  };
  for (const args of [[], ['worker']]) {
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'host/dist/main.js'), ...args], {
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Not started: tracing-missing: expected the packages of traces, received none: npm install @opentelemetry\/sdk-trace-base /m,
      ),
    ]);
  }
});

test('a collector that is away holds up nothing', async () => {
  const { storage } = await embedded();
  const settings = { ...SETTINGS, dataDir: dataFolder(), tracesUrl: 'http://127.0.0.1:1' };
  const host = await startHost(settings, () => NOW, storage);
  expect((await host.app.inject('/health')).statusCode).toBe(200);
  await host.close();
});

test('settings: an address; the image has the packages that tests use', () => {
  expect(readSettings({})).toMatchObject({ tracesUrl: null, serviceName: 'wayzone-host' });
  expect(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }).tracesUrl).toBe(
    'http://collector:4318',
  );
  expect(() => readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(
    expect.objectContaining({ code: 'option-value', field: 'OTEL_EXPORTER_OTLP_ENDPOINT' }),
  );
  const root = resolve(import.meta.dirname, '../..');
  const { dependencies } = JSON.parse(readFileSync(`${root}/tools/package.json`, 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const image = readFileSync(`${root}/host/deploy/Dockerfile`, 'utf8');
  const names = Object.keys(dependencies).filter((name) => name.startsWith('@opentelemetry/'));
  expect(names).toHaveLength(3);
  for (const name of names) expect(image).toContain(`${name}@${dependencies[name]}`);
});
