/**
 * Finds units by id or device key, from memory where possible. Unknown names are remembered for a short time, so that a tracker without a
 * unit costs no query for each of its messages; queries for the same name are shared.
 */

import type { Storage } from '../storage/storage.js';

/** How a message names its unit. */
export type UnitName = { readonly id: string } | { readonly key: string };

export interface UnitKeys {
  /** Looks the names up with at most two queries, and returns a function that gives the id of a name; null for an unknown or deleted unit. */
  find(companyId: string, names: readonly UnitName[]): Promise<(name: UnitName) => string | null>;
  /** Call it after a change of the company's units in this process. */
  forget(companyId: string): void;
}

/** Milliseconds for which a known unit is remembered: another process may delete it. */
const KNOWN_MS = 30_000;
/** Milliseconds for which an unknown name is remembered: another process may create it. */
const UNKNOWN_MS = 2000;
/** Maximum number of names of a company in memory. */
const MOST_NAMES = 200_000;
const MOST_COMPANIES = 1000;
/** Number of names in one query. */
const BATCH = 1000;

interface Known {
  readonly unitId: string | null;
  readonly until: number;
}

export function unitKeys({ db }: Storage, now: () => number = () => performance.now()): UnitKeys {
  const companies = new Map<string, Map<string, Known>>();
  const pending = new Map<string, Promise<void>>();

  const namesOf = (companyId: string): Map<string, Known> => {
    const known = companies.get(companyId);
    if (known !== undefined && known.size <= MOST_NAMES) return known;
    if (companies.size >= MOST_COMPANIES) companies.clear();
    const fresh = new Map<string, Known>();
    companies.set(companyId, fresh);
    return fresh;
  };

  const load = async (companyId: string, names: readonly string[]): Promise<void> => {
    const known = namesOf(companyId);
    for (let from = 0; from < names.length; from += BATCH) {
      const some = names.slice(from, from + BATCH);
      const listed = (mark: string): string[] => [
        // No unit has a name with NUL, which the database rejects.
        ...some.filter((name) => name.startsWith(mark) && !name.includes('\0')).map((name) => name.slice(1)),
        // `in` needs an item; no unit has an empty id or key.
        '',
      ];
      const rows = await db
        .selectFrom('units')
        .select(['id', 'device_key'])
        .where('company_id', '=', companyId)
        .where('is_delete', '=', false)
        .where((eb) => eb.or([eb('id', 'in', listed('i')), eb('device_key', 'in', listed('k'))]))
        .execute();
      for (const name of some) known.set(name, { unitId: null, until: now() + UNKNOWN_MS });
      for (const { id, device_key: key } of rows) {
        const found = { unitId: id, until: now() + KNOWN_MS };
        known.set(`i${id}`, found);
        known.set(`k${key}`, found);
      }
    }
  };

  return {
    async find(companyId, names) {
      const known = namesOf(companyId);
      const time = now();
      const missing = new Set<string>();
      for (const name of names) {
        const text = textOf(name);
        if (!((known.get(text)?.until ?? 0) > time)) missing.add(text);
      }
      if (missing.size > 0) {
        const waits = new Set<Promise<void>>();
        const own = [...missing].filter((text) => {
          const running = pending.get(`${companyId} ${text}`);
          if (running !== undefined) waits.add(running);
          return running === undefined;
        });
        if (own.length > 0) {
          const loading = load(companyId, own).finally(() => {
            for (const text of own) pending.delete(`${companyId} ${text}`);
          });
          for (const text of own) pending.set(`${companyId} ${text}`, loading);
          waits.add(loading);
        }
        await Promise.all(waits);
      }
      // Another request may have dropped the names in the meantime; those count as unknown only if the query said so.
      const current = companies.get(companyId) ?? known;
      return (name) => (current.get(textOf(name)) ?? known.get(textOf(name)))?.unitId ?? null;
    },
    forget: (companyId) => void companies.delete(companyId),
  };
}

function textOf(name: UnitName): string {
  return 'id' in name ? `i${name.id}` : `k${name.key}`;
}
