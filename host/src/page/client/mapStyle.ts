/** The layers of the map from the bottom up. `mapStyle.ts` has their colours. */

import type {
  ExpressionSpecification,
  Map as GlMap,
  LayerSpecification,
  SourceSpecification,
  StyleSpecification,
} from 'maplibre-gl';
import { type BaseKind, css } from '../../../../src/report/client/shared/index.js';
import type { UnitState } from './fleet.js';

/** Sources whose features the page sets. */
const OWN_SOURCES = ['graticule', 'trails', 'vehicles', 'plan', 'happened', 'draft', 'preview'] as const;

export type OwnSource = (typeof OWN_SOURCES)[number];

/** Colour of a zone without one. */
export const NO_COLOUR = '#607d9b';
const ZONE_COLOUR = ['to-color', ['get', 'color'], NO_COLOUR] as const;
/** A font of the browser: the style has no glyphs of its own. */
export const FONT: string[] = ['sans-serif'];
const OF_ZONES = (layer: string): { source: 'zones'; 'source-layer': string } => ({
  source: 'zones',
  'source-layer': layer,
});
/** The image of a vehicle's heading. */
export const HEADING = 'heading';
/** Number of vehicles that are drawn as one, and the zoom from which none are. */
const LEAST_CROWD = 5;
const NO_CROWD_ZOOM = 13;
const CROWDS = {
  cluster: true,
  clusterRadius: 36,
  clusterMinPoints: LEAST_CROWD,
  clusterMaxZoom: NO_CROWD_ZOOM - 1,
} as const;
const IS_CROWD = ['has', 'point_count'] as const;
/** The areas of `outlineFeatures`, which has their borders too. */
const IS_AREA = ['has', 'area'] as const;
const LAYERS = [
  { id: 'ground', type: 'background' },
  { id: 'graticule', type: 'line', source: 'graticule', paint: { 'line-width': 1 } },
  {
    id: 'zone-area',
    type: 'fill',
    ...OF_ZONES('zones'),
    paint: { 'fill-color': ZONE_COLOUR, 'fill-opacity': 0.22 },
  },
  {
    id: 'zone-border',
    type: 'line',
    ...OF_ZONES('borders'),
    layout: { 'line-join': 'round' },
    paint: { 'line-color': ZONE_COLOUR, 'line-width': 1.5 },
  },
  {
    id: 'zone-point',
    type: 'circle',
    ...OF_ZONES('points'),
    paint: {
      'circle-color': ZONE_COLOUR,
      'circle-opacity': 0.7,
      'circle-radius': ['interpolate', ['linear'], ['get', 'count'], 1, 2.5, 10, 4, 1000, 8],
    },
  },
  {
    id: 'preview-area',
    type: 'fill',
    source: 'preview',
    paint: { 'fill-opacity': 0.25 },
    filter: IS_AREA,
  },
  {
    id: 'preview-border',
    type: 'line',
    source: 'preview',
    paint: { 'line-width': 1.5 },
    filter: ['!', IS_AREA],
  },
  {
    id: 'zone-chosen',
    type: 'line',
    ...OF_ZONES('borders'),
    filter: ['==', ['get', 'id'], ''],
    paint: { 'line-width': 4 },
  },
  {
    id: 'zone-chosen-point',
    type: 'circle',
    ...OF_ZONES('points'),
    filter: ['==', ['get', 'id'], ''],
    paint: { 'circle-radius': 9, 'circle-opacity': 0, 'circle-stroke-width': 3 },
  },
  { id: 'plan-area', type: 'fill', source: 'plan', paint: { 'fill-opacity': 0.2 } },
  { id: 'plan-border', type: 'line', source: 'plan', paint: { 'line-width': 2, 'line-dasharray': [3, 2] } },
  { id: 'happened', type: 'line', source: 'happened', paint: { 'line-width': 3 } },
  {
    id: 'draft-area',
    type: 'fill',
    source: 'draft',
    paint: { 'fill-opacity': 0.2 },
    filter: IS_AREA,
  },
  {
    id: 'draft-border',
    type: 'line',
    source: 'draft',
    paint: { 'line-width': 2 },
    filter: ['!', ['any', IS_AREA, ['has', 'wrong']]],
  },
  { id: 'draft-wrong', type: 'line', source: 'draft', paint: { 'line-width': 5 }, filter: ['has', 'wrong'] },
  { id: 'trails', type: 'line', source: 'trails', paint: { 'line-width': 2, 'line-opacity': 0.7 } },
  {
    id: 'graticule-text',
    type: 'symbol',
    source: 'graticule',
    layout: { 'symbol-placement': 'line', 'text-field': ['get', 'text'], 'text-size': 11, 'text-font': FONT },
    paint: { 'text-halo-width': 1.5 },
  },
  {
    id: 'zone-text',
    type: 'symbol',
    ...OF_ZONES('labels'),
    minzoom: 9,
    layout: {
      'text-field': ['get', 'name'],
      'text-size': 12,
      'text-font': FONT,
      'text-max-width': 12,
      // Beside a vehicle that covers the middle.
      'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
      'text-radial-offset': 0.9,
    },
    paint: { 'text-halo-width': 1.5 },
  },
  {
    id: 'plan-text',
    type: 'symbol',
    source: 'plan',
    layout: { 'text-field': ['get', 'number'], 'text-size': 14, 'text-font': FONT },
    paint: { 'text-halo-width': 2 },
  },
  {
    id: 'vehicle-crowd',
    type: 'circle',
    source: 'vehicles',
    filter: IS_CROWD,
    paint: {
      'circle-radius': [
        'interpolate',
        ['linear'],
        ['get', 'point_count'],
        LEAST_CROWD,
        12,
        100,
        18,
        1000,
        26,
      ],
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'vehicle-count',
    type: 'symbol',
    source: 'vehicles',
    filter: IS_CROWD,
    layout: {
      'text-field': ['get', 'point_count_abbreviated'],
      'text-size': 12,
      'text-font': FONT,
      'text-allow-overlap': true,
    },
  },
  {
    id: 'vehicles',
    type: 'circle',
    source: 'vehicles',
    filter: ['!', IS_CROWD],
    paint: {
      'circle-radius': ['case', ['get', 'chosen'], 12, ['has', 'course'], 9, 7],
      'circle-stroke-width': 2,
    },
  },
  {
    id: 'vehicle-heading',
    type: 'symbol',
    source: 'vehicles',
    filter: ['has', 'course'],
    layout: {
      'icon-image': HEADING,
      'icon-size': ['case', ['get', 'chosen'], 1.2, 0.9],
      'icon-rotate': ['get', 'course'],
      'icon-rotation-alignment': 'map',
      'icon-allow-overlap': true,
      'icon-ignore-placement': true,
    },
  },
  {
    id: 'vehicle-text',
    type: 'symbol',
    source: 'vehicles',
    filter: ['!', IS_CROWD],
    minzoom: 8,
    layout: {
      'text-field': ['get', 'name'],
      'text-size': 12,
      'text-font': FONT,
      'text-offset': [0, 1.1],
      'text-anchor': 'top',
      'text-optional': true,
      // Invisible: it keeps the names of zones off the vehicle.
      'icon-image': HEADING,
      'icon-allow-overlap': true,
    },
    paint: { 'text-halo-width': 1.5, 'icon-opacity': 0 },
  },
] as unknown as LayerSpecification[];

/** The style without a base map. `tiles`: the address of the zones' vector tiles. */
export function mapStyle(tiles: string): StyleSpecification {
  const own = Object.fromEntries(
    OWN_SOURCES.map((name): [string, SourceSpecification] => [
      name,
      {
        type: 'geojson',
        data: { type: 'FeatureCollection', features: [] },
        ...(name === 'vehicles' ? CROWDS : {}),
      },
    ]),
  );
  return {
    version: 8,
    sources: { ...own, zones: { type: 'vector', tiles: [tiles], maxzoom: 16 } },
    layers: LAYERS,
  };
}

type Row = readonly [layer: string, property: string, name: string];

const PAINTS: readonly Row[] = [
  ['ground', 'background-color', '--land'],
  ['graticule', 'line-color', '--grid'],
  ['graticule-text', 'text-color', '--soft'],
  ['graticule-text', 'text-halo-color', '--land'],
  ['zone-text', 'text-color', '--ink'],
  ['zone-text', 'text-halo-color', '--halo'],
  ['zone-chosen', 'line-color', '--accent'],
  ['zone-chosen-point', 'circle-stroke-color', '--accent'],
  ['trails', 'line-color', '--trail'],
  ['vehicle-crowd', 'circle-color', '--accent'],
  ['vehicle-crowd', 'circle-stroke-color', '--card'],
  ['vehicle-count', 'text-color', '--on-accent'],
  ['vehicles', 'circle-stroke-color', '--card'],
  ['vehicle-heading', 'icon-color', '--card'],
  ['vehicle-text', 'text-color', '--ink'],
  ['vehicle-text', 'text-halo-color', '--halo'],
  ['plan-area', 'fill-color', '--plan'],
  ['plan-border', 'line-color', '--plan'],
  ['plan-text', 'text-color', '--plan'],
  ['plan-text', 'text-halo-color', '--halo'],
  ['happened', 'line-color', '--happened'],
  ['draft-area', 'fill-color', '--accent'],
  ['draft-border', 'line-color', '--accent'],
  ['draft-wrong', 'line-color', '--bad'],
  ['preview-area', 'fill-color', '--plan'],
  ['preview-border', 'line-color', '--plan'],
];
/** Colours of vehicles by state. */
const STATE_COLOURS: Readonly<Record<UnitState, string>> = {
  moving: '--moving',
  idle: '--idle',
  parked: '--parked',
  silent: '--silent',
};
/** Colours of base maps by the kind of their layers. */
export const BASE_COLOURS: Readonly<Record<BaseKind, string>> = {
  water: '--map-water',
  green: '--map-green',
  building: '--map-building',
  road: '--map-road',
  border: '--map-border',
  land: '--land',
};

/** Gives the layers the colours of the page, now and whenever they change. Layers that are not there are left out. */
export function followColours(map: GlMap, more: readonly Row[]): () => void {
  const apply = (): void => {
    for (const [layer, property, name] of [...PAINTS, ...more])
      if (map.getLayer(layer) !== undefined) map.setPaintProperty(layer, property as 'line-color', css(name));
    map.setPaintProperty('vehicles', 'circle-color', [
      'match',
      ['get', 'state'],
      ...Object.entries(STATE_COLOURS).flatMap(([state, name]) => [state, css(name)]),
      css(STATE_COLOURS.silent),
    ] as unknown as ExpressionSpecification);
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  apply();
  return apply;
}
