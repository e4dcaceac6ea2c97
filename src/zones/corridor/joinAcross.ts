/**
 * Turns rings on the map, cut at ±180° and closed along its border, into rings on the cylinder of longitudes. Removes the parts of rings
 * along a pole, and along the border where the region is on both sides.
 */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { firstWhere } from '../../core/numbers.js';
import { type Ring, turnsOf, wholeEarth } from '../ring.js';

/** Positions `[lon0, lat0, …]` from one place on the border to another. */
type Chain = readonly number[];

/** The rings, with the region on their left: first those around the Earth, then shells, then holes. */
export function joinAcross(rings: readonly (readonly number[])[]): Ring[] {
  const cuts = borderLats(rings);
  const isOpen = openParts(rings, cuts);
  const closed: Chain[] = [];
  const chains: Chain[] = [];
  for (const ring of rings) {
    const split = withoutOpen(ring, cuts, isOpen);
    if (split.isClosed) closed.push(split.chains[0]!);
    else for (const chain of split.chains) chains.push(chain);
  }
  return chainsInOrder([...closed, ...joinedChains(chains)].map(ringOf));
}

/** Latitudes of all vertices on ±180°, ascending. */
function borderLats(rings: readonly (readonly number[])[]): Float64Array {
  const lats = new Set<number>([-90, 90]);
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) if (Math.abs(ring[i]!) === 180) lats.add(ring[i + 1]!);
  }
  return Float64Array.from(lats).sort();
}

/** For each part of the border between neighbouring latitudes, 1 if rings run along it on both sides. */
function openParts(rings: readonly (readonly number[])[], cuts: Float64Array): Uint8Array {
  const sides = new Uint8Array(cuts.length);
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2) {
      const next = i + 2 < ring.length ? i + 2 : 0;
      if (ring[i] !== ring[next] || Math.abs(ring[i]!) !== 180) continue;
      const low = rankOf(cuts, Math.min(ring[i + 1]!, ring[next + 1]!));
      const high = rankOf(cuts, Math.max(ring[i + 1]!, ring[next + 1]!));
      for (let k = low; k < high; k++) sides[k]! |= ring[i]! > 0 ? 1 : 2;
    }
  }
  return sides.map((side) => (side === 3 ? 1 : 0));
}

function rankOf(cuts: Float64Array, lat: number): number {
  return firstWhere(0, cuts.length, (i) => cuts[i]! >= lat);
}

/** A ring without its parts along the poles and along open parts of the border. */
function withoutOpen(
  ring: readonly number[],
  cuts: Float64Array,
  isOpen: Uint8Array,
): { readonly isClosed: boolean; readonly chains: Chain[] } {
  const chains: number[][] = [[]];
  const breakAt = (lon: number, lat: number): void => {
    chains.at(-1)!.push(lon, lat);
    chains.push([]);
  };
  for (let i = 0; i < ring.length; i += 2) {
    const [lon, lat] = [ring[i]!, ring[i + 1]!];
    const next = i + 2 < ring.length ? i + 2 : 0;
    const to = ring[next + 1]!;
    if (Math.abs(lat) === 90 && to === lat) {
      breakAt(lon, lat);
    } else if (lon === ring[next] && Math.abs(lon) === 180) {
      const way = to > lat ? 1 : -1;
      const last = rankOf(cuts, to);
      for (let k = rankOf(cuts, lat); k !== last; k += way) {
        if (isOpen[way > 0 ? k : k - 1] === 1) breakAt(lon, cuts[k]!);
        else chains.at(-1)!.push(lon, cuts[k]!);
      }
    } else {
      chains.at(-1)!.push(lon, lat);
    }
  }
  if (chains.length === 1) return { isClosed: true, chains };
  const tail = chains.pop()!;
  chains[0] = [...tail, ...chains[0]!];
  return { isClosed: false, chains };
}

/** Joins chains into rings: a chain ends where the next begins, on the other side of the border or at the pole. */
function joinedChains(chains: readonly Chain[]): Chain[] {
  const key = (lon: number, lat: number): string => `${lon} ${lat}`;
  const beginning = new Map(chains.map((chain, k) => [key(chain[0]!, chain[1]!), k]));
  const rings: Chain[] = [];
  const isUsed = new Uint8Array(chains.length);
  for (let first = 0; first < chains.length; first++) {
    if (isUsed[first] === 1) continue;
    const ring: number[] = [];
    let chain: number | undefined = first;
    while (chain !== undefined && isUsed[chain] === 0) {
      isUsed[chain] = 1;
      const coords: Chain = chains[chain]!;
      for (const value of coords) ring.push(value);
      chain = beginning.get(key(-coords.at(-2)!, coords.at(-1)!));
    }
    rings.push(ring);
  }
  return rings.filter((ring) => ring.length >= 6);
}

/** A chain as a ring: -180 becomes 180, and repeated vertices are dropped. */
function ringOf(chain: Chain): Ring {
  const coords: number[] = [];
  for (let i = 0; i < chain.length; i += 2) {
    const lon = chain[i] === -180 ? 180 : chain[i]!;
    if (coords.at(-2) !== lon || coords.at(-1) !== chain[i + 1]) coords.push(lon, chain[i + 1]!);
  }
  while (coords.length > 2 && coords[0] === coords.at(-2) && coords[1] === coords.at(-1)) coords.length -= 2;
  const turns = turnsOf(coords);
  return {
    coords: Float64Array.from(coords),
    turns,
    pole: null,
    hole: turns === 0 && !isCounterclockwise(coords),
  };
}

function isCounterclockwise(coords: readonly number[]): boolean {
  let sum = 0;
  let x = 0;
  for (let i = 0; i < coords.length; i += 2) {
    const j = i + 2 < coords.length ? i + 2 : 0;
    const step = lonStep(coords[i]!, coords[j]!);
    sum += x * (coords[j + 1]! - coords[1]!) - (x + step) * (coords[i + 1]! - coords[1]!);
    x += step;
  }
  return sum > 0;
}

/** Rings around the Earth from south to north, then shells, then holes; the southernmost and northernmost may enclose a pole. */
function chainsInOrder(rings: readonly Ring[]): Ring[] {
  const turning = rings
    .filter(({ turns }) => turns !== 0)
    .map((ring) => ({ ring, lat: crossingLat(ring.coords) }))
    .toSorted((p, q) => p.lat - q.lat)
    .map(({ ring }, index, all): Ring => {
      if (index === 0 && ring.turns < 0) return { ...ring, pole: 'south' };
      return index === all.length - 1 && ring.turns > 0 ? { ...ring, pole: 'north' } : ring;
    });
  const shells = rings.filter(({ turns, hole }) => turns === 0 && !hole);
  const holes = rings.filter(({ hole }) => hole);
  return [...(turning.length + shells.length === 0 ? wholeEarth() : []), ...turning, ...shells, ...holes];
}

/** The southernmost latitude at which a ring crosses ±180°. */
function crossingLat(coords: Float64Array): number {
  let south = 90;
  for (let i = 0; i < coords.length; i += 2) {
    const j = i + 2 < coords.length ? i + 2 : 0;
    const step = lonStep(coords[i]!, coords[j]!);
    if (!crossesAntimeridian(coords[i]!, coords[j]!)) continue;
    const border = coords[i]! > 0 ? 180 : -180;
    south = Math.min(
      south,
      coords[i + 1]! + ((border - coords[i]!) / step) * (coords[j + 1]! - coords[i + 1]!),
    );
  }
  return south;
}
