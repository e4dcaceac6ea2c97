/**
 * Links that sign a browser in, each once. A link has a token of an audience of its own, which opens nothing: the page exchanges it for an access token.
 * The host stores which were used, by their ids: one signature has several texts (RFC 4648 section 3.5).
 */

import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { requestError, WayzoneError } from 'wayzone';
import { DAY_MS, HOUR_MS } from '../durations.js';
import type { Settings } from '../settings.js';
import { isCompany } from '../storage/companyOf.js';
import type { Storage } from '../storage/storage.js';
import { keyHash } from './apiKeys.js';
import { type Access, signToken, tokenVerifier } from './tokens.js';

type Issuer = Pick<Settings, 'issuer' | 'audience'>;

const ofLinks = ({ issuer, audience }: Issuer): Issuer => ({ issuer, audience: `${audience}/sign-in` });

/** The address that signs in at the page of `url`, once, within `lifeMs`: an hour. */
export async function signInLink(
  url: string,
  secret: Uint8Array,
  settings: Issuer,
  access: Parameters<typeof signToken>[2],
  now: number,
  lifeMs: number = HOUR_MS,
): Promise<string> {
  return `${url}/map#once=${await signToken(secret, ofLinks(settings), access, now + lifeMs, randomUUID())}`;
}

export interface SignIn {
  /** An access token for a day. Throws `unauthorized` (401) for a link that is used, expired or not of this host. */
  redeem(link: string): Promise<string>;
}

export function signInLinks(
  storage: Storage,
  secret: Uint8Array,
  settings: Issuer,
  now: () => number,
): SignIn {
  const links = tokenVerifier({ secret, published: null }, ofLinks(settings), now, ({ companyId }) =>
    isCompany(storage, companyId),
  );
  return {
    async redeem(link) {
      const access: Access = await links.verify(link).catch((error: unknown) => {
        throw isUnauthorized(error) ? unusable('an invalid one') : error;
      });
      const { jti: id } = decodeJwt(link);
      if (typeof id !== 'string' || id === '') throw unusable('one without an id');
      if (!(await useOnce(storage, id, access.expiresAt!, now()))) throw unusable('a used one');
      return signToken(secret, settings, access, now() + DAY_MS);
    },
  };
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof WayzoneError && error.status === 401;
}

function unusable(received: string): Error {
  return requestError(401, `expected a link that was not used, received ${received}`, 'link');
}

/** Whether this is the first use of `id`, which is forgotten at `expires`. Both times in epoch milliseconds. */
export async function useOnce({ db }: Storage, id: string, expires: number, now: number): Promise<boolean> {
  await db.deleteFrom('used_links').where('expires', '<', String(now)).execute();
  const { numInsertedOrUpdatedRows: added = 0n } = await db
    .insertInto('used_links')
    .values({ hash: keyHash(id), expires })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added > 0n;
}
