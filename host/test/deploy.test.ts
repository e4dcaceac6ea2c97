import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { collectDefaultMetrics } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../src/settings.js';
import { embedded, NOW, type TestHost, testHost } from './testHost.js';

/** The files of `deploy/`: they parse, and name settings, files, operations and metrics that exist. */

const ROOT = resolve(import.meta.dirname, '../..');
const textOf = (name: string): string => readFileSync(join(ROOT, 'host/deploy', name), 'utf8');

let hosted: TestHost;
let operations: Set<string>;
/** Names of the metrics, without the suffixes of histograms. */
let metrics: Set<string>;
beforeAll(async () => {
  const { storage } = await embedded();
  hosted = await testHost(storage);
  const { registry } = hosted.host.metrics;
  collectDefaultMetrics({ register: registry });
  const admin = await hosted.as(await hosted.company(), 'ADMIN');
  const target = { url: 'https://fleet.example/hook' };
  const { status } = await admin.send('POST', '/event_sinks', { name: 'Hook', kind: 'webhook', target });
  expect(status).toBe(200);
  const { body } = await hosted.host.app.inject({ url: '/metrics' });
  metrics = new Set([...body.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!));
  const document = (await hosted.host.app.inject({ url: '/api_v1/openapi.json' })).json<{
    paths: Record<string, Record<string, { operationId: string }>>;
  }>();
  operations = new Set(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    ),
  );
});
afterAll(() => hosted.close());

/** Throws for PromQL that does not parse. Returns the names of its metrics. */
function metricsOf(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`expected PromQL: ${expression.slice(0, node.from)} ⟂`);
      if (node.name === 'Identifier') names.push(expression.slice(node.from, node.to));
    },
  });
  for (const [, operation] of expression.matchAll(/operation="([^"]+)"/g))
    expect(operations).toContain(operation);
  return names;
}

/** `up` is a metric of Prometheus itself, the other one of a host of several databases (`servers.test.ts`). */
const isKnown = (name: string): boolean =>
  ['up', 'wayzone_database_up'].includes(name) ||
  metrics.has(name) ||
  metrics.has(name.replace(/_(?:bucket|count|sum)$/, ''));

test('each alert and each panel asks for metrics that the host has', () => {
  const { groups } = parse(textOf('alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string; for?: string; labels: { severity: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const { panels } = JSON.parse(textOf('dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  expect(panels.length).toBeGreaterThan(10);
  const asked = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ];
  for (const [name, expression] of asked) {
    const names = metricsOf(expression.replaceAll('$__rate_interval', '5m'));
    expect([name, names.length]).toEqual([name, expect.any(Number)]);
    expect(names.length, name).toBeGreaterThan(0);
    expect([name, names.filter((one) => !isKnown(one))]).toEqual([name, []]);
  }
  for (const { alert, for: span = '1m', labels } of rules) {
    expect([alert, span]).toEqual([alert, expect.stringMatching(/^\d+[smh]$/)]);
    expect([alert, ['page', 'ticket'].includes(labels.severity)]).toEqual([alert, true]);
  }
  // The check itself refuses what it should.
  expect(() => metricsOf('sum by (')).toThrow('expected PromQL');
  expect(metricsOf('rate(wayzone_nothing[5m])').filter((one) => !isKnown(one))).toEqual(['wayzone_nothing']);
});

test('every metric of the host is on the board', () => {
  const shown = textOf('dashboard.json') + textOf('alerts.yaml');
  const own = [...metrics].filter((name) => name.startsWith('wayzone_'));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});

/** Values of the variables of the compose file. */
const VALUES: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'p',
  TOKEN_SECRET: 'a secret that is long enough, 32 b',
  TRUST_PROXY: '0',
};

test('the compose file starts PostgreSQL and the host with settings that it reads', () => {
  const { services, volumes } = parse(textOf('compose.yaml')) as {
    services: Record<
      string,
      {
        image: string;
        command?: string[];
        environment?: Record<string, string>;
        volumes?: string[];
        build?: { context: string; dockerfile: string };
        depends_on?: Record<string, unknown>;
      }
    >;
    volumes: Record<string, unknown>;
  };
  expect(Object.keys(services).sort()).toEqual(['host', 'postgres']);
  for (const name of ['host']) {
    const { environment = {}, build, depends_on: needed = {} } = services[name]!;
    const env = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [
        key,
        value.replaceAll(/\$\{(\w+):[^}]*\}/g, (_, variable: string) => VALUES[variable] ?? ''),
      ]),
    );
    const settings = readSettings(env);
    const { hostname, pathname } = new URL(settings.databaseUrl!);
    expect(services[hostname]?.environment?.['POSTGRES_DB']).toBe(pathname.slice(1));
    expect(Object.keys(needed).every((other) => other in services)).toBe(true);
    expect(existsSync(join(ROOT, 'host/deploy', build!.context, build!.dockerfile))).toBe(true);
  }
  const named = Object.values(services).flatMap((service) => service.volumes ?? []);
  for (const volume of named) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
});

test('the Dockerfile copies files that exist and starts the host as another user than root', () => {
  const lines = textOf('Dockerfile').replaceAll('\\\n', '').split('\n');
  const copied = lines.flatMap((line) => {
    const [command, ...words] = line.split(/\s+/);
    return command === 'COPY' ? words.filter((word) => !word.startsWith('--')).slice(0, -1) : [];
  });
  expect(copied.length).toBeGreaterThan(8);
  for (const path of copied) {
    // What the build makes has its source in the repository.
    const source = path
      .replace(/^\/app\//, '')
      .replace(/^(host\/)?dist$/, '$1src')
      .replace(/^host\/node_modules$/, 'host/package.json');
    expect([path, existsSync(join(ROOT, source))]).toEqual([path, true]);
  }
  expect(lines).toContain('USER node');
  expect(lines.findLastIndex((line) => line.startsWith('USER'))).toBeLessThan(
    lines.findLastIndex((line) => line.startsWith('CMD')),
  );
  const manifest = JSON.parse(readFileSync(join(ROOT, 'host/package.json'), 'utf8')) as {
    bin: Record<string, string>;
  };
  const main = join('host', manifest.bin['wayzone-host']!);
  for (const file of ['Dockerfile', 'wayzone-host.service']) expect(textOf(file)).toContain(main);
});

/** Keys of `systemd.service(5)`, `systemd.exec(5)`, `systemd.unit(5)` and `systemd.resource-control(5)` that a unit of a service may have. */
const UNIT_KEYS: Readonly<Record<string, readonly string[]>> = {
  Unit: ['Description', 'Documentation', 'After', 'Wants', 'Requires'],
  Service: [
    'Type',
    'ExecStart',
    'WorkingDirectory',
    'EnvironmentFile',
    'Environment',
    'DynamicUser',
    'StateDirectory',
    'Restart',
    'RestartSec',
    'TimeoutStopSec',
    'MemoryMax',
    'OOMPolicy',
    'KillMode',
    'LimitNOFILE',
    'NoNewPrivileges',
    'ProtectSystem',
    'ProtectHome',
    'PrivateTmp',
    'PrivateDevices',
    'ProtectKernelTunables',
    'ProtectKernelModules',
    'ProtectControlGroups',
    'RestrictAddressFamilies',
    'RestrictNamespaces',
    'LockPersonality',
    'CapabilityBoundingSet',
    'SystemCallArchitectures',
  ],
  Install: ['WantedBy'],
};

test('the unit of systemd has known keys in their sections', () => {
  const sections = new Map<string, Map<string, string>>();
  let section = '';
  for (const line of textOf('wayzone-host.service').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const head = /^\[(\w+)\]$/.exec(line);
    if (head !== null) {
      section = head[1]!;
      sections.set(section, new Map());
      continue;
    }
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    expect([section, key]).toEqual([
      section,
      expect.toSatisfy((name: string) => UNIT_KEYS[section]!.includes(name)),
    ]);
    sections.get(section)!.set(key, value);
  }
  expect([...sections.keys()]).toEqual(['Unit', 'Service', 'Install']);
  const service = sections.get('Service')!;
  // The host runs without a compiler of its own only with memory that may be executed.
  expect(service.has('MemoryDenyWriteExecute')).toBe(false);
  // Longer than the host takes to finish its answers.
  expect(Number(service.get('TimeoutStopSec'))).toBeGreaterThan(10);
  expect(service.get('Environment')).toContain('DATA_DIR=/var/lib/');
});

test('the figures of the state count what is behind', async () => {
  const { storage } = hosted.host;
  const [sink] = await storage.db.selectFrom('event_sinks').select('id').execute();
  const common = { sink_id: sink!.id, unit_id: 'u', payload: '{}' };
  await storage.db
    .insertInto('deliveries')
    .values([
      { ...common, event_id: '1', created: NOW - 90_000, due: NOW - 90_000 },
      // In quiet hours: not late.
      { ...common, event_id: '2', created: NOW - 900_000, due: NOW + 1 },
      { ...common, event_id: '3', created: NOW - 9_000_000, due: NOW - 1, is_dead: true },
    ])
    .execute();
  const { body } = await hosted.host.app.inject({ url: '/metrics' });
  for (const line of [
    'wayzone_deliveries_waiting{kind="webhook"} 2',
    'wayzone_deliveries_dead{kind="webhook"} 1',
    'wayzone_deliveries_lag_seconds{kind="webhook"} 90',
    'wayzone_stream_lag_messages 0',
    'wayzone_stream_lag_cells 0',
    'wayzone_cells_unread 0',
  ])
    expect(body.split('\n')).toContain(line);
  expect(body).toMatch(/wayzone_http_request_seconds_count\{operation="postEventSinks",method="POST"/);
});
