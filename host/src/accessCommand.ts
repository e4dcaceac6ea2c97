/** The commands `token` and `company`. */

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { WayzoneError } from 'wayzone';
import { isRole, ROLES } from './auth/roles.js';
import { signInLink } from './auth/signInLinks.js';
import { secretOf, signToken } from './auth/tokens.js';
import { HOUR_MS } from './durations.js';
import { ofDatabase } from './namedDatabase.js';
import type { Settings } from './settings.js';
import { embeddedStorage } from './storage/embeddedStorage.js';
import { postgresStorage } from './storage/postgresStorage.js';

/** A year of hours. */
const MOST_HOURS = 8784;

/**
 * `token --role R --company C [--companies A,B] [--user U] [--hours N]` returns a token, signed with the host's secret; `--link` in its place an
 * address that signs a browser in, once.
 * `company --name N [--time-zone Z] [--database D]` adds a company and returns its id.
 */
export async function accessCommand(
  command: 'token' | 'company',
  settings: Settings,
  args: readonly string[],
  now: number,
): Promise<string> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options:
      command === 'token'
        ? {
            role: option,
            company: option,
            companies: option,
            user: option,
            hours: option,
            link: { type: 'boolean' },
          }
        : { name: option, 'time-zone': option, database: option },
  });
  return command === 'token' ? token(settings, values, now) : company(settings, values);
}

type Values = Readonly<Record<string, string | boolean | undefined>>;

async function token(settings: Settings, values: Values, now: number): Promise<string> {
  const { role, company: companyId, companies, user = 'command', hours = '24' } = values;
  if (!isRole(role)) throw wrong('role', `one of ${ROLES.join(', ')}`);
  if (typeof companyId !== 'string' || companyId === '') throw wrong('company', 'the id of a company');
  const count = Number(hours);
  if (!(count > 0 && count <= MOST_HOURS)) throw wrong('hours', `a number of hours up to ${MOST_HOURS}`);
  const secret = secretOf(settings);
  if (secret === null)
    throw wrong('role', 'a host that signs tokens; with TOKEN_JWKS_URL the issuer signs them');
  const further = typeof companies === 'string' ? companies.split(',').filter((id) => id !== '') : [];
  const access = { companyId, userId: String(user), role, companies: further };
  if (values['link'] !== true) return signToken(secret, settings, access, now + count * HOUR_MS);
  const [base = '/'] = settings.publicUrls;
  const url = base === '/' ? `http://${settings.host}:${settings.port}` : base;
  return signInLink(url, secret, settings, access, now);
}

async function company(settings: Settings, values: Values): Promise<string> {
  const { name, 'time-zone': timeZone = 'UTC' } = values;
  if (typeof name !== 'string' || name.trim() === '') throw wrong('name', 'a text that is not empty');
  try {
    new Intl.DateTimeFormat('en', { timeZone: String(timeZone) });
  } catch {
    throw wrong('time-zone', 'an IANA time zone');
  }
  const { databaseUrl, dataDir } = ofDatabase(settings, values['database']);
  const storage = databaseUrl === null ? await embeddedStorage(dataDir) : await postgresStorage(databaseUrl);
  const id = randomUUID();
  try {
    await storage.db
      .insertInto('companies')
      .values({ id, name, time_zone: String(timeZone), zones_version: 0, properties: '{}' })
      .execute();
  } finally {
    await storage.close();
  }
  return id;
}

function wrong(name: string, wanted: string): WayzoneError {
  return new WayzoneError('option-value', name, `expected ${wanted}, received another value of --${name}`);
}
