/** Starts a host for each of several databases, behind one server that hands each request to the host of its company. */

import { join } from 'node:path';
import { decodeJwt } from 'jose';
import type { Logger as StatementLog } from 'kysely';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { WayzoneError } from 'wayzone';
import type { SignIn } from './auth/signInLinks.js';
import { secretOf, tokenVerifier } from './auth/tokens.js';
import { frontServer, type OwnAnswer } from './http/frontServer.js';
import type { NamedDatabase } from './namedDatabase.js';
import { openStorage } from './openStorage.js';
import { away, companyPlaces, type Place, placeOfRequest } from './servers/companyPlaces.js';
import { joinedMetrics, type Opened, openEach } from './servers/openEach.js';
import type { Settings } from './settings.js';
import { type Host, type SharedParts, startHost } from './startHost.js';
import type { Storage } from './storage/storage.js';

export interface Hosts {
  /** Returns the address. */
  listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  /** The host of a database; null while that has not answered. */
  hostOf(name: string): Host | null;
  close(): Promise<void>;
}

/** Answer of `/ready` of a host. */
interface State {
  readonly status: string;
  readonly database: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';

/** Resolves when each host has started, or after 10 s. Throws if one of them cannot start for another reason than that its database is away. */
export async function startHosts(settings: Settings, clock: (() => number) | null = null): Promise<Hosts> {
  const now = clock ?? Date.now;
  const secret = secretOf(settings);
  const { published } = settings;
  const own = settings.databases.map(({ name }): Opened<Host> & Place => ({
    name,
    value: null,
    failure: 'server-away',
    get db() {
      return this.value?.storage.db ?? null;
    },
  }));
  const places = companyPlaces(own);
  const closing = new AbortController();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const up = new Gauge({
    name: 'wayzone_database_up',
    help: 'Whether the database answers',
    labelNames: ['database'],
    registers: [registry],
  });

  const tokens = tokenVerifier({ secret, published }, settings, now, async ({ companyId, companies }) => {
    const home = await places.of(companyId);
    for (const id of home === null ? [] : companies) {
      const place = await places.of(id);
      if (place !== null && place !== home) throw elsewhere(id, place, home!);
    }
    return home !== null;
  });
  const links: SignIn = {
    async redeem(link) {
      const companyId = claimOf(link);
      const place = companyId === null ? null : await places.of(companyId);
      return (place?.value ?? running()).links!.redeem(link);
    },
  };
  const isCompany = async (companyId: string): Promise<boolean> => (await places.of(companyId)) !== null;
  const deviceOf: SharedParts['deviceOf'] = async (key) => {
    const hits = await places.search((db) => own.find((one) => one.db === db)!.value!.deviceOf(key));
    if (hits.length > 1) throw keyInTwo(hits.map(([{ name }]) => name));
    return hits[0]?.[1];
  };

  /** A host that answers requests which are of no company. */
  const running = (): Host => {
    const found = own.find(({ value }) => value !== null);
    if (found === undefined) throw away(own.map(({ name }) => name));
    return found.value!;
  };
  const start = async (database: NamedDatabase): Promise<Host> => {
    const { name, url } = database;
    let storage: Storage | undefined;
    const given = {
      ...settings,
      secret,
      databaseUrl: url,
      databases: [database],
      dataDir: join(settings.dataDir, name),
    };
    const opened = async (log?: StatementLog): Promise<Storage> => {
      storage = await openStorage(given, log);
      return storage;
    };
    try {
      const host = await startHost(given, clock, opened, { tokens, links, deviceOf, isCompany });
      host.metrics.registry.setDefaultLabels({ database: name });
      return host;
    } catch (error) {
      await storage?.close().catch(() => {});
      throw error;
    }
  };
  await openEach(settings.databases, own, start, (host) => host.close(), closing.signal);

  const readyOf = async ({ name, value, failure }: Opened<Host>): Promise<readonly [string, State]> => [
    name,
    value === null
      ? { status: 'unavailable', database: failure ?? '' }
      : (await value.app.inject('/ready')).json<State>(),
  ];
  const ready = async (): Promise<OwnAnswer> => {
    const states = await Promise.all(own.map(readyOf));
    const isAny = (status: string): boolean => states.some(([, one]) => one.status === status);
    const isAll = states.every(([, { status }]) => status === 'ok');
    const status = isAll ? 'ok' : isAny('ok') || isAny('degraded') ? 'degraded' : 'unavailable';
    const body = JSON.stringify({ status, databases: Object.fromEntries(states) });
    return { status: status === 'unavailable' ? 503 : 200, type: JSON_TYPE, body };
  };
  const metrics = async (): Promise<OwnAnswer> => {
    for (const [database, { status }] of await Promise.all(own.map(readyOf)))
      up.set({ database }, status === 'unavailable' ? 0 : 1);
    const hosts = own.flatMap(({ value }) => (value === null ? [] : [value.metrics.registry]));
    return { status: 200, ...(await joinedMetrics(registry, hosts)) };
  };
  const health = async (): Promise<OwnAnswer> => ({
    status: 200,
    type: JSON_TYPE,
    body: JSON.stringify({ status: 'ok', uptimeSeconds: Math.round(process.uptime()) }),
  });
  const placeOf = placeOfRequest(places, tokens);
  const front = frontServer({
    choose: async (request) => ((await placeOf(request))?.value ?? running()).app,
    any: () => own.find(({ value }) => value !== null)?.value?.app ?? null,
    own: { '/health': health, '/ready': ready, '/metrics': metrics },
  });
  return {
    listen: (options) => front.listen(options),
    hostOf: (name) => own.find((one) => one.name === name)?.value ?? null,
    async close() {
      closing.abort();
      front.stop();
      await Promise.all(own.flatMap(({ value }) => (value === null ? [] : [value.close()])));
      await front.close();
    },
  };
}

/** The company that a token names, whether it is valid or not. */
function claimOf(token: string): string | null {
  try {
    const { company_id: companyId } = decodeJwt(token);
    return typeof companyId === 'string' ? companyId : null;
  } catch {
    return null;
  }
}

function elsewhere(companyId: string, { name }: Place, home: Place): WayzoneError {
  return new WayzoneError(
    'company-elsewhere',
    'companies',
    `expected companies of database ${home.name}, received ${companyId} of ${name}`,
    { status: 403, wireCode: 403 },
  );
}

function keyInTwo(names: readonly string[]): WayzoneError {
  return new WayzoneError(
    'device-in-two',
    'id',
    `expected a device key of one database, received one of ${names.join(' and ')}`,
    { wireCode: 422 },
  );
}
