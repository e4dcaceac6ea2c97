/** The outline of a shape on the map. */

import type { PageTripShape } from '../pageData.js';
import { unpack } from './unpack.js';

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
