/** A trip on the map: its planned points and the way that its unit took. */

import type { Feature } from 'geojson';
import { type Fix, type ZoneShape, zoneOutline } from 'wayzone';
import type { TripInput } from 'wayzone/trips';
import type { App } from './app.js';
import { boxOfPositions } from './boxOf.js';

/** Milliseconds without a fix after which the drawn way has a gap. */
export const GAP_MS = 600_000;

/** Draws the planned points as areas with their numbers, and the way that the unit took. Returns a function that draws them again. */
export function showTrip(
  { fleetMap }: App,
  trip: Pick<TripInput, 'points'>,
  fixes: readonly Fix[],
): () => void {
  const plan: Feature[] = trip.points.flatMap((point, i) => {
    const shape = point as unknown as ZoneShape & { readonly coordinates?: ZoneShape['geometry'] };
    const whole = { ...shape, geometry: shape.geometry ?? shape.coordinates! };
    const place: Feature = {
      type: 'Feature',
      properties: { number: String(i + 1) },
      geometry: { type: 'Point', coordinates: [...whole.geometry[0]!] },
    };
    try {
      return [place, { type: 'Feature', properties: {}, geometry: zoneOutline(whole) as never }];
    } catch {
      // A bare position has no outline.
      return [place];
    }
  });
  const lines: [number, number][][] = [];
  fixes.forEach(({ lon, lat, time }, i) => {
    const before = fixes[i - 1];
    if (before === undefined || time - before.time > GAP_MS) lines.push([]);
    lines.at(-1)!.push([lon, lat]);
  });
  const draw = (): void => {
    fleetMap.set('plan', plan);
    fleetMap.set('happened', [
      { type: 'Feature', properties: {}, geometry: { type: 'MultiLineString', coordinates: lines } },
    ]);
  };
  draw();
  const places = trip.points.map(
    (point) => (point.geometry ?? (point as { coordinates?: ZoneShape['geometry'] }).coordinates)![0]!,
  );
  const box = boxOfPositions([
    ...places.map(([lon, lat]): [number, number] => [lon!, lat!]),
    ...fixes.map(({ lon, lat }): [number, number] => [lon, lat]),
  ]);
  if (box !== null) fleetMap.show(box);
  return draw;
}
