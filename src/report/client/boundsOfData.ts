/** The box of all zones and tracks. */

import type { PageData } from '../pageData.js';

/** The box of all zones and tracks, whose lines are packed by `packLine`. Yields after each zone and unit. */
export function* boundsOfData({ zones, units }: PageData): Generator<void, L.LatLngBounds, void> {
  let [west, south] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [east, north] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const add = (packed: readonly number[]): void => {
    let [lat, lon] = [0, 0];
    for (let i = 0; i + 1 < packed.length; i += 2) {
      lat += packed[i]!;
      lon += packed[i + 1]!;
      west = Math.min(west, lon);
      east = Math.max(east, lon);
      south = Math.min(south, lat);
      north = Math.max(north, lat);
    }
  };
  for (const { shape, line } of zones) {
    for (const ring of shape.flat()) add(ring);
    if (line !== null) add(line);
    yield;
  }
  for (const { lines } of units) {
    lines.forEach(add);
    yield;
  }
  if (south > north) return L.latLngBounds([]);
  return L.latLngBounds([south / 1e6, west / 1e6], [north / 1e6, east / 1e6]);
}
