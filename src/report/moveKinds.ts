/** The kinds of movement on a page: their numbers in its data, and their words. */

/** The first three have items of their own; the others are reasons of unknown time. */
export const MOVE_KINDS = ['trip', 'parking', 'stop', 'unknown-gap', 'unknown-jump', 'unknown-short', 'unknown-open'] as const; // biome-ignore format: one line

export type MoveKind = (typeof MOVE_KINDS)[number];

export function isUnknown(kind: MoveKind): boolean {
  return kind.startsWith('unknown');
}
