/** Seeded lines on which corridors may fail: folds, lines that cross themselves, lines around the Earth, at all latitudes and widths. */

import type { Position } from '../../src/index.js';
import { hardLine, LINE_KINDS } from './lines.js';

type Random = () => number;

/** Input of the functions that make lines: a position, a size in degrees, and a count of vertices. */
interface Draw {
  readonly random: Random;
  readonly lon: number;
  readonly lat: number;
  readonly size: number;
  readonly count: number;
}

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon <= -180 ? lon + 360 : lon);
const clamp = (lat: number): number => Math.max(-90, Math.min(90, lat));

/** A polyline of offsets in units of `size`, scaled so that east is as long as north. */
const around = ({ lon, lat, size }: Draw, offsets: readonly (readonly [number, number])[]): Position[] => {
  const scale = Math.max(0.02, Math.cos((lat * Math.PI) / 180));
  return offsets.map(([x, y]) => [
    wrap(lon + Math.max(-170, Math.min(170, (x * size) / scale))),
    clamp(lat + y * size),
  ]);
};

const range = <T>(count: number, item: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => item(i));

export const ATTACKS: Readonly<Record<string, (draw: Draw) => Position[]>> = {
  fold: (d) => {
    const [x, y, t] = [d.random() * 2 - 1, d.random() * 2 - 1, d.random() * 1.5];
    return around(d, [[0, 0], [x, y], [x - t * x, y - t * y]]); // biome-ignore format: points
  },
  folds: (d) => {
    const [x, y] = [d.random() * 2 - 1, d.random() * 2 - 1];
    return around(d, range(3 + d.count % 9, () => { const t = d.random() * 2 - 1; return [t * x, t * y] as const; })); // biome-ignore format: points
  },
  'nearly folds': (d) => {
    const [x, y] = [d.random() * 2 - 1, d.random() * 2 - 1];
    const off = 10 ** (-15 * d.random());
    return around(d, range(3 + d.count % 9, (i) => { const t = i % 2 === 0 ? d.random() * 0.3 : 1 - d.random() * 0.3; return [t * x + off * d.random(), t * y - off * d.random()] as const; })); // biome-ignore format: points
  },
  'out and back': (d) => {
    const there = range(2 + (d.count % 20), (i) => [i / 10, d.random() / 8] as const);
    return around(d, [...there, ...there.toReversed()]);
  },
  spiral: (d) =>
    around(
      d,
      range(d.count, (i) => [(i / d.count) * Math.cos(i / 2), (i / d.count) * Math.sin(i / 2)]),
    ),
  star: (d) => around(d, range(3 + d.count % 30, (i) => i % 2 === 0 ? [0, 0] : [Math.cos(i * 2.4), Math.sin(i * 2.4)])), // biome-ignore format: points
  pentagram: (d) =>
    around(
      d,
      range(3 + (d.count % 30), (i) => [Math.cos(i * 2.513), Math.sin(i * 2.513)]),
    ),
  comb: (d) =>
    around(
      d,
      range(d.count, (i) => [Math.floor(i / 2) / 20, Math.floor((i + 1) / 2) % 2]),
    ),
  loop: (d) => around(d, range(4 + d.count % 40, (i, n = 3 + (d.count % 40)) => [Math.cos((i * 2 * Math.PI) / n), Math.sin((i * 2 * Math.PI) / n)])), // biome-ignore format: points
  square: (d) => around(d, [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]), // biome-ignore format: points
  eight: (d) =>
    around(
      d,
      range(d.count, (i) => [Math.sin(i / 3), Math.sin((2 * i) / 3) / 2]),
    ),
  parallel: (d) => range(2 + d.count % 30, (i) => [wrap(d.lon + (i * 300) / (2 + (d.count % 30))), d.lat]), // biome-ignore format: points
  'all round': (d) => range(5 + d.count % 30, (i) => [wrap(-180 + (i * 360) / (4 + (d.count % 30))), d.lat]), // biome-ignore format: points
  meridian: (d) => range(2 + d.count % 10, (i) => [d.lon, clamp(-80 + (i * 160) / (1 + (d.count % 10)))]), // biome-ignore format: points
  'over a pole': (d) => [[d.lon, Math.sign(d.lat) * 89], [d.lon, Math.sign(d.lat) * 90], [wrap(d.lon + 100), Math.sign(d.lat) * (90 - d.size)]], // biome-ignore format: points
  'at a pole': (d) => range(1 + d.count % 12, () => [d.random() * 360 - 180, Math.sign(d.lat) * (90 - Math.min(5, d.size) * d.random())]), // biome-ignore format: points
  antimeridian: (d) => range(2 + d.count % 30, (i) => [wrap(180 + (d.random() - 0.5) * d.size), clamp(d.lat + i * d.size * 0.3)]), // biome-ignore format: points
  'on ±180': (d) => range(2 + d.count % 9, (i) => [i % 2 === 0 ? 180 : -180, clamp(d.lat + i * d.size * (0.1 + d.random()))]), // biome-ignore format: points
  globe: (d) => range(2 + d.count % 7, () => [d.random() * 358 - 179, d.random() * 178 - 89]), // biome-ignore format: points
  hairpins: (d) =>
    around(
      d,
      range(d.count, (i) => [i % 2, i * 1e-4 * d.random()]),
    ),
};

const DECIMALS = 15;

export interface Attack {
  readonly kind: string;
  readonly line: Position[];
  readonly width: number;
}

/** The line of a seed, of some kind, and its width: 1 cm to 100 km, but wide enough that its corridor has under a million vertices. */
export function attack(seed: number, random: Random): Attack {
  const kinds = [...Object.keys(ATTACKS), ...LINE_KINDS];
  const kind = kinds[seed % kinds.length]!;
  const make = ATTACKS[kind];
  if (make === undefined) return { ...hardLine(kind as (typeof LINE_KINDS)[number], random), kind };
  const width = 10 ** (random() * 7 - 2);
  const lat = random() < 0.2 ? (random() < 0.5 ? -1 : 1) * (80 + 10 * random()) : random() * 160 - 80;
  const reach = 10 ** (random() * 5 - 2.5);
  const draw: Draw = {
    random,
    lon: random() * 360 - 180,
    lat,
    size: Math.min(20, Math.max(1e-6, (width * reach) / 111_320)),
    count: 2 + Math.floor(random() * 80),
  };
  const decimals = 1 + Math.floor(random() * DECIMALS);
  const line = make(draw).map(
    ([lon, y]): Position => [wrap(Number(lon.toFixed(decimals))), Number(y.toFixed(decimals))],
  );
  // Edges of exactly 180° are refused, so their vertices are left out.
  const kept = line.filter(([lon], i) => i === 0 || Math.abs(lon - line[i - 1]![0]) !== 180);
  const isFine = kept.every(([lon], i) => i === 0 || Math.abs(lon - kept[i - 1]![0]) !== 180);
  return { kind, line: isFine ? kept : kept.slice(0, 1), width };
}
