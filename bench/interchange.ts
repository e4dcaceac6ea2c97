/** KML written beside @placemarkio/tokml and xmlbuilder2's tree; reading of KML and GPX as it comes in. */

import { toKML } from '@placemarkio/tokml';
import type { Feature, FeatureCollection } from 'geojson';
import { create } from 'xmlbuilder2';
import type { Geozone, Pair } from '../src/core/wire.js';
import { fromGpx, fromKml, toKml } from '../src/interchange/index.js';
import { compare, table } from './harness.js';

/** Polygons of ten corners with every field that a stored row has. */
function zonesOf(count: number): Geozone[] {
  return Array.from({ length: count }, (_, i): Geozone => {
    const lon = (i % 300) * 0.3 - 45.123_456_7;
    const lat = Math.floor(i / 300) * 0.1 - 20.765_432_1;
    const ring = Array.from({ length: 10 }, (__, k): Pair => {
      const angle = (k / 5) * Math.PI;
      return [lon + 0.010_001 * Math.cos(angle), lat + 0.010_001 * Math.sin(angle)];
    });
    return {
      id: `id-${i}`,
      name: `Zone ${i}`,
      type: { key: 'polygon', type: 'geozone_type', value: 'Polygon' },
      geometry: [...ring, ring[0]!],
      color: { key: '#F56C6C', type: 'color_code', value: 'Red' },
      area: 1234.5,
      is_show_on_map: true,
      companies: [{ id: 'c1' }],
      created: '2026-01-01T00:00:00Z',
    };
  });
}

function collectionOf(zones: readonly Geozone[]): FeatureCollection {
  const features = zones.map(({ geometry, ...properties }): Feature => {
    const coordinates = [geometry.map(([lon, lat]) => [lon, lat])];
    return { type: 'Feature', id: properties.id, geometry: { type: 'Polygon', coordinates }, properties };
  });
  return { type: 'FeatureCollection', features };
}

/** The same Placemarks without styles, as a tree. */
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

function placemarks(text: string): number {
  return text.split('<Placemark').length - 1;
}

export function interchangeBench(quick: boolean): string {
  const count = quick ? 10_000 : 100_000;
  const zones = zonesOf(count);
  const collection = collectionOf(zones);
  const kml = toKml(zones);
  const points = Array.from(
    { length: count * 5 },
    (_, i) =>
      `<trkpt lat="${(i % 9000) / 100}" lon="${(i % 17_000) / 100}"><time>2026-01-01T00:00:00Z</time></trkpt>`,
  );
  const gpx = `<gpx version="1.1"><trk><trkseg>${points.join('\n')}</trkseg></trk></gpx>`;
  const megabytes = (text: string): number => text.length / 1e6;
  return [
    table(
      `Zones written as KML, ${count} polygons of 11 positions`,
      compare(
        [
          { name: 'toKml (styles and every field)', run: () => placemarks(toKml(zones)) },
          { name: '@placemarkio/tokml (no styles)', run: () => placemarks(toKML(collection)) },
          { name: 'xmlbuilder2 create() (no styles)', run: () => placemarks(treeOf(zones)) },
        ],
        count,
        3,
      ),
    ),
    table(
      `KML read, ${megabytes(kml).toFixed(0)} MB; for each byte`,
      compare([{ name: 'fromKml', run: () => fromKml(kml).value.zones.length }], kml.length, 3),
    ),
    table(
      `GPX read, ${megabytes(gpx).toFixed(0)} MB; for each byte`,
      compare(
        [{ name: 'fromGpx', run: () => fromGpx(gpx).value.tracks[0]?.fixes.length ?? 0 }],
        gpx.length,
        3,
      ),
    ),
  ].join('\n');
}
