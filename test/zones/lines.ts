/** Seeded lines that are hard for corridors. */

import type { Position } from '../../src/index.js';

type Random = () => number;

const METERS_PER_DEGREE = 111_320;

export const LINE_KINDS = [
  'walk',
  'grid',
  'there-and-back',
  'dwell',
  'rounded',
  'network',
  'loops',
  'roundabout',
  'spikes',
  'few',
  'antimeridian',
  'polar',
  'wide',
] as const;
export type LineKind = (typeof LINE_KINDS)[number];

export interface HardLine {
  readonly kind: LineKind;
  readonly line: Position[];
  readonly width: number;
}

const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon <= -180 ? lon + 360 : lon);

/** `count` vertices; each step is `meters` · (0.2 to 1.2), and turns by up to `bend` radians. */
export function walk(
  random: Random,
  count: number,
  [lon, lat]: Position,
  meters: number,
  bend: number,
): Position[] {
  const line: Position[] = [];
  let heading = random() * 7;
  let [x, y] = [lon, lat];
  for (let i = 0; i < count; i++) {
    line.push([wrap(x), y]);
    heading += (random() - 0.5) * 2 * bend;
    const step = meters * (0.2 + random());
    x += (step * Math.sin(heading)) / METERS_PER_DEGREE / Math.max(0.001, Math.cos((y * Math.PI) / 180));
    y = Math.max(-89.999, Math.min(89.999, y + (step * Math.cos(heading)) / METERS_PER_DEGREE));
    x = ((x + 540) % 360) - 180;
  }
  return line;
}

/** Steps of exactly `step` degrees along streets, back and forth, sometimes with a repeated position. */
export function gridWalk(random: Random, count: number, [lon, lat]: Position, step: number): Position[] {
  let [x, y] = [0, 0];
  return Array.from({ length: count }, (): Position => {
    const at: Position = [lon + x * step, lat + y * step];
    const way = Math.floor(random() * 4.2);
    if (way === 0) x++;
    else if (way === 1) x--;
    else if (way === 2) y++;
    else if (way === 3) y--;
    return at;
  });
}

/** Fixes of a standing unit: within `meters` of a position. */
export function dwell(random: Random, count: number, [lon, lat]: Position, meters: number): Position[] {
  const scale = Math.cos((lat * Math.PI) / 180);
  return Array.from({ length: count }, (): Position => {
    const angle = random() * 2 * Math.PI;
    const reach = (meters * Math.sqrt(random())) / METERS_PER_DEGREE;
    return [lon + (reach * Math.cos(angle)) / scale, lat + reach * Math.sin(angle)];
  });
}

/** A line that comes from afar, drives round a small ring and leaves it again, as drivers do at a roundabout. */
export function roundabout(random: Random, [lon, lat]: Position): Position[] {
  const scale = Math.cos((lat * Math.PI) / 180);
  const at = (meters: number, angle: number): Position => [
    lon + (meters * Math.cos(angle)) / METERS_PER_DEGREE / scale,
    lat + (meters * Math.sin(angle)) / METERS_PER_DEGREE,
  ];
  const radius = 3 + 57 * random() ** 2;
  const sides = 6 + Math.floor(random() * 34);
  const entry = 2 * Math.PI * random();
  const way = random() < 0.5 ? 1 : -1;
  const steps = Math.round(sides * (random() < 0.6 ? 1 : 0.3 + 2 * random()));
  const uneven = random() < 0.5 ? 0 : 0.15;
  const arm = radius + 30 + 300 * random();
  const exit = entry + (2 * Math.PI * way * steps) / sides;
  const ring = Array.from({ length: steps + 1 }, (_, i) =>
    at(
      radius * (i % sides === 0 ? 1 : 1 + uneven * (random() - 0.5)),
      entry + (2 * Math.PI * way * i) / sides,
    ),
  );
  const start = at(arm, entry + 1.2 * (random() - 0.5));
  const line = [start, ...ring, random() < 0.5 ? start : at(arm, exit + random() - 0.5)];
  const decimals = 10 ** (5 + Math.floor(random() * 3));
  return line.map(
    ([x, y]): Position => [Math.round(x * decimals) / decimals, Math.round(y * decimals) / decimals],
  );
}

/** Ways between few positions, some of them backwards: edges repeat in both directions, and junctions have all angles. */
export function networkWalk(
  random: Random,
  places: number,
  count: number,
  at: Position,
  meters: number,
): Position[] {
  const scale = Math.cos((at[1] * Math.PI) / 180);
  const spread = (share: number): number => ((share - 0.5) * 2 * meters) / METERS_PER_DEGREE;
  const positions = Array.from(
    { length: places },
    (): Position => [at[0] + spread(random()) / scale, at[1] + spread(random())],
  );
  const ways = positions.map(() => Array.from({ length: 3 }, () => Math.floor(random() * places)));
  const behind: number[] = [];
  let here = 0;
  return Array.from({ length: count }, (): Position => {
    const position = positions[here]!;
    const back = random() < 0.3 ? behind.pop() : undefined;
    if (back === undefined) behind.push(here);
    here = back ?? ways[here]![Math.floor(random() * 3)]!;
    return position;
  });
}

/** A line of a kind, with a width from much less to much more than the length of its edges. */
export function hardLine(kind: LineKind, random: Random): HardLine {
  const place: Position = [random() * 358 - 179, random() * 150 - 75];
  const meters = 10 ** (random() * 3);
  const count = 2 + Math.floor(random() * 60);
  const width = Math.max(0.1, meters * 10 ** (random() * 2.5 - 1.2));
  switch (kind) {
    case 'walk':
      return { kind, line: walk(random, count, place, meters, 0.2 + random() * 2), width };
    case 'grid':
      return { kind, line: gridWalk(random, 3 * count, [37, 55], 0.001), width: 1 + random() * 150 };
    case 'there-and-back': {
      const out = walk(random, count, place, meters, 0.8);
      return { kind, line: [...out, ...out.toReversed()], width };
    }
    case 'dwell':
      return { kind, line: dwell(random, 2 * count, place, 5), width: 1 + random() * 200 };
    case 'rounded':
      return {
        kind,
        line: walk(random, count, place, 40, 1).map(
          ([x, y]): Position => [Math.round(x * 1e4) / 1e4, Math.round(y * 1e4) / 1e4],
        ),
        width: 1 + random() * 100,
      };
    case 'network':
      return {
        kind,
        line: networkWalk(random, 2 + Math.floor(count / 2), 2 * count, place, 3 * meters),
        width,
      };
    case 'loops': {
      const turns = Array.from({ length: 30 }, (_, i): Position => {
        const angle = (2 * Math.PI * (i % 12)) / 12;
        return [
          place[0] + (0.002 * Math.cos(angle)) / Math.cos((place[1] * Math.PI) / 180),
          place[1] + 0.002 * Math.sin(angle),
        ];
      });
      return { kind, line: turns, width: 1 + random() * 450 };
    }
    case 'roundabout':
      return { kind, line: roundabout(random, place), width: 2 * 10 ** (random() * 2.5) };
    case 'spikes': {
      const way = walk(random, count, place, meters, 0.5);
      return { kind, line: way.flatMap((at, i) => (i % 3 === 1 ? [at, way[i - 1]!, at] : [at])), width };
    }
    case 'few':
      return { kind, line: walk(random, 1 + Math.floor(random() * 3), place, 100 * meters, 3), width };
    case 'antimeridian':
      return {
        kind,
        line: walk(random, count, [random() < 0.5 ? 180 : 179.999, place[1]], meters, 1.5),
        width,
      };
    case 'polar': {
      const lat = (random() < 0.5 ? -1 : 1) * (84 + 6 * random());
      return {
        kind,
        line: walk(random, 2 + Math.floor(count / 4), [place[0], lat], 100 * meters, 1),
        width: 100 * width,
      };
    }
    case 'wide':
      return {
        kind,
        line: walk(random, 2 + Math.floor(random() * 8), place, 300_000, 1),
        width: 10 ** (5 + random() * 1.3),
      };
  }
}
