/** Keeps what was read of companies in memory, within a limit of bytes, at the database's version. */

import { databaseEpoch } from '../storage/databaseClock.js';
import type { Storage } from '../storage/storage.js';

export interface Versioned {
  /** All writes up to this version are there. */
  readonly version: number;
  /** No write of a later version than this is there: the rows are those of one moment if both versions are equal. */
  readonly upTo: number;
}

/** Maximum number of changed rows that are applied one by one, about 20 ms; with more, all are read anew. */
export const MOST_CHANGES = 1000;
/** Attempts at reading the rows of one moment. */
const MOST_READS = 3;

export interface VersionedOptions<Held extends Versioned> {
  readonly storage: Storage;
  /** Limit of the memory, bytes. Above it the least recently used companies are dropped. */
  readonly maxBytes: number;
  readonly bytesOf: (held: Held) => number;
  /** Reads all rows. */
  readonly read: (companyId: string) => Promise<Held>;
  /** Opens the zones of a company that a former process saved; null without them. */
  readonly open?: (companyId: string) => Promise<Held | null>;
  /** Applies the rows written since. Returns false and does nothing if there are more than `MOST_CHANGES`. */
  readonly change: (companyId: string, held: Held) => Promise<boolean>;
  /** Number of rows that were applied since all were read. Beyond `MOST_CHANGES` all are read again, beside the old ones. */
  readonly changesOf: (held: Held) => number;
}

export interface VersionedCache<Held extends Versioned> {
  /** The zones in memory, which count as used now; else reads them. */
  readonly of: (companyId: string) => Promise<Held>;
  /** The zones in memory; does not count as a use. */
  readonly known: (companyId: string) => Held | undefined;
  /** Brings the company to the version of now. */
  readonly refresh: (companyId: string) => Promise<Held>;
  /** Forgets everything if the database is another one: its versions do not compare with those of before. Returns whether it is. */
  readonly checkEpoch: () => Promise<boolean>;
  readonly all: () => ReadonlyMap<string, Held>;
  readonly bytes: () => number;
}

export async function versionedCache<Held extends Versioned>({
  storage,
  maxBytes,
  bytesOf,
  read,
  open = async () => null,
  change,
  changesOf,
}: VersionedOptions<Held>): Promise<VersionedCache<Held>> {
  /** The least recently used company is the first. */
  const held = new Map<string, Held>();
  const underWay = new Map<string, Promise<Held>>();
  /** The entries that are being read again, and by company the results, until the next refresh takes them. */
  const renewed = new Set<Held>();
  const fresh = new Map<string, Held>();
  let epoch = await databaseEpoch(storage.db);

  const bytes = (): number => [...held.values()].reduce((sum, one) => sum + bytesOf(one), 0);
  const put = (companyId: string, one: Held): void => {
    held.delete(companyId);
    held.set(companyId, one);
    let sum = bytes();
    for (const [id, other] of held) {
      if (sum <= maxBytes || held.size === 1) return;
      held.delete(id);
      fresh.delete(id);
      sum -= bytesOf(other);
    }
  };

  const checkEpoch = async (): Promise<boolean> => {
    const current = await databaseEpoch(storage.db);
    if (current === epoch) return false;
    epoch = current;
    held.clear();
    fresh.clear();
    return true;
  };

  const refresh = (companyId: string): Promise<Held> => {
    const running = underWay.get(companyId);
    // A read that is under way may miss later commits: waits for it, then reads again.
    const next = (running ?? Promise.resolve()).catch(() => {}).then(() => load(companyId));
    const shared = next.finally(() => {
      if (underWay.get(companyId) === shared) underWay.delete(companyId);
    });
    underWay.set(companyId, shared);
    return shared;
  };

  const load = async (companyId: string): Promise<Held> => {
    await checkEpoch();
    const readIn = epoch;
    let one = fresh.get(companyId) ?? held.get(companyId);
    one ??= (await open(companyId)) ?? (await read(companyId));
    fresh.delete(companyId);
    // At once if nothing is there: after a failed change not all need be read again.
    if (!held.has(companyId)) put(companyId, one);
    // Many rows may be written while all are read. Such rows are those of no one moment until they are read again.
    for (let i = 0; i < MOST_READS && !(await change(companyId, one)); i++) one = await read(companyId);
    // Only now: what is in memory may have later writes than what was read beside it.
    if (readIn === epoch && one !== held.get(companyId)) put(companyId, one);
    if (readIn !== epoch) held.delete(companyId);
    else if (changesOf(one) > MOST_CHANGES) void renew(companyId, one).catch(() => {});
    return one;
  };

  /** Reads all beside the old rows: what works on them reads the changes since with each question, so these must stay few. */
  const renew = async (companyId: string, old: Held): Promise<void> => {
    if (renewed.has(old)) return;
    renewed.add(old);
    try {
      const readIn = epoch;
      const anew = await read(companyId);
      if (readIn !== epoch || held.get(companyId) !== old) return;
      fresh.set(companyId, anew);
      await refresh(companyId);
    } finally {
      renewed.delete(old);
    }
  };

  return {
    async of(companyId) {
      const one = held.get(companyId);
      if (one === undefined) return refresh(companyId);
      held.delete(companyId);
      held.set(companyId, one);
      return one;
    },
    known: (companyId) => held.get(companyId),
    refresh,
    checkEpoch,
    all: () => held,
    bytes,
  };
}
