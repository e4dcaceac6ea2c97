/** The host's settings, read from the environment once at start. */

import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { WayzoneError } from 'wayzone';
import { isRole, RANKED_ROLES, ROLES, type Role, type SideRanks } from './auth/roles.js';
import { type NamedDatabase, readDatabases } from './namedDatabase.js';

/** The published keys of an issuer of bearer tokens. */
export interface PublishedKeys {
  readonly url: string;
  readonly algorithms: readonly string[];
}

/** Sign-in by a redirect to an issuer (OpenID Connect). */
export interface IssuerSignIn {
  readonly issuer: URL;
  readonly clientId: string;
  /** null: a public client, which has none. */
  readonly clientSecret: string | null;
  /** Name of the issuer on the page. */
  readonly name: string;
  /** Scopes, separated by spaces. */
  readonly scope: string;
  /** Limit for one answer of the issuer. */
  readonly answerSeconds: number;
  /** Origin at which browsers reach the page. */
  readonly origin: string;
  /** Names of the claims with companies and with roles. */
  readonly companyClaim: string;
  readonly roleClaim: string;
  /** Company ids, and roles, by values of these claims; `*`: any other value, and none. null: each value stands for itself. */
  readonly companies: ReadonlyMap<string, string> | null;
  readonly roles: ReadonlyMap<string, Role> | null;
}

/** Source of the page's streets. `origins`: servers that a browser asks for them. */
export type Basemap =
  | { readonly kind: 'images' | 'style'; readonly url: string; readonly origins: readonly string[] }
  | { readonly kind: 'archive'; readonly file: string };

export interface Settings {
  readonly host: string;
  readonly port: number;
  /** A PostgreSQL address; null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** Several PostgreSQL databases with companies of their own, in place of `databaseUrl`; empty: one database. */
  readonly databases: readonly NamedDatabase[];
  readonly dataDir: string;
  /** Secret of the tokens that the host signs; null: that of the data folder, created at the first start. */
  readonly secret: Uint8Array | null;
  /** Keys of tokens that an issuer signs; null: only the host signs. */
  readonly published: PublishedKeys | null;
  /** null: no sign-in by redirect. */
  readonly signIn: IssuerSignIn | null;
  readonly issuer: string;
  readonly audience: string;
  /** The ranks of TARIFF_EDITOR and CONTROLLER. */
  readonly sideRanks: SideRanks;
  readonly routerUrl: string | null;
  readonly routerKind: 'osrm' | 'valhalla';
  /** Largest imported file in bytes. */
  readonly maxBodyBytes: number;
  /** Largest body of positions, and of every other operation, in bytes. */
  readonly positionsBodyBytes: number;
  readonly bodyBytes: number;
  /** Seconds that one computation of a request may take. */
  readonly computeSeconds: number;
  /** Limit of the files of exports that wait for slow readers, bytes. */
  readonly exportBytes: number;
  /** Maximum requests per minute and token to `/geozones/import` and `/positions`. */
  readonly importsPerMinute: number;
  readonly positionsPerMinute: number;
  /** Lowest level of log lines. */
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Proxies whose `X-Forwarded-For` is believed: their number, or their addresses and networks; false: none. */
  readonly trustProxy: string[] | false | ((address: string, hop: number) => boolean);
  /** Origins of pages whose scripts may send requests; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Base addresses that the published document names; `/` stands for the address it was read from. */
  readonly publicUrls: readonly string[];
  /** Number of days (UTC) for which fixes and events are kept; older fixes are rejected. */
  readonly fixesDays: number;
  /** Whether the host follows units itself; workers may do it as well. */
  readonly isFollowing: boolean;
  /** Fixed at the first start; null: 30. */
  readonly latenessSeconds: number | null;
  /** Seconds between the ticks of the stream's clock; 0: no ticks, so that units without fixes have no events. */
  readonly tickSeconds: number;
  /** Seconds within which the state of each changed unit is written. */
  readonly stateSeconds: number;
  /** Seconds between two looks for events to deliver; 0: this process delivers none. */
  readonly deliverySeconds: number;
  /** Private networks that sinks may be in, besides all public addresses. */
  readonly deliveryNetworks: readonly string[];
  /** The page's base map; null: none. */
  readonly basemap: Basemap | null;
  /** Makers of the base map. */
  readonly basemapAttribution: string;
  /** Port on which a worker of its own process answers `GET /metrics`; null: none. */
  readonly metricsPort: number | null;
  /** Base address of a collector of traces; null: none are made. */
  readonly tracesUrl: string | null;
  /** Name of the host in traces. */
  readonly serviceName: string;
}

/** The first is the default. */
const LOG_LEVELS = ['info', 'debug', 'warn', 'error', 'fatal', 'silent'] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Limit for one answer of an issuer. */
const ISSUER_SECONDS = 5;
/** Minimum length of a secret: the output length of HMAC-SHA-256 (RFC 7518 section 3.2). */
const SECRET_BYTES = 32;

/** Reads the settings from the environment. Throws `option-value` with the variable's name for an invalid value. */
export function readSettings(env: Environment): Settings {
  return {
    host: env['HOST'] ?? '127.0.0.1',
    port: readNumber(env, 'PORT', 8080, 0, 65_535),
    ...readAddresses(env),
    dataDir: env['DATA_DIR'] ?? 'wayzone-data',
    secret: readSecret(env),
    published: readPublished(env),
    signIn: readSignIn(env),
    issuer: env['TOKEN_ISSUER'] ?? 'wayzone-host',
    audience: env['TOKEN_AUDIENCE'] ?? 'wayzone',
    sideRanks: {
      TARIFF_EDITOR: readWord(env, 'TARIFF_EDITOR_RANK', ['READER', ...RANKED_ROLES]),
      CONTROLLER: readWord(env, 'CONTROLLER_RANK', ['OPERATOR', ...RANKED_ROLES]),
    },
    routerUrl: env['ROUTER_URL'] ?? null,
    routerKind: readWord(env, 'ROUTER_KIND', ['osrm', 'valhalla']),
    maxBodyBytes: readNumber(env, 'MAX_BODY_BYTES', 100_000_000, 1, Number.MAX_SAFE_INTEGER),
    positionsBodyBytes: readNumber(env, 'POSITIONS_BODY_BYTES', 4_000_000, 1, 1e9),
    bodyBytes: readNumber(env, 'BODY_BYTES', 1_000_000, 1, 1e9),
    exportBytes: readNumber(env, 'EXPORT_BYTES', 4e9, 0, Number.MAX_SAFE_INTEGER),
    computeSeconds: readNumber(env, 'COMPUTE_SECONDS', 10, 1, 3600),
    importsPerMinute: readNumber(env, 'IMPORTS_PER_MINUTE', 30, 1, 1e9),
    positionsPerMinute: readNumber(env, 'POSITIONS_PER_MINUTE', 6000, 1, 1e9),
    logLevel: readWord(env, 'LOG_LEVEL', LOG_LEVELS),
    trustProxy: readProxies(env['TRUST_PROXY']),
    corsOrigins: readList(env['CORS_ORIGINS']),
    publicUrls: readUrls(env, 'PUBLIC_URLS'),
    fixesDays: readNumber(env, 'FIXES_DAYS', 400, 1, 36_500),
    isFollowing: readWord(env, 'FOLLOW', ['yes', 'no']) === 'yes',
    latenessSeconds: readOptional(env, 'LATENESS_SECONDS', 0, 86_400),
    tickSeconds: readNumber(env, 'TICK_SECONDS', 1, 0, 60),
    stateSeconds: readNumber(env, 'STATE_SECONDS', 60, 1, 3600),
    deliverySeconds: readNumber(env, 'DELIVERY_SECONDS', 1, 0, 60),
    deliveryNetworks: readNetworks(env, 'DELIVERY_NETWORKS'),
    metricsPort: readOptional(env, 'METRICS_PORT', 0, 65_535),
    tracesUrl: readUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
    serviceName: env['OTEL_SERVICE_NAME'] ?? 'wayzone-host',
    basemap: readBasemap(env),
    basemapAttribution: env['BASEMAP_ATTRIBUTION'] ?? '',
  };
}

function readAddresses(env: Environment): Pick<Settings, 'databaseUrl' | 'databases'> {
  const { DATABASE_URL: databaseUrl = null } = env;
  const databases = readDatabases(env['DATABASES']);
  if (databaseUrl !== null && databases.length > 0)
    throw wrong('DATABASES', 'DATABASE_URL or DATABASES', 'both');
  return { databaseUrl, databases };
}

/** An address of tiles (with `{z}`), the address of a style and of further servers that it names, or the path of a PMTiles file. */
function readBasemap(env: Environment): Basemap | null {
  for (const old of ['BASEMAP_URL', 'BASEMAP_PMTILES'])
    if (env[old] !== undefined) throw wrong(old, 'its value in BASEMAP', 'the former name');
  const text = env['BASEMAP'] ?? '';
  if (text === '') return null;
  if (!/^https?:/.test(text)) {
    if (isFile(text)) return { kind: 'archive', file: resolve(text) };
    throw wrong(
      'BASEMAP',
      'the address of a style or of tiles, or the path of a PMTiles file',
      text.slice(0, 60),
    );
  }
  const addresses = text.trim().split(/\s+/);
  const [url = ''] = addresses;
  const isTemplate = ['{z}', '{x}', '{y}'].every((part) => url.includes(part));
  if (
    addresses.some((one) => !/^https?:\/\/[^;,'"]+$/.test(one) || !URL.canParse(one)) ||
    (/[{}]/.test(url) && !isTemplate)
  )
    throw wrong(
      'BASEMAP',
      'an address like https://tiles.example/{z}/{x}/{y}.png or /style.json',
      text.slice(0, 60),
    );
  const origins = [...new Set(addresses.map((one) => new URL(one).origin))];
  return { kind: isTemplate ? 'images' : 'style', url, origins };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function readNumber(env: Environment, name: string, missing: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined) return missing;
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max)
    throw wrong(name, `a whole number from ${min} to ${max}`, text);
  return value;
}

function readOptional(env: Environment, name: string, min: number, max: number): number | null {
  return env[name] === undefined ? null : readNumber(env, name, min, min, max);
}

/** `1` (proxies before the host) or `10.0.0.0/8,127.0.0.1`. */
function readProxies(text: string | undefined): Settings['trustProxy'] {
  const list = readList(text);
  const [first = '0'] = list;
  if (list.length <= 1 && /^\d{1,2}$/.test(first))
    return Number(first) === 0 ? false : (_, hop) => hop < Number(first);
  for (const one of list) checkNetwork(one, 'TRUST_PROXY', 'a number of proxies, or addresses and networks');
  return list;
}

function readNetworks(env: Environment, name: string): string[] {
  const list = readList(env[name]);
  for (const one of list) checkNetwork(one, name, 'addresses and networks');
  return list;
}

/** An address, or a network as `10.0.0.0/8`. */
function checkNetwork(text: string, name: string, what: string): void {
  const [address = '', bits = '0', ...rest] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most)
    throw wrong(name, what, text.slice(0, 60));
}

function readWord<Word extends string>(
  env: Environment,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const text = env[name] ?? words[0];
  const found = words.find((word) => word === text);
  if (found === undefined) throw wrong(name, `one of ${words.join(', ')}`, text);
  return found;
}

function readList(text: string = ''): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Base addresses without a trailing slash. */
function readUrls(env: Environment, name: string): string[] {
  const list = readList(env[name]).map((one) => baseAddress(name, one));
  return list.length === 0 ? ['/'] : list;
}

function readUrl(env: Environment, name: string): string | null {
  const text = env[name] ?? '';
  return text === '' ? null : baseAddress(name, text);
}

function baseAddress(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw wrong(name, 'http or https addresses', text.slice(0, 60));
  return text.replace(/\/+$/, '');
}

function readSecret(env: Environment): Uint8Array | null {
  const { TOKEN_SECRET: secret, TOKEN_JWKS_URL: url, OIDC_ISSUER: issuer } = env;
  if (secret === undefined) return null;
  if (url !== undefined && issuer === undefined)
    throw wrong('TOKEN_SECRET', 'TOKEN_SECRET or TOKEN_JWKS_URL', 'both');
  const bytes = new TextEncoder().encode(secret);
  if (bytes.length < SECRET_BYTES)
    throw wrong('TOKEN_SECRET', `at least ${SECRET_BYTES} bytes`, String(bytes.length));
  return bytes;
}

function readPublished({
  TOKEN_JWKS_URL: url,
  TOKEN_ALGORITHMS: algorithms = 'RS256,ES256',
}: Environment): PublishedKeys | null {
  return url === undefined ? null : { url, algorithms: algorithms.split(',') };
}

function readSignIn(env: Environment): IssuerSignIn | null {
  const address = readUrl(env, 'OIDC_ISSUER');
  if (address === null) return null;
  // As it is written: the issuer's tokens name the same text.
  const issuer = new URL(env['OIDC_ISSUER']!);
  if (!isPrivate(issuer)) throw wrong('OIDC_ISSUER', 'https, or http of this machine', address.slice(0, 60));
  const { OIDC_CLIENT_ID: clientId = '' } = env;
  if (clientId === '') throw wrong('OIDC_CLIENT_ID', 'the client’s id at the issuer', 'none');
  const [base = '/'] = readUrls(env, 'PUBLIC_URLS');
  if (!URL.canParse(base) || !isPrivate(new URL(base)))
    throw wrong('PUBLIC_URLS', 'https, or http of this machine, for the return from OIDC_ISSUER', base);
  const { origin } = new URL(base);
  const roles = readTable(env, 'OIDC_ROLES');
  for (const role of roles?.values() ?? [])
    if (!isRole(role)) throw wrong('OIDC_ROLES', `roles of ${ROLES.join(', ')}`, role.slice(0, 60));
  return {
    issuer,
    clientId,
    clientSecret: readClientSecret(env),
    name: env['OIDC_NAME'] ?? issuer.host,
    scope: env['OIDC_SCOPE'] ?? 'openid profile email',
    answerSeconds: ISSUER_SECONDS,
    origin,
    companyClaim: env['OIDC_COMPANY_CLAIM'] ?? 'company_id',
    roleClaim: env['OIDC_ROLE_CLAIM'] ?? 'role',
    companies: readTable(env, 'OIDC_COMPANIES'),
    roles: roles as ReadonlyMap<string, Role> | null,
  };
}

/** Nobody between a browser and such an address reads what is sent. */
function isPrivate({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

function readClientSecret({
  OIDC_CLIENT_SECRET: secret,
  OIDC_CLIENT_SECRET_FILE: file,
}: Environment): string | null {
  if (secret !== undefined && file !== undefined)
    throw wrong('OIDC_CLIENT_SECRET', 'OIDC_CLIENT_SECRET or OIDC_CLIENT_SECRET_FILE', 'both');
  if (file === undefined) return secret ?? null;
  if (!isFile(file)) throw wrong('OIDC_CLIENT_SECRET_FILE', 'the path of a file', file.slice(0, 60));
  return readFileSync(file, 'utf8').trim();
}

/** `value=meaning,other=meaning`: the last `=` of each ends the value. */
function readTable(env: Environment, name: string): ReadonlyMap<string, string> | null {
  const list = readList(env[name]).map((one) => {
    const at = one.lastIndexOf('=');
    const pair = [one.slice(0, Math.max(at, 0)).trim(), one.slice(at + 1).trim()] as const;
    if (pair.includes('')) throw wrong(name, 'value=meaning, separated by commas', one.slice(0, 60));
    return pair;
  });
  return list.length === 0 ? null : new Map(list);
}

function wrong(name: string, wanted: string, received: string): WayzoneError {
  return new WayzoneError('option-value', name, `expected ${wanted}, received ${received}`);
}
