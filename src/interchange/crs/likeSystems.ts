/** Compares the datum shift of a definition with the shifts of registered systems that have the same projection. */

import { geodesicDistance } from '../../geodesy/inverse.js';
import { type Datum, projectedSystems, type RegisteredSystem, shiftWord } from './epsgRegister.js';

/** A registered system with the same projection as a definition. */
export interface LikeSystem {
  readonly code: number;
  /** Distance of a position shifted by both systems, metres: the least of several places of the projection. */
  readonly gapMeters: number;
  /** Error of the registered shift, metres. */
  readonly errorMeters: number;
}

/** Latitudes of comparison for projections whose parameters name none, degrees. */
const LATITUDES = [-70, -50, -30, -10, 10, 30, 50, 70];

/** The registered systems of the same projection whose shift is known, the nearest first. Cost: O(size of the register). */
export async function likeSystems({ proj, datum }: RegisteredSystem): Promise<readonly LikeSystem[]> {
  const { default: proj4 } = await import('proj4');
  const own = parametersOf(proj);
  const lon = (own.get('lon_0') ?? 0) + (own.get('lonc') ?? 0) + datum.meridian;
  const lat = [own.get('lat_1'), own.get('lat_0')].find((value = 0) => Math.abs(value) % 90 > 0);
  const places = (lat === undefined ? LATITUDES : [lat]).map((y) => [lon, y]);
  const shifted = (of: Datum): number[][] => {
    const plain = proj4(`+proj=longlat +a=${of.a} +rf=${of.rf} ${shiftWord(of)}`);
    return places.map((place) => plain.inverse(place));
  };
  const stated = shifted(datum);
  const like: LikeSystem[] = [];
  for (const [code, system] of projectedSystems(datum)) {
    const { shift, errorMeters } = system.datum;
    const isUnknown = errorMeters === Number.POSITIVE_INFINITY || (shift === '' && errorMeters > 2);
    if (isUnknown || !isSame(own, parametersOf(system.proj))) continue;
    const gaps = shifted(system.datum).map(([x = 0, y = 0], i) => {
      const [p = 0, q = 0] = stated[i]!;
      return geodesicDistance(x, y, p, q);
    });
    like.push({ code, gapMeters: Math.min(...gaps), errorMeters });
  }
  return like.sort((one, other) => one.gapMeters - other.gapMeters);
}

/** The numbers of a projection that differ from their defaults; a zone of UTM is written as Transverse Mercator. */
function parametersOf(proj: string): Map<string, number> {
  const found = new Map<string, number>();
  let method = '';
  for (const word of proj.split(' ')) {
    const [key = '', value = '1'] = word.slice(1).split('=');
    if (key === 'proj') method = value.replace('etmerc', 'tmerc');
    else if (key === 'axis') method += value;
    else if (key === 'zone') {
      found
        .set('lon_0', 6 * Number(value) - 183)
        .set('k', 0.9996)
        .set('x_0', 500_000);
    } else if (key === 'south') found.set('y_0', 10_000_000);
    else found.set(key === 'k_0' ? 'k' : key, Number(value));
  }
  if (method === 'krovak') found.delete('alpha');
  for (const [key, value] of found) {
    if (value === (key === 'k' || key === 'to_meter' ? 1 : 0)) found.delete(key);
  }
  return found.set(method === 'utm' ? 'tmerc' : method, 1);
}

function isSame(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    if (!(Math.abs(value - (b.get(key) ?? Number.NaN)) <= 1e-6 * Math.max(1, Math.abs(value)))) return false;
  }
  return true;
}
