/** Converts the points of a route to zones, for formats without routes. */

import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import { guarded, itemsOf } from '../../core/input.js';
import type { Geozone, Route, RoutePoint } from '../../core/wire.js';
import type { FeatureMaker, ZoneFeature } from '../geojson/zoneFeature.js';
import type { KmlWriter } from '../kml/kmlWriter.js';

/** A route without its points, and the points as zones: in order, shown on the map, with ids made from the route's id. */
export interface RouteZones {
  readonly route: Omit<Route, 'points'>;
  readonly zones: readonly Geozone[];
}

/** The zones of a route. Throws `route-points` on `routes[i].points`, `input-unreadable`. */
export function routeZones(route: Route, index: number): RouteZones {
  const path = `routes[${index}]`;
  return guarded(path, () => {
    const { points, ...rest } = route;
    if (!isArray(points)) {
      throw inputError('route-points', `${path}.points`, 'an array of points', points);
    }
    const id = rest.id === '' ? `route-${index + 1}` : rest.id;
    const zones = points.map((point: RoutePoint, i): Geozone => {
      const { coordinates, geometry, ...fields } = point;
      return {
        ...fields,
        id: `${id}-${i + 1}`,
        is_show_on_map: true,
        geometry: geometry ?? coordinates ?? [],
      };
    });
    return { route: rest, zones };
  });
}

/** Yields one GeoJSON feature for each point of the routes, with `route {id, name}` among its fields. */
export function* routeFeatures(routes: Iterable<Route>, maker: FeatureMaker): Generator<ZoneFeature> {
  let index = 0;
  for (const item of itemsOf(routes, 'routes')) {
    const { route, zones } = routeZones(item, index);
    for (const [i, zone] of zones.entries()) {
      const marked = { ...zone, route: { id: route.id, name: route.name } };
      const feature = atRoutePoint(index, i, () => maker.feature(marked));
      if (feature !== null) yield feature;
    }
    index++;
  }
}

/** Yields the KML text of the routes: a Folder each, with a Placemark for each point. */
export function* routePieces(routes: Iterable<Route>, writer: KmlWriter): Generator<string> {
  let index = 0;
  for (const item of itemsOf(routes, 'routes')) {
    const { route, zones } = routeZones(item, index);
    yield writer.openRoute(route);
    for (const [i, zone] of zones.entries()) {
      yield atRoutePoint(index, i, () => writer.placemark(zone, 0, null));
    }
    yield writer.closeFolder();
    index++;
  }
}

/** Calls `write`. The field of its error gets the path of the route point. */
function atRoutePoint<T>(route: number, point: number, write: () => T): T {
  const path = `routes[${route}].points[${point}]`;
  try {
    return guarded(path, write);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const field = error.field.replace(/^zones\[\d+\]\.?/, '');
    throw new WayzoneError(error.code, field === '' ? path : `${path}.${field}`, error.message, {
      cause: error,
    });
  }
}
