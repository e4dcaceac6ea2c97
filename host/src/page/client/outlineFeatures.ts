/** The outline of a zone as features: its area, and its border in lines that a map can draw. */

import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';

/** MapLibre draws no line of more than 6,553 vertices: it plans ten for each in a segment of 65,535. */
const MOST_VERTICES = 5000;

/** One feature marked `area`, and the lines of its border. */
export function outlineFeatures(geometry: Polygon | MultiPolygon): Feature[] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return [
    { type: 'Feature', properties: { area: true }, geometry },
    ...polygons.flat().flatMap(lineFeatures),
  ];
}

/** Cuts a line into features; each begins at the end of the one before. */
export function lineFeatures(line: readonly Position[]): Feature[] {
  const features: Feature[] = [];
  for (let from = 0; from + 1 < line.length; from += MOST_VERTICES - 1) {
    const coordinates = line.slice(from, from + MOST_VERTICES);
    features.push({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } });
  }
  return features;
}
