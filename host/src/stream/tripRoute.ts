/** The route that a trip follows. */

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
