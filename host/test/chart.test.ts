import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { HELM, needs } from '../../test/needs.js';
import { readSettings } from '../src/settings.js';
import { embedded, testHost } from './testHost.js';

/** The Helm chart of `deploy/`: it names settings, addresses and ports that exist, and all settings. */

const CHART = resolve(import.meta.dirname, '../deploy/chart');
const textOf = (name: string): string => readFileSync(resolve(CHART, name), 'utf8');

/** Parts of objects of Kubernetes. */
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly command?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext: unknown;
  readonly startupProbe?: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}
interface Deployment {
  readonly selector: { readonly matchLabels: object };
  readonly template: {
    readonly metadata: { readonly labels: object; readonly annotations: Readonly<Record<string, string>> };
    readonly spec: {
      readonly containers: readonly [Container];
      readonly securityContext: unknown;
      readonly volumes: readonly { readonly name: string }[];
    };
  };
}
interface KubeObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: unknown;
}

interface Values {
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}
const TEMPLATES = ['_helpers.tpl', 'settings.yaml', 'api.yaml', 'worker.yaml'].map((name) =>
  textOf(`templates/${name}`),
);

const valueAt = (values: unknown, path: string): unknown =>
  path.split('.').reduce((part, key) => (part as Readonly<Record<string, unknown>>)[key], values);

/** The objects of the chart with every branch taken once, by the few forms of Helm's templates that it consists of. */
function chartObjects(values: Values): KubeObject[] {
  const [helpers = '', ...files] = TEMPLATES;
  const bodies = new Map(
    helpers
      .split(/^\{\{- define /m)
      .slice(1)
      .map((part) => /^"([^"]+)" -\}\}\n([\s\S]*)\n\{\{- end \}\}/.exec(part)!)
      .map(([, name, body]) => [name!, body!] as const),
  );
  const filled = (text: string): string =>
    text
      .replaceAll(
        /\{\{-? include "([^"]+)"[^|}]*(?:\| nindent (\d+) )?\}\}/g,
        (_, name: string, indent?: string) => {
          const body = filled(bodies.get(name)!);
          return indent === undefined ? body : `\n${body.replaceAll(/^/gm, ' '.repeat(Number(indent)))}`;
        },
      )
      .replaceAll(/^ *\{\{- (?:if|range|with|end|\$).*\}\}(?:\n|$)/gm, '')
      .replaceAll(/\{\{ (?:toJson )?\.Values\.([\w.]+).*?\}\}/g, (_, path: string) => {
        const value = valueAt(values, path);
        return typeof value === 'string' ? value : JSON.stringify(value);
      })
      .replaceAll(/\{\{.*?\}\}/g, 'x');
  return files.flatMap((text) =>
    parseAllDocuments(filled(text)).map((one) => {
      expect(one.errors).toEqual([]);
      return one.toJS() as KubeObject;
    }),
  );
}

test('the chart gives each setting of the host a place, explains each value, and uses it', () => {
  const text = textOf('values.yaml');
  const values = parse(text) as Values;
  const read = new Set<string>();
  const issuer = {
    OIDC_ISSUER: 'https://issuer.example',
    OIDC_CLIENT_ID: 'page',
    PUBLIC_URLS: 'https://fleet.example',
  };
  const given: Record<string, string>[] = [{}, { TOKEN_JWKS_URL: 'https://issuer.example/keys' }, issuer];
  for (const env of given)
    readSettings(
      new Proxy(env, {
        get(_, name: string) {
          read.add(name);
          return env[name];
        },
      }),
    );
  for (const name of read)
    if (/^BASEMAP_(?:URL|PMTILES)$/.test(name)) {
      expect(() => readSettings({ [name]: 'x' })).toThrow('the former name');
      read.delete(name);
    }
  // The chart has the text in a Secret.
  read.delete('OIDC_CLIENT_SECRET_FILE');
  const fixed = new Set(
    [...TEMPLATES.join('').matchAll(/\{ name: ([A-Z_]+), value:/g)].map(([, name]) => name!),
  );
  const { secrets, settings } = values;
  expect([...Object.keys(secrets), ...Object.keys(settings), ...fixed].sort()).toEqual([...read].sort());
  const { properties } = JSON.parse(textOf('values.schema.json')) as {
    properties: Record<string, { propertyNames: { pattern: string } }>;
  };
  for (const part of ['secrets', 'settings'] as const)
    expect(properties[part]!.propertyNames.pattern).toBe(`^(${Object.keys(values[part]).join('|')})$`);
  // Helm writes large numbers so.
  expect(readSettings({ MAX_BODY_BYTES: '2e+08' }).maxBodyBytes).toBe(200_000_000);

  for (const line of text.split('\n').filter((one) => /^ *(?!requests|limits)\w+: \S/.test(one)))
    expect(line).toMatch(/ # \S/);
  const used = [...TEMPLATES.join('').matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path!);
  for (const path of used) expect([path, valueAt(values, path)]).not.toEqual([path, undefined]);
  const isUsed = (value: unknown, path: string): boolean =>
    used.includes(path) ||
    (typeof value === 'object' &&
      Object.entries(value!).every(([key, part]) => isUsed(part, `${path}.${key}`)));
  expect(Object.entries(values).filter(([key, value]) => !isUsed(value, key))).toEqual([]);
  const { appVersion } = parse(textOf('Chart.yaml')) as { appVersion: string };
  const { version } = JSON.parse(textOf('../../package.json')) as { version: string };
  expect(appVersion).toBe(version);
});

test('the chart asks addresses and ports that the host has, as another user than root', async () => {
  const { storage } = await embedded();
  const hosted = await testHost(storage);
  onTestFinished(() => hosted.close());
  const objects = chartObjects(parse(textOf('values.yaml')) as Values);
  const pods = objects.flatMap(({ kind, spec }) => (kind === 'Deployment' ? [spec as Deployment] : []));
  expect(pods.length).toBe(2);
  const pod = { runAsNonRoot: true, runAsUser: 1000 };
  const container = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  };
  for (const { selector, template } of pods) {
    const { metadata, spec } = template;
    const [one] = spec.containers;
    const { port, metricsPort, host, dataDir } = readSettings(
      Object.fromEntries(one.env.map(({ name, value }) => [name, value])),
    );
    const open = metricsPort ?? port;
    expect([host, one.ports.map(({ containerPort }) => containerPort)]).toEqual(['0.0.0.0', [open]]);
    expect(metadata.annotations['prometheus.io/port']).toBe(String(open));
    expect(selector.matchLabels).toEqual(metadata.labels);
    expect([spec.securityContext, one.securityContext]).toMatchObject([pod, container]);
    expect(one.volumeMounts.map(({ name }) => name)).toEqual(spec.volumes.map(({ name }) => name));
    expect(one.volumeMounts.map(({ mountPath }) => mountPath)).toContain(dataDir);
    if (one.command !== undefined)
      expect(textOf('../Dockerfile')).toContain(one.command.slice(0, 2).join('", "'));
    const { startupProbe, livenessProbe, readinessProbe } = one;
    expect(startupProbe === undefined).toBe(metricsPort !== null);
    for (const { httpGet: probe } of [startupProbe ?? livenessProbe, livenessProbe, readinessProbe]) {
      expect(one.ports.map(({ name }) => name)).toContain(probe.port);
      expect([probe.path, (await hosted.host.app.inject({ url: probe.path })).statusCode]).toEqual([
        probe.path,
        200,
      ]);
      // A worker answers nothing else.
      if (metricsPort !== null) expect(probe.path).toBe('/metrics');
    }
  }
  const budgets = objects.flatMap(({ kind, spec }) =>
    kind === 'PodDisruptionBudget' ? [spec as Deployment] : [],
  );
  expect(budgets.map(({ selector }) => selector)).toEqual(pods.map(({ selector }) => selector));
  expect(objects.find(({ kind }) => kind === 'Service')!.spec).toMatchObject({
    selector: pods[0]!.selector.matchLabels,
    ports: [{ name: 'http', targetPort: pods[0]!.template.spec.containers[0].ports[0]!.name }],
  });
});

needs(HELM).test('helm lints the chart and renders the same objects (needs helm)', () => {
  const helm = (command: string, ...settings: readonly string[]): string => {
    const words = [...command.split(' '), CHART, ...settings.flatMap((one) => ['--set', one])];
    const { stdout, stderr } = spawnSync('helm', words, { encoding: 'utf8' });
    return stdout + stderr;
  };
  const servers = ['secrets.DATABASE_URL=d', 'secrets.TOKEN_SECRET=t'];
  expect(helm('lint --strict', ...servers)).toContain('0 chart(s) failed');
  const rendered = parseAllDocuments(
    helm('template x', ...servers, 'ingress.enabled=true', 'settings.TICK_SECONDS=0'),
  ).map((one) => one.toJS() as KubeObject);
  const namesOf = (objects: readonly KubeObject[]): string[] =>
    objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort();
  expect(namesOf(rendered)).toEqual(namesOf(chartObjects(parse(textOf('values.yaml')) as Values)));
  expect(rendered.find(({ kind }) => kind === 'ConfigMap')).toMatchObject({ data: { TICK_SECONDS: '0' } });
  expect(helm('template x')).toContain('secrets.DATABASE_URL is needed');
  expect(helm('template x', ...servers, 'settings.PORTS=1')).toContain('PORTS');
});
