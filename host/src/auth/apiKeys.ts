/** API keys: their hashes, the access of a key, and pauses after guessed keys. */

import { createHash } from 'node:crypto';
import { requestError } from 'wayzone';
import type { Storage } from '../storage/storage.js';
import { isRole } from './roles.js';
import type { Access } from './tokens.js';

/** Different unknown keys of one address before it waits, and keys of it that are looked up at once. */
const MOST_KEYS = 20;
const FIRST_WAIT_MS = 60_000;
const MOST_WAIT_MS = 3_600_000;
/** An address is forgotten when it has tried no unknown key and has not waited for this time. */
const FORGOTTEN_MS = 3_600_000;
/** The wait of a key while many of its address are being looked up. */
const BUSY_MS = 1000;
const NEVER = Number.NEGATIVE_INFINITY;
const MOST_ADDRESSES = 10_000;
/** Known keys that are remembered for each address that is. */
const KNOWN_SHARE = 10;

export function keyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The access that a key grants. Throws `unauthorized` (401) for an unknown or expired key. */
export async function accessOfKey({ db }: Storage, key: string, now: number): Promise<Access> {
  const found = await db
    .selectFrom('api_keys')
    .select(['company_id', 'user_id', 'role', 'companies', 'expires'])
    .where('key_hash', '=', keyHash(key))
    .executeTakeFirst();
  const expiresAt = found?.expires == null ? null : Number(found.expires);
  if (found === undefined || !isRole(found.role) || (expiresAt !== null && expiresAt <= now))
    throw requestError(
      401,
      'expected a known API key that has not expired, received another',
      'user_company_api_key',
    );
  const { company_id: companyId, user_id: userId, role, companies } = found;
  return { companyId, userId, role, companies, name: '', email: '', expiresAt, isKey: true };
}

export interface KeyGuesses {
  /**
   * Milliseconds for which the key of this address must not be looked up; 0: none. A key that was found for the address before never waits.
   * Any other one does, known or not: an answer would tell which it is.
   */
  waitMs(ip: string, key: string): number;
  /** Calls `find`, and counts a key that it does not find. */
  look<Found>(ip: string, key: string, find: () => Promise<Found | undefined>): Promise<Found | undefined>;
}

interface Address {
  /** Digests of unknown keys since the last wait. */
  readonly unknown: Set<string>;
  looking: number;
  /** The last wait. */
  waitMs: number;
  /** Epoch milliseconds. */
  waitsUntil: number;
  lastUnknown: number;
}

/** Remembers `most` addresses, and forgets the oldest. */
export function keyGuesses(now: () => number, most: number = MOST_ADDRESSES): KeyGuesses {
  const addresses = new Map<string, Address>();
  const known = new Set<string>();

  const addressOf = (network: string): Address => {
    const found = addresses.get(network);
    if (found !== undefined) {
      const last = Math.max(found.lastUnknown, found.waitsUntil);
      if (found.looking > 0 || now() < last + FORGOTTEN_MS) return found;
    }
    return { unknown: new Set(), looking: 0, waitMs: 0, waitsUntil: NEVER, lastUnknown: NEVER };
  };
  const countUnknown = (address: Address, digest: string): void => {
    address.lastUnknown = now();
    address.unknown.add(digest);
    if (address.unknown.size < MOST_KEYS) return;
    address.unknown.clear();
    address.waitMs = Math.min(Math.max(2 * address.waitMs, FIRST_WAIT_MS), MOST_WAIT_MS);
    address.waitsUntil = now() + address.waitMs;
  };
  const remember = (pair: string): void => {
    known.delete(pair);
    known.add(pair);
    if (known.size > KNOWN_SHARE * most) known.delete(known.values().next().value!);
  };

  return {
    waitMs(ip, key) {
      const network = networkOf(ip);
      if (known.has(`${network} ${digestOf(key)}`)) return 0;
      const { waitsUntil, waitMs, looking } = addressOf(network);
      // A clock that was set back lengthens no wait.
      const rest = Math.min(waitsUntil - now(), waitMs);
      return rest > 0 ? rest : looking < MOST_KEYS ? 0 : BUSY_MS;
    },
    async look(ip, key, find) {
      const network = networkOf(ip);
      const digest = digestOf(key);
      const pair = `${network} ${digest}`;
      const address = addressOf(network);
      addresses.delete(network);
      addresses.set(network, address);
      if (addresses.size > most) addresses.delete(addresses.keys().next().value!);
      address.looking++;
      try {
        const found = await find();
        if (found !== undefined) remember(pair);
        else {
          known.delete(pair);
          countUnknown(address, digest);
        }
        return found;
      } finally {
        address.looking--;
        if (address.looking === 0 && address.lastUnknown === NEVER && addresses.get(network) === address)
          addresses.delete(network);
      }
    },
  };
}

const digestOf = (key: string): string => createHash('sha256').update(key).digest('base64');

/** An IPv4 address, or the first 64 bits of an IPv6 address, which one subscriber has. */
function networkOf(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (v4 !== null) return v4[1]!;
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(8 - groups.length - last.length, 0) }, () => '0');
  const first = [...groups, ...zeros, ...last].slice(0, 4);
  return first.map((one) => Number.parseInt(one, 16).toString(16)).join(':');
}
