/** The colours of the map: which custom property of the page's style each paint property has. */

import type { ExpressionSpecification, Map as GlMap } from 'maplibre-gl';
import type { BaseKind } from '../../../../src/report/client/baseKind.js';
import { css } from '../../../../src/report/client/dom.js';
import type { UnitState } from './fleet.js';

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
