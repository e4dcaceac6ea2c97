/** The database of a company among several: the one with its row in the table of companies. */

import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WayzoneError } from 'wayzone';
import { keyHash } from '../auth/apiKeys.js';
import { tokenOf } from '../auth/inSwitchedCompany.js';
import type { TokenVerifier } from '../auth/tokens.js';
import { isCompany } from '../storage/companyOf.js';
import type { Db } from '../storage/rows.js';
import { isUnavailable } from '../storage/storage.js';

const MOST_KEYS = 10_000;

/** A database by its name. */
export interface Place {
  readonly name: string;
  /** null while it has not answered since the process started. */
  readonly db: Db | null;
}

export interface CompanyPlaces<P extends Place> {
  /**
   * The place of a company; null: no database has it. Throws `server-away` (503) if no database that answers has it, and `company-in-two` (503)
   * if two of them have it.
   */
  of(companyId: string): Promise<P | null>;
  /** The places with a row that `find` finds, with the row. Throws `server-away` (503) if no database that answers has such a row. */
  search<Found>(find: (db: Db) => Promise<Found | undefined>): Promise<readonly (readonly [P, Found])[]>;
}

/** A company that was found is looked for again after this time. */
const FRESH_MS = 5000;
/** Longest wait for a database, and for the others once one has answered with a row. */
const ANSWER_MS = 5000;
const OTHERS_MS = 1000;
const MOST_REMEMBERED = 100_000;

export function companyPlaces<P extends Place>(places: readonly P[]): CompanyPlaces<P> {
  const known = new Map<string, { readonly place: P; checked: number }>();
  const pending = new Map<string, Promise<P | null>>();

  const search: CompanyPlaces<P>['search'] = async (find) => {
    const hits: (readonly [P, NonNullable<Awaited<ReturnType<typeof find>>>])[] = [];
    const silent = new Set(places);
    const over = new AbortController();
    const pause = (ms: number): Promise<void> =>
      sleep(ms, undefined, { signal: over.signal }).catch(() => {});
    const ask = async (place: P): Promise<boolean> => {
      try {
        if (place.db === null) return false;
        const found = await find(place.db);
        silent.delete(place);
        if (found != null) hits.push([place, found]);
        return found != null;
      } catch (error) {
        if (isUnavailable(error)) return false;
        throw error;
      }
    };
    const asks = places.map(ask);
    const first = Promise.any(
      asks.map((one) => one.then((isHit) => (isHit ? pause(OTHERS_MS) : Promise.reject(new Error('none'))))),
    ).catch(() => Promise.all(asks));
    await Promise.race([Promise.all(asks), first, pause(ANSWER_MS)]).finally(() => over.abort());
    if (hits.length === 0 && silent.size > 0) throw away([...silent].map(({ name }) => name));
    return [...hits].sort(([a], [b]) => places.indexOf(a) - places.indexOf(b));
  };

  const look = async (companyId: string): Promise<P | null> => {
    const hits = await search(async (db) => ((await isCompany({ db }, companyId)) ? true : undefined));
    if (hits.length > 1)
      throw new WayzoneError(
        'company-in-two',
        'company_id',
        `expected company ${companyId} in one database, received ${hits.map(([{ name }]) => name).join(' and ')}`,
        { status: 503, wireCode: 503 },
      );
    const place = hits[0]?.[0] ?? null;
    if (place === null) return null;
    if (known.size >= MOST_REMEMBERED) known.delete(known.keys().next().value!);
    known.set(companyId, { place, checked: performance.now() });
    return place;
  };
  /** While the database is away, the company stays where it was. */
  const check = async (companyId: string, place: P): Promise<void> => {
    if (!(await isCompany({ db: place.db! }, companyId))) known.delete(companyId);
  };

  return {
    search,
    async of(companyId) {
      const found = known.get(companyId);
      if (found !== undefined) {
        if (performance.now() - found.checked > FRESH_MS) {
          found.checked = performance.now();
          void check(companyId, found.place).catch(() => {});
        }
        return found.place;
      }
      const looking = pending.get(companyId) ?? look(companyId).finally(() => pending.delete(companyId));
      pending.set(companyId, looking);
      return looking;
    },
  };
}

/** 503: databases that do not answer. */
export function away(names: readonly string[]): WayzoneError {
  return new WayzoneError(
    'server-away',
    'PostgreSQL',
    `expected an answer from database ${names.join(', ')}, received none`,
    { status: 503, wireCode: 503 },
  );
}

/**
 * null: the request has no credential that counts, so any host may answer it. Throws what `CompanyPlaces.of` does, and `company-elsewhere` for a token
 * of companies in two databases.
 */
export function placeOfRequest<P extends Place>(
  places: CompanyPlaces<P>,
  tokens: TokenVerifier,
): (request: IncomingMessage) => Promise<P | null> {
  /** The companies of API keys by their hashes. The host of the company checks the key again. */
  const companies = new Map<string, string>();

  const companyOfKey = async (hash: string): Promise<string | null> => {
    const known = companies.get(hash);
    if (known !== undefined) return known;
    const hits = await places.search((db) =>
      db.selectFrom('api_keys').select('company_id').where('key_hash', '=', hash).executeTakeFirst(),
    );
    const [hit] = hits;
    if (hit === undefined) return null;
    if (companies.size >= MOST_KEYS) companies.clear();
    companies.set(hash, hit[1].company_id);
    return hit[1].company_id;
  };

  return async (request) => {
    const { headers, url = '' } = request;
    const ticket = /[?&]ticket=([^&#]+)/.exec(url)?.[1];
    if (ticket !== undefined) {
      const hash = keyHash(decoded(ticket));
      const hits = await places.search((db) =>
        db.selectFrom('tickets').select('hash').where('hash', '=', hash).executeTakeFirst(),
      );
      if (hits[0] !== undefined) return hits[0][0];
    }
    const { user_company_api_key: key } = headers;
    if (typeof key === 'string') {
      const companyId = await companyOfKey(keyHash(key));
      return companyId === null ? null : places.of(companyId);
    }
    const token = tokenOf(request);
    if (token === undefined) return null;
    const access = await tokens.verify(token).catch((error: unknown) => {
      // The host words the refusal of a token that is not valid.
      if ((error as { readonly status?: unknown }).status === 401) return null;
      throw error;
    });
    return access === null ? null : places.of(access.companyId);
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
