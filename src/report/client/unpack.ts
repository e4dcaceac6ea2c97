/** Reverses `packLine`. */

import type { PageTripShape } from '../pageData.js';

/** Positions `[lat, lon]` in degrees of a packed line. */
export function unpack(packed: readonly number[]): [number, number][] {
  const line: [number, number][] = [];
  let lat = 0;
  let lon = 0;
  for (let i = 0; i + 1 < packed.length; i += 2) {
    lat += packed[i]!;
    lon += packed[i + 1]!;
    line.push([lat / 1e6, lon / 1e6]);
  }
  return line;
}

/** The outline of a zone or point; a dot for a bare position. */
export function drawnOutlineOf(
  shape: PageTripShape,
  options: L.CircleMarkerOptions,
): L.Polygon | L.CircleMarker {
  const rings = shape.map((polygon) => polygon.map(unpack));
  const first = rings[0]?.[0] ?? [];
  if (first.length === 1) return L.circleMarker(first[0]!, { ...options, radius: 5, fillOpacity: 0.7 });
  return L.polygon(rings, options);
}
