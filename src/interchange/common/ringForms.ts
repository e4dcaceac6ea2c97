/**
 * Words for the form of a stored polygon's rings. In a file, rings must be closed and outer ones counterclockwise; the word restores the
 * stored form without a second copy of the numbers.
 */

import { FlatPairs } from '../../core/flatPairs.js';
import type { Position } from '../../core/geometry.js';
import type { LonLatShape } from './lonLatShape.js';

type Ring = readonly Position[];

/** By word: converts the ring in the file to the stored ring. */
const FORMS: Readonly<Record<string, (ring: Ring) => Ring>> = {
  open,
  reversed: (ring) => {
    const turned = open(ring).reverse();
    return turned[0] === undefined ? turned : [...turned, turned[0]];
  },
  'open reversed': (ring) => open(ring).reverse(),
};

/** The words, as in a zone's field `geometry`. */
export const RING_FORMS: readonly string[] = Object.keys(FORMS);

/** The stored shape by its word. Null for an unknown word or a shape that is not a polygon. */
export function storedForm(shape: LonLatShape, form: unknown): LonLatShape | null {
  if (shape.key !== 'polygon' || typeof form !== 'string' || !Object.hasOwn(FORMS, form)) return null;
  const stored = FORMS[form]!;
  const { key, geometry, parts } = shape;
  return {
    key,
    geometry: stored(geometry instanceof FlatPairs ? geometry.toPairs() : geometry),
    parts: parts?.map((rings) => rings.map((ring) => stored(ring))) ?? null,
  };
}

/** The ring without its closing position. */
function open(ring: Ring): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  const isClosed = ring.length > 1 && first![0] === last![0] && first![1] === last![1];
  return isClosed ? ring.slice(0, -1) : [...ring];
}
