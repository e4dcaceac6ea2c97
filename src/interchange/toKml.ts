/** Zones as a KML 2.2 document (OGC 07-147r2). */

import { create } from 'xmlbuilder2';
import type { Position } from '../core/geometry.js';
import type { Geozone, GeozoneGroup, ZoneOptions } from '../core/wire.js';
import { colorToKml } from './kmlStyles.js';
import { GROUP_DATA, ORDINAL_DATA, wireDataName, wireJson } from './kmlWire.js';
import { xmlCharacters, xmlText } from './xmlText.js';
import { atZone, wireFieldsBeside, type ZoneGeometry, zoneGeometry } from './zoneGeometry.js';

export interface KmlWriteOptions extends ZoneOptions {
  /** The document's name. Default `Geozones`. */
  readonly name?: string;
  /** Each becomes a Folder with the zones that no earlier one holds. */
  readonly groups?: Iterable<GeozoneGroup>;
}

/**
 * All the zones as one document that the OGC schema accepts and `fromKml` reads back without loss.
 *
 * Colours are shared styles; a zone with `is_show_on_map` false is not visible at first. A circle is drawn by its outline, a line as LineString.
 * Every wire field travels in ExtendedData as JSON text (`wayzone.width`), so that names with characters that XML forbids come back too;
 * in the visible name those are U+FFFD. A zone in several groups lies in the first one's Folder, and every group comes back whole.
 *
 * Throws the shape's error with the field `zones[i]…`; `cycle`, `json-value`.
 *
 * @example
 * ```ts
 * import { toKml } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * toKml([zone]).includes('<name>Depot</name>'); // true
 * ```
 */
export function toKml(zones: Iterable<Geozone>, options: KmlWriteOptions = {}): string {
  const groups = [...(options.groups ?? [])];
  const list = [...zones];
  const placemarks = list.map((zone, i) =>
    atZone(i, () => placemarkOf(zone, groups.length > 0 ? i : null, options)),
  );
  const indexesById = new Map<string, number[]>();
  for (const [i, { id }] of list.entries()) {
    const same = indexesById.get(id);
    if (same === undefined) indexesById.set(id, [i]);
    else same.push(i);
  }
  const chunks: string[] = [];
  const placed = new Set<number>();
  for (const group of groups) {
    chunks.push(`<Folder><name>${xmlText(group.name)}</name>`);
    chunks.push(`<ExtendedData>${dataOf(GROUP_DATA, wireJson(group))}</ExtendedData>`);
    for (const { id } of group.geozones) {
      for (const i of indexesById.get(id) ?? []) {
        if (placed.has(i)) continue;
        placed.add(i);
        chunks.push(placemarks[i] ?? '');
      }
    }
    chunks.push('</Folder>\n');
  }
  for (const [i, placemark] of placemarks.entries()) if (!placed.has(i)) chunks.push(placemark);
  const frame = frameOf(options.name ?? 'Geozones', list);
  const end = frame.lastIndexOf('</Document>');
  return `${frame.slice(0, end)}\n${chunks.join('')}${frame.slice(end)}\n`;
}

/** The document without its Placemarks: name and one style for each colour. */
function frameOf(name: string, zones: readonly Geozone[]): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('http://www.opengis.net/kml/2.2', 'kml');
  const document = root.ele('Document');
  document.ele('name').txt(xmlCharacters(name));
  const colors = new Set(zones.flatMap((zone) => styleColor(zone) ?? []));
  for (const color of [...colors].sort()) {
    const line = colorToKml(color, 'ff') ?? '';
    const style = document.ele('Style', { id: styleId(color) });
    style.ele('IconStyle').ele('color').txt(line);
    style.ele('LineStyle').ele('color').txt(line).up().ele('width').txt('2');
    style
      .ele('PolyStyle')
      .ele('color')
      .txt(colorToKml(color, '4d') ?? '');
  }
  return root.end();
}

function styleColor(zone: Geozone): string | null {
  const key: unknown = zone.color?.key;
  return typeof key === 'string' && colorToKml(key, 'ff') !== null ? key.toLowerCase() : null;
}

function styleId(color: string): string {
  return `color-${color.slice(1)}`;
}

function placemarkOf(zone: Geozone, ordinal: number | null, options: ZoneOptions): string {
  const geometry = zoneGeometry(zone, options);
  const color = styleColor(zone);
  const data = Object.entries(wireFieldsBeside(zone, geometry, options)).map(([field, value]) =>
    dataOf(wireDataName(field), wireJson(value)),
  );
  return [
    `<Placemark><name>${xmlText(String(zone.name))}</name>`,
    zone.is_show_on_map === false ? '<visibility>0</visibility>' : '',
    color === null ? '' : `<styleUrl>#${styleId(color)}</styleUrl>`,
    `<ExtendedData>${dataOf(wireDataName('id'), wireJson(zone.id))}`,
    ordinal === null ? '' : dataOf(ORDINAL_DATA, String(ordinal)),
    ...data,
    '</ExtendedData>',
    geometryOf(geometry),
    '</Placemark>\n',
  ].join('');
}

function dataOf(name: string, text: string): string {
  return `<Data name="${xmlText(name)}"><value>${xmlText(text)}</value></Data>`;
}

function geometryOf(geometry: ZoneGeometry): string {
  switch (geometry.type) {
    case 'Point':
      return `<Point>${coordinatesOf([geometry.coordinates])}</Point>`;
    case 'LineString':
      return lineOf(geometry.coordinates);
    case 'MultiLineString':
      return `<MultiGeometry>${geometry.coordinates.map(lineOf).join('')}</MultiGeometry>`;
    case 'Polygon':
      return polygonOf(geometry.coordinates);
    case 'MultiPolygon':
      return `<MultiGeometry>${geometry.coordinates.map(polygonOf).join('')}</MultiGeometry>`;
  }
}

/** Tessellated, so that the edge is drawn along the ground. */
function lineOf(line: readonly Position[]): string {
  return `<LineString><tessellate>1</tessellate>${coordinatesOf(line)}</LineString>`;
}

function polygonOf(rings: readonly (readonly Position[])[]): string {
  const boundaries = rings.map((ring, i) => {
    const tag = i === 0 ? 'outerBoundaryIs' : 'innerBoundaryIs';
    return `<${tag}><LinearRing>${coordinatesOf(ring)}</LinearRing></${tag}>`;
  });
  return `<Polygon><tessellate>1</tessellate>${boundaries.join('')}</Polygon>`;
}

function coordinatesOf(positions: readonly Position[]): string {
  return `<coordinates>${positions.map(([lon, lat]) => `${lon},${lat}`).join(' ')}</coordinates>`;
}
