/** The map: its layers, its base map, and what the other parts of the page may do with it. */

import type { Feature } from 'geojson';
import {
  type GeoJSONSource,
  Map as GlMap,
  type LngLatBoundsLike,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from 'maplibre-gl';
import { byId, element, fill, graticuleLines } from '../../../../src/report/client/shared/index.js';
import type { PageSettings } from '../pageSettings.js';
import { addBasemap } from './addBasemap.js';
import { credential } from './api.js';
import { followColours, HEADING, mapStyle, type OwnSource } from './mapStyle.js';
import { say } from './say.js';
import type { Words } from './words.js';

/** Wanted pixels between lines. */
const SPACING = 150;

const MOST_LAT = 85;

interface DrawnMap {
  readonly map: GlMap;
  readonly set: (source: OwnSource, features: readonly Feature[]) => void;
}

const TILES = '/api_v1/tiles/{z}/{x}/{y}.mvt';
/** Margin around the shown content, pixels. */
const ROOM = 60;
const CLOSEST = 16;

export interface FleetMap {
  readonly map: GlMap;
  /** Replaces the features of a source. */
  readonly set: (source: OwnSource, features: readonly Feature[]) => void;
  /** Moves the map to `[west, south, east, north]`; at once if the user prefers reduced motion. */
  readonly show: (box: readonly [number, number, number, number], maxZoom?: number) => void;
  /** Whether the map was zoomed by the user or by the page. */
  readonly isMoved: () => boolean;
  /** Applies the page's colours again. */
  readonly recolour: () => void;
}

/** Tokens are sent to the host alone: other addresses, such as a base map, get none. */
export async function createFleetMap(
  { basemap, attribution }: PageSettings,
  token: string,
  words: Words,
): Promise<FleetMap> {
  setWorkerUrl(document.querySelector<HTMLLinkElement>('link[rel=worker]')!.href);
  const own = `${location.origin}/api_v1/`;
  const map = new GlMap({
    container: 'map',
    style: mapStyle(location.origin + TILES),
    center: [0, 20],
    zoom: 1.5,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    maxPitch: 0,
    fadeDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200,
    transformRequest: (url) =>
      url.startsWith(own) ? { url, headers: Object.fromEntries([credential(token)]) } : { url },
    // Texts of MapLibre's own controls.
    locale: {
      'Map.Title': words.mapHelp,
      'NavigationControl.ZoomIn': words.zoomIn,
      'NavigationControl.ZoomOut': words.zoomOut,
      'ScaleControl.Meters': words.meters,
      'ScaleControl.Kilometers': words.kilometers,
    },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new ScaleControl({ maxWidth: 120 }), 'bottom-right');
  const credit = attribution === '' && basemap === null ? words.noStreets : attribution;
  if (credit !== '') byId('attribution').replaceChildren(element('span', { textContent: credit }));
  map.on('error', ({ error }) => say(fill(words.failed, { message: error.message })));
  await new Promise<void>((resolve) => void map.once('style.load', () => resolve()));
  map.addImage(HEADING, headingImage(), { sdf: true });
  const addLand = async (): Promise<Awaited<ReturnType<typeof addBasemap>>> =>
    (await import('./addWorld.js')).addWorld(map, words.language === 'ru' ? 'ru' : 'en');
  const addStreets = (from: NonNullable<typeof basemap>): ReturnType<typeof addLand> =>
    addBasemap(map, from).catch((error: unknown) => {
      say(fill(words.failed, { message: String((error as Error).message) }));
      return [];
    });
  const more = basemap === null ? await addLand() : await addStreets(basemap);
  const recolour = followColours(map, more);
  // A tall window cannot show the whole world, so its zoom is another one.
  const start = map.getZoom();
  const fleetMap: FleetMap = {
    map,
    recolour,
    isMoved: () => map.getZoom() !== start,
    set: (source, features) =>
      void map
        .getSource<GeoJSONSource>(source)!
        .setData({ type: 'FeatureCollection', features: [...features] }),
    show: ([west, south, east, north], maxZoom = CLOSEST) => {
      const box: LngLatBoundsLike = [
        [west, south],
        [east < west ? east + 360 : east, north],
      ];
      const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
      map.fitBounds(box, { padding: ROOM, maxZoom, duration: isStill ? 0 : 500 });
    },
  };
  if (basemap === null) startGraticule(fleetMap);
  // For scripts that drive the page.
  dispatchEvent(new CustomEvent('wayzone-map', { detail: map }));
  return fleetMap;
}

/** An arrowhead to the north; the map gives it its colour and its direction. */
function headingImage(): ImageData {
  const size = 16;
  const context = element('canvas', { width: size, height: size }).getContext('2d')!;
  context.fill(new Path2D('M8 1L13 14L8 11L3 14Z'));
  return context.getImageData(0, 0, size, size);
}

/** Lines of round degrees with their values, for maps without a base map. */
function startGraticule({ map, set }: DrawnMap): void {
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
