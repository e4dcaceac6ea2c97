/** Writers of KML text: wayzone and its peers. A peer's input is prepared before timing starts. */

import { toKML } from '@placemarkio/tokml';
import type { Feature } from 'geojson';
import { create } from 'xmlbuilder2';
import type { Geozone } from '../src/core/wire.js';
import { toKml } from '../src/interchange/index.js';

export type WriterName = 'toKml' | 'tokml' | 'xmlbuilder2';

export const WRITERS: Readonly<Record<WriterName, (zones: readonly Geozone[]) => () => string>> = {
  toKml: (zones) => () => toKml(zones),
  tokml: (zones) => {
    const features = zones.map(({ geometry, ...properties }): Feature => {
      const coordinates = [geometry.map(([lon, lat]) => [lon, lat])];
      return { type: 'Feature', id: properties.id, geometry: { type: 'Polygon', coordinates }, properties };
    });
    return () => toKML({ type: 'FeatureCollection', features });
  },
  xmlbuilder2: (zones) => () => treeOf(zones),
};

/** Writes the same Placemarks without styles through xmlbuilder2's tree. */
function treeOf(zones: readonly Geozone[]): string {
  const document = create().ele('kml').ele('Document');
  for (const { geometry, ...fields } of zones) {
    const placemark = document.ele('Placemark');
    placemark.ele('name').txt(fields.name);
    const data = placemark.ele('ExtendedData');
    for (const [name, value] of Object.entries(fields)) {
      data.ele('Data', { name }).ele('value').txt(JSON.stringify(value));
    }
    const ring = placemark.ele('Polygon').ele('outerBoundaryIs').ele('LinearRing');
    ring.ele('coordinates').txt(geometry.map(([lon, lat]) => `${lon},${lat}`).join(' '));
  }
  return document.end();
}
