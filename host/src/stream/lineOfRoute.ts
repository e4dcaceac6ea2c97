/** The line of a stored route. */

import type { Pair, Route } from 'wayzone';

/** Through points and centres of circles and along lines, in their order. `polygon`: the place of a polygon, through which no line is known. */
export function lineOfRoute({ points }: Route): { readonly line: Pair[] } | { readonly polygon: number } {
  const polygon = points.findIndex(({ type }) => type.key === 'polygon');
  if (polygon !== -1) return { polygon };
  return { line: points.flatMap(({ geometry, coordinates }) => [...(geometry ?? coordinates ?? [])]) };
}
