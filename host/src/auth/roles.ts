/** Which role may do what: a role satisfies a minimum when its rank is at least that of the minimum. */

/** Ranks from the least to the greatest. CONTROLLER watches a fleet as a USER does; TARIFF_EDITOR reads as a VIEWER does. */
const RANKS = {
  VIEWER: 1,
  TARIFF_EDITOR: 1,
  USER: 2,
  CONTROLLER: 2,
  MANAGER: 3,
  ADMIN: 4,
  SUPER_ADMIN: 5,
} as const;

export type Role = keyof typeof RANKS;

/** Minimums that operations name. */
export type MinRole = 'VIEWER' | 'USER' | 'MANAGER' | 'ADMIN' | 'SUPER_ADMIN';

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(RANKS, value);
}

export function satisfies(role: Role, minimum: MinRole): boolean {
  return RANKS[role] >= RANKS[minimum];
}
