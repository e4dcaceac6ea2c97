/** Lines of round degrees with their values, for maps without a base map. */

import type { Feature } from 'geojson';
import type { Map as GlMap } from 'maplibre-gl';
import { graticuleLines } from '../../../../src/report/client/graticuleLines.js';
import type { OwnSource } from './mapStyle.js';

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
    const spacing = ((east - west) * SPACING) / map.getContainer().clientWidth;
    const features = graticuleLines([west, south, east, north], spacing).map(
      ({ isMeridian, value, text }): Feature => ({
        type: 'Feature',
        properties: { text },
        geometry: {
          type: 'LineString',
          coordinates: isMeridian
            ? [
                [value, south],
                [value, north],
              ]
            : [
                [west, value],
                [east, value],
              ],
        },
      }),
    );
    set('graticule', features);
  };
  map.on('moveend', draw);
  map.on('resize', draw);
  draw();
}
