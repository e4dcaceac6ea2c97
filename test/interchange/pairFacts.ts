/** Lists the content of a file as comparable lines: from the GeoJSON file beside it, and from our reader. */

import type { Feature, FeatureCollection, Geometry, Position } from 'geojson';
import type { ForeignData } from '../../src/core/fix.js';
import type { Geozone } from '../../src/core/wire.js';
import type { ForeignTrack, ForeignZone } from '../../src/interchange/index.js';

/** Properties of the GeoJSON files about drawing, and heart rates, for which fixes have no field. */
const DRAWN = /^(?:styleUrl|styleHash|(?:stroke|fill)-opacity|visibility|coordTimes|heartRates)$/;

/** Properties about drawing that we keep from KML and the GeoJSON file lacks or has under other names. */
const OURS =
  /^(?:(?:LineStyle|PolyStyle|IconStyle|LabelStyle)\.(?!width$).*|altitudeMode|extrude|interpolate)$/;

type Pairs = readonly (readonly number[])[];

/** Pieces, properties, colour and times of every feature, one fact per line. */
export function factsOfGeoJson({ features }: FeatureCollection): string[] {
  return features.flatMap((feature) => {
    const given = feature.properties ?? {};
    const name = nameOf(given['name']);
    const facts = piecesOf(feature.geometry).map((piece) => `${name} ${piece}`);
    for (const [key, value] of Object.entries(given)) {
      if (['name', 'stroke', 'fill'].includes(key) || DRAWN.test(key)) continue;
      // For a track the GeoJSON file has the time of its first point.
      if (key === 'time' && feature.geometry.type !== 'Point') continue;
      if (key === 'links') {
        for (const { href } of value as { href: string }[]) facts.push(...property(name, 'link', href));
      } else if (key === 'stroke-width') facts.push(...property(name, 'LineStyle.width', String(value)));
      else if (typeof value === 'string') {
        facts.push(...property(name, key === 'timestamp' ? 'when' : key, value));
      } else {
        for (const [inner, text] of Object.entries(value as object)) {
          facts.push(...property(name, inner, String(text)));
        }
      }
    }
    const color: unknown = given['stroke'] ?? given['fill'];
    if (typeof color === 'string') facts.push(`${name} color ${color}`);
    facts.push(...fixesOf(feature).map((fix) => `${name} fix ${fix}`));
    return facts;
  });
}

/** The facts of data from our reader. `tracksAsLines`: the same file read with tracks as lines, for positions without times. */
export function factsOfForeign(data: ForeignData, tracksAsLines: ForeignData | null): string[] {
  const facts: string[] = [];
  const seen = new Set<string>();
  const { zones, groups } = (tracksAsLines ?? data).value;
  for (const zone of zones as readonly ForeignZone[]) {
    const name = nameOf(zone.name);
    for (const piece of zonePieces(zone)) facts.push(`${name} ${piece}`);
    // The zones of one feature have the same properties.
    const group = groups.find(({ id }) => zone.id.startsWith(`${id}~`))?.id;
    if (group !== undefined && seen.has(group)) continue;
    if (group !== undefined) seen.add(group);
    facts.push(...propertiesOf(name, zone));
    if (zone.color?.key !== undefined) facts.push(`${name} color ${zone.color.key.toLowerCase()}`);
  }
  for (const track of data.value.tracks as readonly ForeignTrack[]) {
    const name = nameOf(track.name);
    if (tracksAsLines === null) {
      facts.push(`${name} LineString ${pairs(track.fixes.map(({ lon, lat }) => [lon, lat]))}`);
      facts.push(...propertiesOf(name, track));
    }
    for (const { time, altitudeMeters } of track.fixes) {
      facts.push(`${name} fix ${new Date(time).toISOString()} ${altitudeMeters}`);
    }
  }
  return facts;
}

/** Facts that only `theirs` has (`-`), then facts that only `ours` has (`+`). Repeated facts are compared by their count. */
export function differences(theirs: readonly string[], ours: readonly string[]): string[] {
  const rest = [...ours];
  const only = theirs.filter((fact) => {
    const at = rest.indexOf(fact);
    if (at >= 0) rest.splice(at, 1);
    return at < 0;
  });
  return [...only.map((fact) => `- ${fact}`), ...rest.map((fact) => `+ ${fact}`)];
}

function propertiesOf(
  name: string,
  { properties }: { readonly properties?: Readonly<Record<string, unknown>> },
): string[] {
  return Object.entries(properties ?? {}).flatMap(([key, value]) =>
    // The GeoJSON file has heights in its positions, which are compared as those of fixes.
    key === 'ele' || OURS.test(key) ? [] : property(name, key.replace(/~\d+$/, ''), String(value)),
  );
}

/** The fact of a property; none for an empty text. */
function property(name: string, key: string, text: string): string[] {
  return text.trim() === '' ? [] : [`${name} ${key}=${text.trim()}`];
}

function nameOf(name: unknown): string {
  return JSON.stringify(typeof name === 'string' ? name.trim().replace(/^track-\d+$/, '') : '');
}

/** Time and height of each fix. */
function fixesOf({ properties, geometry }: Feature): string[] {
  const times = [properties?.['coordTimes'] ?? []].flat(2) as string[];
  const positions = linesOf(geometry).flat();
  return times.map((time, i) => `${new Date(time).toISOString()} ${positions[i]?.[2]}`);
}

function linesOf(geometry: Geometry): Position[][] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(linesOf);
  if (geometry.type === 'LineString') return [geometry.coordinates];
  return geometry.type === 'MultiLineString' ? geometry.coordinates : [];
}

function zonePieces(zone: Geozone): string[] {
  const { key } = zone.type;
  if (key === 'point') return [`Point ${pairs(zone.geometry)}`];
  if (key === 'line') return [`LineString ${pairs(zone.geometry)}`];
  return (zone.parts ?? [[zone.geometry]]).map((rings) => `Polygon ${rings.map(pairs).join(' | ')}`);
}

function piecesOf(geometry: Geometry): string[] {
  switch (geometry.type) {
    case 'GeometryCollection':
      return geometry.geometries.flatMap(piecesOf);
    case 'Point':
      return [`Point ${pairs([geometry.coordinates])}`];
    case 'Polygon':
      return [`Polygon ${geometry.coordinates.map(pairs).join(' | ')}`];
    default:
      return linesOf(geometry).map((line) => `LineString ${pairs(line)}`);
  }
}

/** Longitude and latitude, without heights, which zones do not have. */
function pairs(positions: Pairs): string {
  return positions.map(([lon, lat]) => `${lon},${lat}`).join(' ');
}
