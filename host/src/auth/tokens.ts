/** Access tokens: signed, verified, and the access that a verified token or a key of an issuer gives. */

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRemoteJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { requestError, WayzoneError } from 'wayzone';
import type { IssuerSignIn, PublishedKeys, Settings } from '../settings.js';
import { isStorable, storable } from '../storage/checkText.js';
import { syncPath } from '../storage/embeddedStorage.js';
import { storedId } from '../storage/storedId.js';
import { isRole, RANKED_ROLES, type Role, rankOf, type SideRanks } from './roles.js';

const BYTES = 32;

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
interface TokenKeys {
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
function accessOf(payload: JWTPayload): (Access & { readonly expiresAt: number }) | null {
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

/**
 * The access of a bearer token with the same claims. If the claims name several companies, one is active; if they name several roles, the
 * highest counts. Throws `sign-in-company` or `sign-in-role` with the name of a claim that grants nothing.
 */
export function claimedAccess(
  claims: JWTPayload,
  { companyClaim, roleClaim, companies, roles }: IssuerSignIn,
  sides: SideRanks,
): Access {
  const named = meanings(textsAt(claims, companyClaim), companies);
  if (named.length === 0) throw refused('sign-in-company', companyClaim, 'a company');
  const found = meanings(textsAt(claims, roleClaim), roles).filter(isRole);
  const rank = (role: Role): number => RANKED_ROLES.indexOf(rankOf(role, sides));
  const [role] = found.sort((a, b) => rank(b) - rank(a));
  if (role === undefined) throw refused('sign-in-role', roleClaim, 'a role');
  const [company_id, ...others] = named;
  const further = companies === null ? textsAt(claims, 'companies') : [];
  const access = accessOf({ ...claims, company_id, role, companies: [...others, ...further] });
  if (access === null) throw refused('sign-in-company', companyClaim, 'texts that the database can store');
  return access;
}

/** The texts of a claim that has one or a list. Dots lead into objects, unless the claim's own name has them. */
function textsAt(claims: JWTPayload, name: string): string[] {
  const value = Object.hasOwn(claims, name)
    ? claims[name]
    : name
        .split('.')
        .reduce<unknown>(
          (part, key) => (Object.hasOwn(Object(part), key) ? Object(part)[key] : undefined),
          claims,
        );
  return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
}

/** The meanings of texts by a table, each once; without a table the texts themselves. */
function meanings<Meaning extends string>(
  texts: readonly string[],
  table: ReadonlyMap<string, Meaning> | null,
): string[] {
  if (table === null) return [...new Set(texts)];
  const found = texts.flatMap((text) => (text === '*' ? [] : (table.get(text) ?? [])));
  const rest = table.get('*');
  return found.length > 0 || rest === undefined ? [...new Set(found)] : [rest];
}

function refused(code: 'sign-in-company' | 'sign-in-role', claim: string, wanted: string): WayzoneError {
  return new WayzoneError(code, claim, `expected a claim that names ${wanted}, received none`);
}

/** null if an issuer signs all tokens. */
export function secretOf({
  secret,
  published,
  signIn,
  dataDir,
}: Pick<Settings, 'secret' | 'published' | 'signIn' | 'dataDir'>): Uint8Array | null {
  return published !== null && signIn === null ? null : (secret ?? secretIn(dataDir));
}

function secretIn(folder: string): Uint8Array {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'secret');
  const own = `${file}.${process.pid}`;
  try {
    writeFileSync(own, randomBytes(BYTES), { mode: 0o600, flush: true });
    // Fails if there is a secret. A power cut leaves the whole secret or none.
    linkSync(own, file);
    syncPath(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return readFileSync(file);
}
