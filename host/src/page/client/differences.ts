/** Two edits of one zone: what differs, and the zone that the user's choices give. */

import type { PageZone } from './app.js';

export type Choice = 'mine' | 'theirs';

export interface Difference {
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** The side that alone changed the field; `mine` if both did. */
  readonly choice: Choice;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the host computes. */
const COMPUTED: readonly string[] = [
  'id',
  'area',
  'perimeter',
  'polygon_geometry',
  'created',
  'is_delete',
  'companies',
];

/** The fields in which the two edits of `base` differ. */
export function differences(base: PageZone, mine: object, theirs: PageZone): Difference[] {
  const [before, own, other] = [base, mine, theirs] as unknown as [Fields, Fields, Fields];
  const fields = new Set([...Object.keys(other), ...Object.keys(own)]);
  return [...fields].flatMap((field): Difference[] => {
    if (COMPUTED.includes(field) || isSame(own[field], other[field])) return [];
    const choice = isSame(own[field], before[field]) ? 'theirs' : 'mine';
    return [{ field, mine: own[field] ?? null, theirs: other[field] ?? null, choice }];
  });
}

/** `theirs` with the chosen fields of `mine`. */
export function merged(
  theirs: PageZone,
  list: readonly Difference[],
  choiceOf: (field: string) => Choice,
): PageZone {
  const own = list.filter(({ field }) => choiceOf(field) === 'mine');
  return { ...theirs, ...Object.fromEntries(own.map(({ field, mine }) => [field, mine])) } as PageZone;
}

/** Absent and null are the same, and so are entries of a dictionary with the same key. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

function plain(value: unknown): unknown {
  const key: unknown = Object(value).key;
  return typeof key === 'string' ? key : (value ?? null);
}
