/** Lines of round degrees with their values, for maps without a base map. */

import type { Feature } from 'geojson';
import type { Map as GlMap } from 'maplibre-gl';
import type { OwnSource } from './mapStyle.js';

const STEPS = [
  30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
];
/** Wanted pixels between lines. */
const SPACING = 150;
const MOST_LAT = 85;

interface DrawnMap {
  readonly map: GlMap;
  readonly set: (source: OwnSource, features: readonly Feature[]) => void;
}

export function startGraticule({ map, set }: DrawnMap): void {
  const draw = (): void => {
    const view = map.getBounds();
    const [west, east] = [view.getWest(), view.getEast()];
    const [south, north] = [Math.max(-MOST_LAT, view.getSouth()), Math.min(MOST_LAT, view.getNorth())];
    const wanted = ((east - west) * SPACING) / map.getContainer().clientWidth;
    const step = STEPS.findLast((value) => value >= wanted) ?? STEPS[0]!;
    const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
    const features: Feature[] = [];
    const line = (from: [number, number], to: [number, number], text: string): void =>
      void features.push({
        type: 'Feature',
        properties: { text },
        geometry: { type: 'LineString', coordinates: [from, to] },
      });
    for (let k = Math.ceil(west / step); k * step <= east; k++) {
      const lon = ((((k * step + 180) % 360) + 360) % 360) - 180;
      line([k * step, south], [k * step, north], `${Math.abs(lon).toFixed(digits)}°${lon < 0 ? 'W' : 'E'}`);
    }
    for (let k = Math.ceil(south / step); k * step <= north; k++) {
      const lat = k * step;
      line([west, lat], [east, lat], `${Math.abs(lat).toFixed(digits)}°${lat < 0 ? 'S' : 'N'}`);
    }
    set('graticule', features);
  };
  map.on('moveend', draw);
  map.on('resize', draw);
  draw();
}
