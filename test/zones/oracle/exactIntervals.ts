/**
 * The intervals of a segment in a polygon by rational numbers: cut at each edge that it meets; the exact middle of each piece decides. Away from
 * ±180 and the poles.
 */

import { exactMeeting, exactNumber } from '../../oracle/exact.js';

type Point = readonly [bigint, bigint];
/** A fraction of the segment. */
interface Fraction {
  readonly up: bigint;
  readonly down: bigint;
}

const compare = (p: Fraction, q: Fraction): number => {
  const difference = p.up * q.down - q.up * p.down;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** 0 and 1 only for exactly these. */
function toNumber({ up, down }: Fraction): number {
  const rounded = Number((up << 1000n) / down) / 2 ** 1000;
  return up === down || rounded < 1 ? rounded : 1 - 2 ** -53;
}

/** Even-odd along a ray to the north, and whether the point is on an edge. */
function sideIn(p: Point, ring: readonly Point[]): { readonly isInside: boolean; readonly isOn: boolean } {
  let isInside = false;
  let isOn = false;
  ring.forEach((b, i) => {
    const a = ring.at(i - 1)!;
    const [ax, ay, bx, by] = [a[0] - p[0], a[1] - p[1], b[0] - p[0], b[1] - p[1]];
    const turn = ax * by - ay * bx;
    if (turn === 0n && ax * bx + ay * by <= 0n) isOn = true;
    if (ax > 0n !== bx > 0n && turn < 0n === ax <= 0n) isInside = !isInside;
  });
  return { isInside, isOn };
}

/** Greater than any product of a coordinate and a denominator. */
const ROOM = 1n << 700n;

/** `parts`: rings `lon0, lat0, …` of each part. */
export function exactIntervals(
  parts: readonly (readonly (readonly number[])[])[],
  halfOpen: boolean,
  [ax, ay, bx, by]: readonly [number, number, number, number],
): number[] {
  const rings = parts.map((part) =>
    part.map((ring) =>
      Array.from(
        { length: ring.length / 2 },
        (_, i): Point => [exactNumber(ring[2 * i]!), exactNumber(ring[2 * i + 1]!)],
      ),
    ),
  );
  const [x, y] = [exactNumber(ax), exactNumber(ay)];
  const [wide, high] = [exactNumber(bx) - x, exactNumber(by) - y];
  const contains = ({ up, down }: Fraction): boolean => {
    const at: Point = [x * down + wide * up, y * down + high * up];
    const scale = (ring: readonly Point[], by: bigint): Point[] => ring.map(([u, v]) => [u * by, v * by]);
    return rings.some((part) => {
      if (halfOpen) {
        // The point moved to (x + ε², y + ε).
        const moved: Point = [at[0] * ROOM * ROOM + 1n, at[1] * ROOM * ROOM + ROOM];
        return (
          part.filter((ring) => sideIn(moved, scale(ring, down * ROOM * ROOM)).isInside).length % 2 === 1
        );
      }
      const sides = part.map((ring) => sideIn(at, scale(ring, down)));
      return sides.some(({ isOn }) => isOn) || sides.filter(({ isInside }) => isInside).length % 2 === 1;
    });
  };
  const start: Fraction = { up: 0n, down: 1n };
  const end: Fraction = { up: 1n, down: 1n };
  if (ax === bx && ay === by) return contains(start) ? [0, 1] : [];
  const cuts = [start, end];
  for (const ring of parts.flat())
    for (let i = 0; i < ring.length; i += 2) {
      const next = (i + 2) % ring.length;
      const edge = [ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!] as const;
      const { meeting, from, to, length } = exactMeeting(ax, ay, bx, by, ...edge);
      if (meeting !== 'none') cuts.push({ up: from, down: length }, { up: to, down: length });
    }
  cuts.sort(compare);
  const ordered = cuts.filter((cut, i) => i === 0 || compare(cuts[i - 1]!, cut) !== 0);
  const intervals: number[] = [];
  let last: Fraction | null = null;
  ordered.forEach((from, i) => {
    const isEnd = i === 0 || i === ordered.length - 1;
    if (isEnd ? contains(from) : !halfOpen) {
      if (last === null || compare(last, from) < 0) intervals.push(toNumber(from), toNumber(from));
      last = from;
    }
    const to = ordered[i + 1];
    if (to === undefined) return;
    if (contains({ up: from.up * to.down + to.up * from.down, down: 2n * from.down * to.down })) {
      if (last === null || compare(last, from) < 0) intervals.push(toNumber(from), toNumber(to));
      else intervals[intervals.length - 1] = toNumber(to);
      last = to;
    }
  });
  return intervals;
}
