/**
 * Times hard lines of 10,000 vertices of every extent and width, each alone, in seconds of processor time. A line should take at most one
 * second, whether it gives a corridor or the error `limit-vertices`.
 */

import { corridor, type Position, WayzoneError } from '../src/index.js';
import { seeded } from '../test/volume.js';
import { gridWalk, networkWalk, walk } from '../test/zones/lines.js';

const COUNT = 10_000;
const range = (item: (i: number) => Position): Position[] => Array.from({ length: COUNT }, (_, i) => item(i));

interface Shape {
  readonly name: string;
  readonly line: readonly Position[];
  readonly widths: readonly number[];
}

const wrap = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;
const clamp = (lat: number): number => Math.max(-90, Math.min(90, lat));

/** Line of offsets in multiples of `meters` around a position. */
function around(
  [lon, lat]: Position,
  meters: number,
  offsets: (i: number) => readonly [x: number, y: number],
): Position[] {
  const perLat = meters / 111_320;
  const perLon = perLat / Math.max(1e-4, Math.cos((lat * Math.PI) / 180));
  return range((i) => {
    const [x, y] = offsets(i);
    return [wrap(lon + x * perLon), clamp(lat + y * perLat)];
  });
}

const CITY: Position = [37.6, 55.7];
const NARROW_TO_WIDE = [0.01, 1, 20, 300, 5000, 100_000, 1_000_000];
const SIZES = [100, 10_000, 1_000_000];

function walks(): Shape[] {
  return [0, 60, 80, 88, 89.5, 89.99, -90].flatMap((lat) =>
    [1, 100, 10_000].flatMap((step) =>
      [0.3, 3].map(
        (bend): Shape => ({
          name: `walk at ${lat}°, steps of ${step} m, ${bend < 1 ? 'smooth' : 'at random'}`,
          line: walk(seeded(7), COUNT, [20, lat], step, bend),
          widths: [0.01, step / 10, step, 10 * step, 100 * step, 89_000, 1_000_000].filter(
            (width) => width <= 2_000_000,
          ),
        }),
      ),
    ),
  );
}

function drawings(): Shape[] {
  const drawn: Readonly<Record<string, (i: number, random: () => number) => readonly [number, number]>> = {
    scribble: (_, random) => [random() - 0.5, random() - 0.5],
    zigzag: (i) => [i / COUNT, (i % 2) * 0.5],
    'zigzag in a wedge': (i) => [i / COUNT, (i % 2) * (i / COUNT)],
    hairpins: (i) => [i % 2, i / (100 * COUNT)],
    comb: (i) => [Math.floor(i / 2) / COUNT, Math.floor((i + 1) / 2) % 2],
    spiral: (i) => [(i / COUNT) * Math.cos(i / 20), (i / COUNT) * Math.sin(i / 20)],
    'tight spiral': (i) => [(i / COUNT) * Math.cos(i / 4), (i / COUNT) * Math.sin(i / 4)],
    'star burst': (i) => (i % 2 === 0 ? [0, 0] : [Math.cos(i * 2.4), Math.sin(i * 2.4)]),
    'star of chords': (i) => [Math.cos(i * 2.4), Math.sin(i * 2.4)],
    'chords that all but meet in one point': (i) => [
      Math.cos(i * (Math.PI + 1e-3)),
      Math.sin(i * (Math.PI + 1e-3)),
    ],
    'circle gone round 100 times': (i) => [
      Math.cos((i * 2 * Math.PI) / 100),
      Math.sin((i * 2 * Math.PI) / 100),
    ],
    'circle gone round, each time a hair wider': (i) => [
      (1 + i * 1e-6) * Math.cos(i / 16),
      (1 + i * 1e-6) * Math.sin(i / 16),
    ],
    flower: (i) => [Math.cos(i / 50) * Math.cos(i / 7), Math.sin(i / 50) * Math.cos(i / 7)],
    'rest, then away': (i, random) => (i < COUNT - 1 ? [random() / 100, random() / 100] : [1, 1]),
    weave: (i) =>
      Math.floor(i / 100) % 2 === 0
        ? [(i % 100) / 100, Math.floor(i / 200) / 50]
        : [Math.floor(i / 200) / 50, (i % 100) / 100],
    'lattice of long rows': (i) =>
      Math.floor(i / (COUNT / 2)) === 0
        ? [Math.floor((i + 1) / 2) % 2, i / COUNT]
        : [(i - COUNT / 2) / COUNT, Math.floor((i + 1) / 2) % 2],
    'nearly the same edge over and over': (i, random) => [(i % 2) + 1e-9 * random(), 1e-9 * random()],
    stairs: (i) => [Math.ceil(i / 2) / COUNT, Math.floor(i / 2) / COUNT],
    'Koch-like saw': (i) => [
      i / COUNT,
      [1, 2, 4, 8, 16, 32, 64].reduce((sum, k) => sum + Math.abs((((i * k) / 128) % 2) - 1) / k, 0) / 10,
    ],
  };
  return Object.entries(drawn).flatMap(([name, offsets]) =>
    SIZES.flatMap((meters) =>
      [CITY, [179.99, 0] as Position, [10, 89.5] as Position].map((at): Shape => {
        const random = seeded(11);
        return {
          name: `${name}, ${meters} m at ${at[1]}°`,
          line: around(at, meters, (i) => offsets(i, random)),
          widths: NARROW_TO_WIDE,
        };
      }),
    ),
  );
}

function repeats(): Shape[] {
  const random = seeded(5);
  const spokes = Array.from(
    { length: 100 },
    (): Position => [CITY[0] + 0.1 * random(), CITY[1] + 0.1 * random()],
  );
  const out = walk(seeded(4), 100, CITY, 85, 0.3);
  return [
    {
      name: 'hub and spokes',
      line: range((i) => (i % 2 === 0 ? CITY : spokes[Math.floor(random() * 100)]!)),
      widths: NARROW_TO_WIDE,
    },
    {
      name: 'hub and 5,000 spokes',
      line: range((i) => (i % 2 === 0 ? CITY : [CITY[0] + 0.1 * random(), CITY[1] + 0.1 * random()])),
      widths: NARROW_TO_WIDE,
    },
    {
      name: 'out and back, 50 times',
      line: range((i) => out[Math.floor(i / 100) % 2 === 0 ? i % 100 : 99 - (i % 100)]!),
      widths: NARROW_TO_WIDE,
    },
    {
      name: 'one edge to and fro',
      line: range((i) => (i % 2 === 0 ? CITY : [37.7, 55.8])),
      widths: NARROW_TO_WIDE,
    },
    { name: 'city grid', line: gridWalk(seeded(5), COUNT, CITY, 0.001), widths: NARROW_TO_WIDE },
    {
      name: 'network of 500 places',
      line: networkWalk(seeded(6), 500, COUNT, CITY, 3000),
      widths: NARROW_TO_WIDE,
    },
    {
      name: 'network of 5,000 places',
      line: networkWalk(seeded(6), 5000, COUNT, CITY, 30_000),
      widths: NARROW_TO_WIDE,
    },
  ];
}

function globes(): Shape[] {
  const at = (name: string, position: (i: number, random: () => number) => Position): Shape => {
    const random = seeded(9);
    return { name, line: range((i) => position(i, random)), widths: NARROW_TO_WIDE };
  };
  return [
    at('positions all over the Earth', (_, random) => [360 * random() - 180, 180 * random() - 90]),
    at('positions on one hemisphere', (_, random) => [170 * random() - 85, 180 * random() - 90]),
    at('parallels, a helix from pole to pole', (i) => [wrap(i * 36), -90 + (i * 180) / COUNT]),
    at('round the equator 100 times, a little up and down', (i, random) => [wrap(i * 3.6), random() - 0.5]),
    at('round the equator 1,000 times', (i) => [wrap(i * 36), 0]),
    at('great circles', (i) => [wrap(i * 3.6 + 0.1 * Math.floor(i / 100)), 60 * Math.sin(i * 0.0628)]),
    at('meridians over both poles', (i) => [wrap(Math.floor(i / 2) * 1.1), i % 4 < 2 ? 90 : -90]),
    at('over a pole and over again', (i) => [wrap(i * 137.5), 89.9 + 0.1 * (i / COUNT)]),
    at('star burst at a pole', (i, random) => (i % 2 === 0 ? [wrap(i * 7), 90] : [360 * random() - 180, 85])),
    at('along a pole', (i, random) => [360 * random() - 180, i % 10 === 0 ? 89.9 : 90]),
    at('round a pole 100 times', (i) => [wrap(i * 3.6), 89 + i / COUNT / 2]),
    at('to and fro across ±180°', (i) => [i % 2 === 0 ? 179.9 : -179.9, (60 * i) / COUNT]),
    at('up and down ±180°', (i) => [i % 2 === 0 ? 180 : -180, ((i * 7) % 100) / 10]),
    at('one parallel of 360° at 80°', (i) => [wrap((i * 360) / COUNT), 80]),
    at('meridians, 89° S to 89° N', (i) => [
      wrap(Math.floor(i / 2) * 0.036),
      Math.floor((i + 1) / 2) % 2 === 0 ? -89 : 89,
    ]),
  ];
}

/** Seconds of processor time for one line, and whether it was refused. */
function timed(
  line: readonly Position[],
  width: number,
  edges: 'lonlat' | 'geodesic',
): { readonly seconds: number; readonly result: string } {
  const start = process.cpuUsage();
  let result: string;
  try {
    const { type, coordinates } = corridor(line, width, { edges });
    const rings = (type === 'Polygon' ? [coordinates] : coordinates).flat();
    result = `${rings.reduce((sum, ring) => sum + ring.length, 0)} vertices`;
  } catch (error) {
    if (!(error instanceof WayzoneError && error.code === 'limit-vertices')) throw error;
    result = error.code;
  }
  const { user, system } = process.cpuUsage(start);
  return { seconds: (user + system) / 1e6, result };
}

const shapes = (): Shape[] => [...walks(), ...drawings(), ...repeats(), ...globes()];

/** The table of every `stride`-th line. */
export function corridorStress(stride: number): string {
  let index = 0;
  corridor(walk(seeded(1), 3000, CITY, 85, 3), 100);
  const rows: { readonly name: string; readonly seconds: number; readonly result: string }[] = [];
  for (const { name, line, widths } of shapes()) {
    for (const width of widths) {
      // An edge of exactly 180° is invalid, so its second position is dropped.
      const kept = line.filter(([lon], i) => i === 0 || Math.abs(lon - line[i - 1]![0]) !== 180);
      for (const edges of ['lonlat', 'geodesic'] as const) {
        if (index++ % stride !== 0) continue;
        rows.push({
          name: `${name}, w ${width}${edges === 'geodesic' ? ', geodesic' : ''}`,
          ...timed(kept, width, edges),
        });
      }
    }
  }
  const slowest = rows.toSorted((p, q) => q.seconds - p.seconds);
  const refused = rows.filter(({ result }) => result === 'limit-vertices');
  return [
    `### Corridors of ${rows.length} lines of 10,000 vertices: processor seconds of the slowest`,
    '',
    '| | s | result |',
    '|---|---|---|',
    ...slowest
      .slice(0, 12)
      .map(({ name, seconds, result }) => `| ${name} | ${seconds.toFixed(2)} | ${result} |`),
    '',
    `Over a second: ${rows.filter(({ seconds }) => seconds > 1).length}. Refused as \`limit-vertices\`: ${refused.length}, the slowest after ${Math.max(...refused.map(({ seconds }) => seconds)).toFixed(2)} s. Median ${slowest[slowest.length >> 1]!.seconds.toFixed(3)} s.`,
    '',
  ].join('\n');
}
