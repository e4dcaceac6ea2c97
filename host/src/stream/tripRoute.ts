/** The route that a trip follows. */

import type { Pair, Route } from 'wayzone';

/** The field `route` of a trip. */
export interface TripRoute {
  readonly id: string;
  /** The whole width of the corridor, metres. */
  readonly width: number;
}

/** null for a trip without a route. */
export function routeOf(trip: object): TripRoute | null {
  const { route } = trip as { readonly route?: { readonly id?: unknown; readonly width?: unknown } | null };
  const { id, width } = Object(route) as { readonly id?: unknown; readonly width?: unknown };
  return typeof id === 'string' && typeof width === 'number' && Number.isFinite(width) && width > 0
    ? { id, width }
    : null;
}

/** Through points and centres of circles and along lines, in their order. `polygon`: the place of a polygon, through which no line is known. */
export function lineOfRoute({ points }: Route): { readonly line: Pair[] } | { readonly polygon: number } {
  const polygon = points.findIndex(({ type }) => type.key === 'polygon');
  if (polygon !== -1) return { polygon };
  return { line: points.flatMap(({ geometry, coordinates }) => [...(geometry ?? coordinates ?? [])]) };
}
