/** Bearer tokens (RFC 6750) as JSON Web Tokens (RFC 7519), verified by `jose` and remembered until they expire. */

import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { requestError } from 'wayzone';
import type { PublishedKeys, Settings } from '../settings.js';
import { isStorable, storable } from '../storage/checkText.js';
import { storedId } from '../storage/storedId.js';
import { isRole, type Role } from './roles.js';

/** The caller of a request. */
export interface Access {
  readonly companyId: string;
  readonly userId: string;
  readonly role: Role;
  /** Further companies of the user, in which the role is the same. */
  readonly companies: readonly string[];
  /** The user's name and e-mail; empty if the token does not state them. */
  readonly name: string;
  readonly email: string;
  /** Epoch milliseconds; null for an API key without expiry. */
  readonly expiresAt: number | null;
  /** Whether an administrator has issued the credential as an API key, for any user id. */
  readonly isKey?: boolean;
}

export interface TokenVerifier {
  /** The caller of a token that was verified earlier and is still valid; `null` for any other token. */
  known(token: string): Access | null;
  /** Verifies a token. Throws `unauthorized` (401) if it is not valid now, or of a company that does not exist. */
  verify(token: string): Promise<Access>;
}

const MAX_REMEMBERED = 10_000;
const UNAUTHORIZED = 'expected a valid access token, received an invalid one';

/** Keys of bearer tokens: the host's secret, and an issuer's published keys. */
export interface TokenKeys {
  readonly secret: Uint8Array | null;
  readonly published: PublishedKeys | null;
}

/** `isKnown`: whether the company of a verified token exists. Its errors are not cached. */
export function tokenVerifier(
  keys: TokenKeys,
  { issuer, audience }: Pick<Settings, 'issuer' | 'audience'>,
  now: () => number,
  isKnown: (access: Access) => Promise<boolean>,
): TokenVerifier {
  const remembered = new Map<string, Access & { readonly expiresAt: number }>();
  const check = checkOf(keys);
  const known = (token: string): Access | null => {
    const access = remembered.get(token);
    if (access === undefined || access.expiresAt > now()) return access ?? null;
    remembered.delete(token);
    return null;
  };
  return {
    known,
    async verify(token) {
      const before = known(token);
      if (before !== null) return before;
      const payload = await check(token, issuer, audience, now()).catch(() => null);
      const access = payload === null ? null : accessOf(payload);
      if (access === null || !(await isKnown(access))) throw requestError(401, UNAUTHORIZED, 'authorization');
      if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value!);
      remembered.set(token, access);
      return access;
    },
  };
}

type Check = (token: string, issuer: string, audience: string, now: number) => Promise<JWTPayload>;

function checkOf({ secret, published }: TokenKeys): Check {
  const remote = published === null ? null : createRemoteJWKSet(new URL(published.url));
  return async (token, issuer, audience, now) => {
    // The host signs by HS256 alone.
    const isOwn = remote === null || (secret !== null && decodeProtectedHeader(token).alg === 'HS256');
    const { payload } = await jwtVerify<JWTPayload>(token, isOwn ? async () => secret! : remote, {
      algorithms: isOwn ? ['HS256'] : [...published!.algorithms],
      issuer,
      audience,
      currentDate: new Date(now),
      requiredClaims: ['exp', 'iss', 'aud', 'company_id', 'role'],
    });
    return payload;
  };
}

/** The caller whom verified claims name; null if they lack a company, a role or an expiry, or the database cannot store them. */
export function accessOf(payload: JWTPayload): (Access & { readonly expiresAt: number }) | null {
  const { company_id: companyId, role, sub, exp, companies = [], name, email } = payload;
  if (typeof companyId !== 'string' || companyId === '' || !isRole(role) || exp === undefined) return null;
  if (!Array.isArray(companies) || !companies.every((id) => typeof id === 'string')) return null;
  if (![companyId, sub ?? '', ...companies].every(isStorable)) return null;
  return {
    companyId: storedId(companyId),
    role,
    userId: storedId(sub ?? ''),
    companies: companies.map(storedId),
    name: typeof name === 'string' ? storable(name) : '',
    email: typeof email === 'string' ? storable(email) : '',
    expiresAt: exp * 1000,
  };
}

/** Signs a token with the host's own secret, for the first start and for tests. `id`: makes the token one of its kind. */
export async function signToken(
  secret: Uint8Array,
  { issuer, audience }: Pick<Settings, 'issuer' | 'audience'>,
  access: Pick<Access, 'companyId' | 'userId' | 'role'> &
    Partial<Pick<Access, 'companies' | 'name' | 'email'>>,
  expiresAt: number,
  id?: string,
): Promise<string> {
  const { companyId, role, companies, name, email } = access;
  return new SignJWT({
    ...(id === undefined ? {} : { jti: id }),
    company_id: companyId,
    role,
    ...(companies === undefined ? {} : { companies }),
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
  })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(access.userId)
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(secret);
}
