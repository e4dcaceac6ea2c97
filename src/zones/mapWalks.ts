/**
 * Rings on the cylinder of longitudes as closed walks on the map, -180…180 by -90…90, with the same inside by the even-odd rule.
 *
 * Each ring is broken where it crosses the antimeridian. The ends on one border of the map are joined in pairs, from the south: first to
 * second, third to fourth, … The two borders have ends at the same latitudes. An end without a partner therefore has a counterpart on the
 * other border, and these two are joined over the top of the map. A walk around the whole map inverts the inside if the pole of the rings
 * requires it.
 */

import { crossesAntimeridian } from '../core/angles.js';
import { antimeridianLat } from './cutPart.js';
import type { Ring } from './ring.js';

/** The walks of one part: x0, y0, x1, y1, …, not closed. Walks cross each other, and themselves, as the rings do. */
export function mapWalks(part: readonly Ring[]): number[][] {
  const walks: number[][] = [];
  const chains: number[][] = [];
  let isNorthInside = false;
  for (const { coords, pole } of part) {
    if (pole === 'north') isNorthInside = !isNorthInside;
    breakRing(coords, walks, chains);
  }
  const isOdd = chains.length % 2 === 1;
  walks.push(...linked(chains));
  if (isOdd !== isNorthInside) walks.push([-180, -90, 180, -90, 180, 90, -180, 90]);
  return walks;
}

/** Adds the ring to `walks`, or its parts between crossings of the antimeridian to `chains`. */
function breakRing(coords: Float64Array, walks: number[][], chains: number[][]): void {
  let chain: number[] = [];
  const own = [chain];
  for (let i = 0; i < coords.length; i += 2) {
    const next = i + 2 < coords.length ? i + 2 : 0;
    const [ax, ay, bx, by] = [coords[i]!, coords[i + 1]!, coords[next]!, coords[next + 1]!];
    chain.push(ax, ay);
    if (!crossesAntimeridian(ax, bx)) continue;
    const lat = antimeridianLat(ax, ay, bx, by);
    const side = ax > bx ? 180 : -180;
    chain.push(side, lat);
    chain = [-side, lat];
    own.push(chain);
  }
  if (own.length === 1) {
    walks.push(chain);
    return;
  }
  const last = own.pop()!;
  own[0] = [...last, ...own[0]!];
  for (const piece of own) chains.push(piece);
}

/** Joins chains at their ends on the borders. End 2k is the beginning of chain k, end 2k + 1 its last position. */
function linked(chains: readonly number[][]): number[][] {
  const [east, west]: [number[], number[]] = [[], []];
  const latOf = (end: number): number => chains[end >> 1]!.at(end % 2 === 0 ? 1 : -1)!;
  for (const [k, chain] of chains.entries()) {
    (chain[0]! > 0 ? east : west).push(2 * k);
    (chain.at(-2)! > 0 ? east : west).push(2 * k + 1);
  }
  const partner = new Int32Array(2 * chains.length);
  for (const border of [east, west]) {
    border.sort((p, q) => latOf(p) - latOf(q) || p - q);
    for (let i = 0; i + 1 < border.length; i += 2) {
      partner[border[i]!] = border[i + 1]!;
      partner[border[i + 1]!] = border[i]!;
    }
  }
  const overTop = east.length % 2 === 1 ? [east.at(-1)!, west.at(-1)!] : [];
  if (overTop.length > 0) {
    partner[overTop[0]!] = overTop[1]!;
    partner[overTop[1]!] = overTop[0]!;
  }
  const isUsed = new Uint8Array(chains.length);
  const walks: number[][] = [];
  for (let first = 0; first < chains.length; first++) {
    if (isUsed[first] === 1) continue;
    const walk: number[] = [];
    let entry = 2 * first;
    do {
      isUsed[entry >> 1] = 1;
      const chain = chains[entry >> 1]!;
      const isForward = entry % 2 === 0;
      for (let i = 0; i < chain.length; i += 2) {
        const at = isForward ? i : chain.length - 2 - i;
        walk.push(chain[at]!, chain[at + 1]!);
      }
      const exit = entry ^ 1;
      entry = partner[exit]!;
      if (overTop.includes(exit)) walk.push(walk.at(-2)!, 90, -walk.at(-2)!, 90);
    } while (entry !== 2 * first);
    walks.push(walk);
  }
  return walks;
}
