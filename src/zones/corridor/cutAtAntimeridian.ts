/**
 * Maps closed curves of the Earth to the map from -180 to 180 by -90 to 90. Curves are cut at ±180° and closed again along the border of
 * the map, which keeps their winding number around every position.
 */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';

/** The end of a chain on the border. The next chain begins on the other side. */
interface Crossing {
  readonly chain: number;
  readonly lat: number;
  readonly isEastward: boolean;
}

/**
 * The closed curve `[lon0, lat0, …]` (wrapped, first point not repeated) as closed curves of the map. It must not wind around `freePole`.
 *
 * Crossings that are adjacent in latitude and opposite in direction are joined along both borders. All others go around the Earth in one
 * direction and are joined over the other pole.
 */
export function cutAtAntimeridian(curve: Float64Array, freePole: 'north' | 'south'): number[][] {
  const { chains, crossings } = cutAtBorder(curve);
  if (crossings.length === 0) return chains;
  const count = chains.length;
  const follow = new Int32Array(count);
  const left: Crossing[] = [];
  for (const crossing of crossings.toSorted((p, q) => p.lat - q.lat)) {
    const open = left.at(-1);
    if (open === undefined || open.isEastward === crossing.isEastward) {
      left.push(crossing);
      continue;
    }
    left.pop();
    follow[open.chain] = (crossing.chain + 1) % count;
    follow[crossing.chain] = (open.chain + 1) % count;
  }
  const pole = freePole === 'north' ? -90 : 90;
  for (const { chain, isEastward } of left) {
    const border = isEastward ? 180 : -180;
    chains[chain]!.push(border, pole, -border, pole);
    follow[chain] = (chain + 1) % count;
  }
  return linked(chains, follow);
}

function cutAtBorder(curve: Float64Array): {
  readonly chains: number[][];
  readonly crossings: readonly Crossing[];
} {
  const chains: number[][] = [[]];
  const crossings: Crossing[] = [];
  for (let i = 0; i < curve.length; i += 2) {
    const lon = curve[i]!;
    const lat = curve[i + 1]!;
    const next = i + 2 < curve.length ? i + 2 : 0;
    chains.at(-1)!.push(lon, lat);
    if (!crossesAntimeridian(lon, curve[next]!)) continue;
    const isEastward = lon > 0;
    const border = isEastward ? 180 : -180;
    const at = lat + (curve[next + 1]! - lat) * ((border - lon) / lonStep(lon, curve[next]!));
    chains.at(-1)!.push(border, at);
    crossings.push({ chain: crossings.length, lat: at, isEastward });
    chains.push([-border, at]);
  }
  if (crossings.length > 0) {
    // The last chain continues with the first.
    const tail = chains.pop()!;
    chains[0] = [...tail, ...chains[0]!];
  }
  return { chains, crossings };
}

function linked(chains: readonly number[][], follow: Int32Array): number[][] {
  const rings: number[][] = [];
  const isUsed = new Uint8Array(chains.length);
  for (let first = 0; first < chains.length; first++) {
    if (isUsed[first] === 1) continue;
    const ring: number[] = [];
    for (let chain = first; isUsed[chain] === 0; chain = follow[chain]!) {
      isUsed[chain] = 1;
      for (const value of chains[chain]!) ring.push(value);
    }
    rings.push(ring);
  }
  return rings;
}
