/** The access that the claims of an ID token grant, by the settings of its issuer. */

import type { JWTPayload } from 'jose';
import { WayzoneError } from 'wayzone';
import type { IssuerSignIn } from '../settings.js';
import { isRole, RANKED_ROLES, type Role, rankOf, type SideRanks } from './roles.js';
import { type Access, accessOf } from './tokens.js';

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
