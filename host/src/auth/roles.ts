/** The roles of callers. A role satisfies a minimum if its rank is at least that of the minimum. */

/** Ranks, lowest first. CONTROLLER has the rights of USER; TARIFF_EDITOR has the rights of VIEWER. */
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

/** Roles that an operation may require as its minimum. */
export type MinRole = 'VIEWER' | 'USER' | 'MANAGER' | 'ADMIN' | 'SUPER_ADMIN';

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(RANKS, value);
}

export function satisfies(role: Role, minimum: MinRole): boolean {
  return RANKS[role] >= RANKS[minimum];
}
