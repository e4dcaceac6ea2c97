#!/usr/bin/env node

/**
 * `npm run host`: reads the settings, listens, and prints the address. A fresh embedded database gets the example city, whose vehicles drive,
 * and a token for a day; `--demo` does so for any database, `--no-demo` for none. `wayzone-host token` and `company` make tokens and companies, `worker`
 * runs a worker of the stream, `source` hands the fixes of a broker to a host,
 * `set-aside list | retry | skip` handles units that were set aside. Each loads its own
 * modules alone.
 */

import { fileURLToPath } from 'node:url';
import { WayzoneError } from 'wayzone';
import { DAY_MS } from './durations.js';
import { readSettings, type Settings } from './settings.js';
import type { Host } from './startHost.js';
import { failureOf } from './stream/failure.js';

const HELP = `Usage: wayzone-host [command] [options]

Without a command: the host with its page and API. Settings are environment variables (docs/host/settings.md).
  --demo       the example city in any database
  --no-demo    never the example city; an embedded database gets it otherwise
  --json       lines of JSON

Commands:
  worker                                          runs a worker of the stream
  source --from URL --topic T --to URL [--group G]
                                                  hands the fixes of Kafka, NATS or MQTT to a host (SOURCE_TOKEN)
  company --name N [--time-zone Z] [--database D]
                                                  adds a company and prints its id
  token --role R --company C [--companies A,B] [--user U] [--hours N] [--link]
                                                  prints a token, or a link that signs a browser in once
  set-aside list | retry | skip [--unit U] [--database D]
                                                  units that were set aside

Examples:
  wayzone-host --no-demo
  wayzone-host token --role ADMIN --company ID --link
`;

/** Options of the host itself and of workers. Other commands check theirs. */
const FLAGS = ['--demo', '--no-demo', '--json'];

const COMMANDS = ['worker', 'source', 'company', 'token', 'set-aside'] as const;

/** The base map of the example city. */
const EXAMPLE_MAP = fileURLToPath(new URL('../dist/example/city-town.pmtiles', import.meta.url));
const isJson = process.argv.includes('--json');
const running = await start().catch((error: unknown) => {
  const { code, message } = failureOf(error);
  process.stderr.write(`Not started: ${code}: ${message}\n`);
  process.exit(1);
});

async function start(): Promise<{ close(): Promise<void> }> {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const command = commandOf(args);
  if (command === 'source') return source();
  const settings = readSettings(process.env);
  if (command === 'set-aside') return setAsideOnce(settings);
  if (command === 'token' || command === 'company') {
    const { accessCommand } = await import('./accessCommand.js');
    process.stdout.write(`${await accessCommand(command, settings, process.argv.slice(3), Date.now())}\n`);
    process.exit(0);
  }
  if (command === 'worker') return worker(settings);
  return settings.databases.length > 0 ? apis(settings) : api(settings);
}

async function setAsideOnce(settings: Settings): Promise<never> {
  const { lineOfAside, setAsideHost } = await import('./setAsideHost.js');
  const rows = await setAsideHost(settings, process.argv.slice(3));
  for (const row of rows) process.stdout.write(`${isJson ? JSON.stringify(row) : lineOfAside(row)}\n`);
  if (rows.length === 0 && !isJson) process.stdout.write('No unit is set aside.\n');
  process.exit(0);
}

async function source(): Promise<{ close(): Promise<void> }> {
  const { sourceCommand } = await import('./sourceCommand.js');
  const started = await sourceCommand(process.argv.slice(3), process.env);
  process.stdout.write(isJson ? `${JSON.stringify({ source: process.pid })}\n` : 'The source runs.\n');
  started.ended.catch((error: unknown) => {
    const { code, message } = failureOf(error);
    process.stderr.write(`Ended: ${code}: ${message}\n`);
    process.exit(1);
  });
  return started;
}

async function worker(settings: Settings): Promise<{ close(): Promise<void> }> {
  const [{ startWorkerHost }, { startWatchdog }] = await Promise.all([
    import('./workerHost.js'),
    import('./stream/startWatchdog.js'),
  ]);
  await startWatchdog();
  const started = await startWorkerHost(settings);
  const { url } = started;
  if (isJson) process.stdout.write(`${JSON.stringify({ worker: process.pid, url })}\n`);
  else process.stdout.write(`The worker runs.${url === null ? '' : ` Metrics at ${url}/metrics`}\n`);
  return started;
}

async function api(settings: Settings): Promise<{ close(): Promise<void> }> {
  if (!isJson) process.stderr.write('Opening the database …\n');
  const isDemo = process.argv.includes('--demo');
  const isWanted = isDemo || (settings.databaseUrl === null && !process.argv.includes('--no-demo'));
  const [{ collectDefaultMetrics }, { signInLink }, { signToken }, { startHost }, example] =
    await Promise.all([
      import('prom-client'),
      import('./auth/signInLinks.js'),
      import('./auth/tokens.js'),
      import('./startHost.js'),
      isWanted ? import('./demo/seed.js') : null,
    ]);
  if (settings.isFollowing && settings.databaseUrl !== null) {
    const { startWatchdog } = await import('./stream/startWatchdog.js');
    await startWatchdog();
  }
  const host = await startHost(isWanted ? withDemo(settings) : settings);
  collectDefaultMetrics({ register: host.metrics.registry });
  const seeded = (await example?.seed(host.storage, Date.now())) ?? null;
  const companyId = seeded ?? (await example?.exampleCompany(host.storage)) ?? null;
  const tokenOf = (id: string, userId: string, expires: number): Promise<string> =>
    signToken(host.secret!, settings, { companyId: id, userId, role: 'ADMIN' }, expires);
  const token =
    host.secret === null || companyId === null
      ? null
      : await tokenOf(companyId, 'first', Date.now() + DAY_MS);
  const startDemo =
    host.secret === null || companyId === null
      ? null
      : await demoOf(host, settings, companyId, await tokenOf(companyId, 'demo', Date.now() + 3650 * DAY_MS));
  const url = await host.app.listen({ host: settings.host, port: settings.port });
  if (isJson) process.stdout.write(`${JSON.stringify({ url, token, companyId })}\n`);
  else {
    process.stdout.write(`Listening at ${url}\n`);
    if (token !== null) {
      process.stdout.write(`Token of company ${companyId} for a day:\n${token}\n`);
      const access = { companyId: companyId!, userId: 'first', role: 'ADMIN' } as const;
      const link = await signInLink(url, host.secret!, settings, access, Date.now());
      process.stdout.write(`The map, signed in (once, within an hour): ${link}\n`);
    }
  }
  if (startDemo === null) return host;
  const demo = startDemo();
  return {
    async close() {
      demo.close();
      await host.close();
    },
  };
}

/** The API of several databases. */
async function apis(settings: Settings): Promise<{ close(): Promise<void> }> {
  if (process.argv.includes('--demo'))
    throw new WayzoneError('option-value', '--demo', 'expected one database, received DATABASES');
  const [{ startHosts }, { startWatchdog }] = await Promise.all([
    import('./startHosts.js'),
    import('./stream/startWatchdog.js'),
  ]);
  if (settings.isFollowing) await startWatchdog();
  const hosts = await startHosts(settings);
  const url = await hosts.listen({ host: settings.host, port: settings.port });
  process.stdout.write(
    isJson ? `${JSON.stringify({ url, token: null, companyId: null })}\n` : `Listening at ${url}\n`,
  );
  return hosts;
}

/** Starts the vehicles of the example. */
async function demoOf(
  { app }: Host,
  { dataDir }: Settings,
  companyId: string,
  token: string,
): Promise<() => { readonly close: () => void }> {
  const { demoFleet } = await import('./demo/demoFleet.js');
  return () => demoFleet({ app, token, companyId, folder: dataDir, now: Date.now });
}

/** The example's own base map, and a log without each fix of its vehicles, unless the settings say otherwise. */
function withDemo(settings: Settings): Settings {
  const logLevel = process.env['LOG_LEVEL'] === undefined ? 'warn' : settings.logLevel;
  return { ...settings, logLevel, basemap: settings.basemap ?? { kind: 'archive', file: EXAMPLE_MAP } };
}

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    void running.close().then(() => process.exit(0));
  });

type Command = (typeof COMMANDS)[number];

/** The command; null for the host itself. Throws `option-unknown` for another word or option. */
function commandOf(args: readonly string[]): Command | null {
  const [first] = args;
  const command = COMMANDS.find((name) => name === first) ?? null;
  if (command !== null && command !== 'worker') return command;
  const unknown = args.slice(command === null ? 0 : 1).find((word) => !FLAGS.includes(word));
  if (unknown === undefined) return command;
  const message = `expected one of ${[...COMMANDS, ...FLAGS].join(', ')}, received ${unknown.slice(0, 60)}; see wayzone-host --help`;
  throw new WayzoneError('option-unknown', 'command', message);
}
