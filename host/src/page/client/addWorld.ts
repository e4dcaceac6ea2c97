/** The world below the zones where the host has no base map: land, borders and large cities at low zooms. */

import type { Feature, Position } from 'geojson';
import type { Map as GlMap } from 'maplibre-gl';
import { FONT } from './mapStyle.js';
import type { Language } from './words.js';
import { WORLD_CITIES } from './worldCities.js';
import { WORLD_SHAPES } from './worldShapes.js';

type Row = readonly [layer: string, property: string, name: string];

/** The coast is right to some kilometres, so it ends where that would be seen. */
const COAST_ZOOM = 7;
const CITY_ZOOM = 11;
/** The layer above which nothing of the world is drawn: the graticule, and so the zones. */
const ABOVE = 'graticule';
/** 0.01°, the unit of the shapes. */
const UNIT = 100;

/** Adds the layers. Returns the paints that follow the page's colours. */
export function addWorld(map: GlMap, language: Language): Row[] {
  const polygons = WORLD_SHAPES.land.split('\n').map((rings) => rings.split(' ').map(decoded));
  const borders = WORLD_SHAPES.borders.split(' ').map(decoded);
  const cities = WORLD_CITIES.map(
    ([en, ru, lon, lat], i): Feature => ({
      type: 'Feature',
      properties: { name: language === 'ru' ? ru : en, rank: i },
      geometry: { type: 'Point', coordinates: [lon, lat] },
    }),
  );
  const source = (name: string, features: readonly Feature[]): void =>
    void map.addSource(name, {
      type: 'geojson',
      data: { type: 'FeatureCollection', features: [...features] },
    });
  const feature = (geometry: Feature['geometry']): Feature => ({ type: 'Feature', properties: {}, geometry });
  source('world-land', [feature({ type: 'MultiPolygon', coordinates: polygons })]);
  source('world-border', [feature({ type: 'MultiLineString', coordinates: borders })]);
  source('world-city', cities);
  map.addLayer({ id: 'world-sea', type: 'background', maxzoom: COAST_ZOOM }, ABOVE);
  map.addLayer({ id: 'world-land', type: 'fill', source: 'world-land', maxzoom: COAST_ZOOM }, ABOVE);
  map.addLayer({ id: 'world-border', type: 'line', source: 'world-border', maxzoom: COAST_ZOOM }, ABOVE);
  map.addLayer(
    {
      id: 'world-city',
      type: 'symbol',
      source: 'world-city',
      maxzoom: CITY_ZOOM,
      layout: {
        'text-field': ['get', 'name'],
        'text-size': 11,
        'text-font': FONT,
        'symbol-sort-key': ['get', 'rank'],
      },
      paint: { 'text-halo-width': 1.5 },
    },
    ABOVE,
  );
  return [
    ['world-sea', 'background-color', '--map-water'],
    ['world-land', 'fill-color', '--land'],
    ['world-border', 'line-color', '--map-border'],
    ['world-city', 'text-color', '--soft'],
    ['world-city', 'text-halo-color', '--land'],
  ];
}

/** The positions of an encoded polyline (Google's algorithm). */
export function decoded(text: string): Position[] {
  const values: number[] = [];
  let [value, shift] = [0, 0];
  for (const letter of text) {
    const bits = letter.charCodeAt(0) - 63;
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits >= 32) continue;
    // The lowest bit is the sign; a value is the difference to the last one of its axis.
    const step = value & 1 ? ~(value >> 1) : value >> 1;
    values.push(step + (values.at(-2) ?? 0));
    [value, shift] = [0, 0];
  }
  const positions: Position[] = [];
  for (let i = 0; i < values.length; i += 2) positions.push([values[i + 1]! / UNIT, values[i]! / UNIT]);
  return positions;
}
