/** The roles of callers, in the platform's order. A role satisfies a minimum if its rank is at least that of the minimum. */

/** The ordered roles, lowest first. */
export const RANKED_ROLES = [
  'NO_ACCESS',
  'OBSERVER',
  'READER',
  'OPERATOR',
  'EDITOR',
  'ADMIN',
  'SUPERVISOR',
] as const;

/** A role that an operation may require as its minimum. */
export type MinRole = (typeof RANKED_ROLES)[number];

/** The roles beside the order. A setting gives each the rank of an ordered role. */
export type SideRole = 'TARIFF_EDITOR' | 'CONTROLLER';

export type Role = MinRole | SideRole;

/** The rank of each role beside the order. */
export type SideRanks = Readonly<Record<SideRole, MinRole>>;

export const ROLES: readonly Role[] = [...RANKED_ROLES, 'TARIFF_EDITOR', 'CONTROLLER'];

export function isRole(value: unknown): value is Role {
  return ROLES.includes(value as Role);
}

/** The ordered role whose rank a role has. */
export function rankOf(role: Role, sides: SideRanks): MinRole {
  return role === 'TARIFF_EDITOR' || role === 'CONTROLLER' ? sides[role] : role;
}

/** Whether `role` has at least the rank of `minimum`. */
export function satisfies(role: Role, minimum: MinRole, sides: SideRanks): boolean {
  return RANKED_ROLES.indexOf(rankOf(role, sides)) >= RANKED_ROLES.indexOf(minimum);
}
