/** Validity of polygons, compared with JTS in the plane, and with a test of all pairs of edges on the cylinder. */

import { describe, expect, test } from 'vitest';
import type { ZoneShape } from '../../src/index.js';
import type { NormalShape } from '../../src/zones/kinds/index.js';
import { type PolygonProblem, polygonProblems } from '../../src/zones/polygonProblems.js';
import { readShape } from '../../src/zones/readShape.js';
import { shapeProblems } from '../../src/zones/shapeProblems.js';
import { exactMeeting } from '../oracle/exact.js';
import { jstsProblem } from '../oracle/jstsValidity.js';
import { ringCase } from '../planar/adversarial.js';
import { seeded, volume } from '../volume.js';
import { wkt } from '../wkt.js';

type Pair = [number, number];
type Ring = Pair[];
type Random = () => number;

const reasons = (parts: Ring[][]): string[] => {
  const shape = { type: { key: 'polygon' }, geometry: [], parts } as unknown as ZoneShape;
  return shapeProblems(shape).map(({ reason }) => reason);
};
const whole = (random: Random, below: number): number => Math.floor(random() * below);
const anyRing = (random: Random, count: number, size: number): Ring =>
  Array.from({ length: count }, () => [whole(random, size), whole(random, size)]);

/** Vertices with whole coordinates, ordered by angle around a point: mostly a simple ring. */
function roundRing(random: Random, count: number, size: number, west = 0, south = 0): Ring {
  const ring = anyRing(random, count, size).map(([x, y]): Pair => [west + x, south + y]);
  const angle = ([x, y]: Pair): number => Math.atan2(y - south - size / 2 + 0.41, x - west - size / 2 + 0.37);
  return ring.sort((p, q) => angle(p) - angle(q));
}

function box(random: Random, west: number, south: number, east: number, north: number): Ring {
  const ring: Ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
  return random() < 0.5 ? ring : ring.reverse();
}

const some = <T>(random: Random, least: number, most: number, make: () => T): T[] =>
  Array.from({ length: least + whole(random, most - least + 1) }, make);

const FAMILIES: Readonly<Record<string, (random: Random) => Ring[][]>> = {
  'few vertices with whole coordinates': (random) => [[anyRing(random, 3 + whole(random, 4), 5)]],
  'vertices with whole coordinates, ordered around a point': (random) => [
    [roundRing(random, 3 + whole(random, 6), 7)],
  ],
  'holes in a box': (random) => [
    [
      box(random, 0, 0, 8, 8),
      ...some(random, 1, 4, () =>
        roundRing(random, 3 + whole(random, 2), 2 + whole(random, 4), whole(random, 7), whole(random, 7)),
      ),
    ],
  ],
  'small holes and diamonds in a box, often in chains': (random) => [
    [
      box(random, 0, 0, 10, 10),
      ...some(random, 2, 7, (): Ring => {
        const [x, y] = [1 + whole(random, 9), whole(random, 9)];
        if (random() < 0.3) return roundRing(random, 3, 2 + whole(random, 2), x, y);
        return [
          [x, y],
          [x + 1, y + 1],
          [x, y + 2],
          [x - 1, y + 1],
        ];
      }),
    ],
  ],
  'parts, some with a hole': (random) =>
    some(random, 1, 4, () => [
      roundRing(random, 4 + whole(random, 3), 3 + whole(random, 4), whole(random, 8), whole(random, 8)),
      ...some(random, 0, 1, () => roundRing(random, 3, 3, whole(random, 9), whole(random, 9))),
    ]),
  'boxes in boxes': (random) =>
    some(random, 1, 3, () => {
      const rings = some(random, 1, 3, () => {
        const [x, y] = [whole(random, 6), whole(random, 6)];
        return box(random, x, y, x + 1 + whole(random, 5), y + 1 + whole(random, 5));
      });
      const area = ([a, , c]: Ring): number => Math.abs((c![0] - a![0]) * (c![1] - a![1]));
      return rings.sort((p, q) => area(q) - area(p));
    }),
};

describe('agrees with JTS about polygons in the plane', () => {
  test.each(Object.entries(FAMILIES))('%s', (_, draw) => {
    const random = seeded(77);
    let valid = 0;
    const count = volume(17_000);
    for (let i = 0; i < count; i++) {
      const parts = draw(random);
      const own = reasons(parts);
      const jts = jstsProblem(parts);
      if (own.length === 0) valid++;
      expect(own.length === 0, `${JSON.stringify(parts)}: ${own.join(', ')} / ${jts}`).toBe(jts === null);
    }
    expect(Math.min(valid, count - valid)).toBeGreaterThan(count / 50);
  });
});

/** The parts without the rings that problems name, as validation removes them. */
function withoutNamed(parts: Ring[][], problems: readonly PolygonProblem[]): Ring[][] {
  const named = (part: number, ring: number): boolean =>
    problems.some(({ code, at }) => {
      if (at.part !== part) return false;
      if (code === 'ring-self-intersects') return at.ring === ring || at.ring === 0;
      return code === 'part-overlap' || at.ring === ring || at.ring === 0;
    });
  return parts
    .map((part, i) => part.filter((_, j) => !named(i, j)))
    .filter((part, i) => part.length > 0 && !named(i, 0));
}

/** Crowds of parts that meet each other in many ways: equal, shifted, nested, along edges, in one vertex. */
const CROWDS: Readonly<Record<string, (random: Random) => Ring[][]>> = {
  ...FAMILIES,
  'many boxes on a small grid': (random) =>
    some(random, 5, 60, () => {
      const [x, y] = [whole(random, 12), whole(random, 12)];
      return [box(random, x, y, x + 1 + whole(random, 3), y + 1 + whole(random, 3))];
    }),
  'equal parts with equal holes': (random) => {
    const part = [
      box(random, 0, 0, 9, 9),
      ...some(random, 0, 3, () => roundRing(random, 4, 4, whole(random, 6), 2)),
    ];
    return some(random, 2, 20, () => structuredClone(part));
  },
  'triangles with one common vertex': (random) =>
    some(random, 2, 30, () => [[[6, 6], [whole(random, 13), whole(random, 13)], [whole(random, 13), whole(random, 13)]]]), // biome-ignore format: a triangle
  'a box with many holes': (random) => [
    [
      box(random, 0, 0, 14, 14),
      ...some(random, 5, 40, () => {
        const [x, y] = [whole(random, 13), whole(random, 13)];
        return random() < 0.5
          ? box(random, x, y, x + 1 + whole(random, 2), y + 1 + whole(random, 2))
          : roundRing(random, 3, 3, x, y);
      }),
    ],
  ],
};

describe('without the rings that the problems name, the others are valid', () => {
  test.each(Object.entries(CROWDS))('%s', (_, draw) => {
    const random = seeded(78);
    for (let i = volume(4_000); i > 0; i--) {
      const parts = draw(random);
      let read: NormalShape;
      try {
        read = readShape({ type: { key: 'polygon' }, geometry: [], parts } as unknown as ZoneShape);
      } catch {
        continue;
      }
      if (read.key !== 'polygon') throw new Error('expected a polygon');
      const { problems, isComplete } = polygonProblems(read.parts, 1000);
      expect(isComplete).toBe(true);
      const rest = withoutNamed(parts, problems);
      const what = JSON.stringify({ parts, problems });
      if (rest.length > 0) expect(jstsProblem(rest), what).toBe(null);
      expect(problems.length === 0, what).toBe(jstsProblem(parts) === null);
    }
  });
});

describe('on the cylinder', () => {
  test('a polygon is as valid after a shift across the antimeridian, a reversal or a new start', () => {
    const random = seeded(5);
    const families = Object.values(FAMILIES);
    for (let i = volume(20_000); i > 0; i--) {
      const parts = families[i % families.length]!(random);
      const own = new Set(reasons(parts));
      // Multiples of 0.5 keep all sums with ±360 exact.
      const shift = 170 + whole(random, 24) / 2;
      const moved = parts.map((part) =>
        part.map((ring): Ring => {
          const start = whole(random, ring.length);
          const other = [...ring.slice(start), ...ring.slice(0, start)].map(([x, y]): Pair => [x + shift, y]);
          return random() < 0.5 ? other : other.reverse();
        }),
      );
      expect(new Set(reasons(moved)).size === 0, JSON.stringify(moved)).toBe(own.size === 0);
    }
  });

  test('rings around the Earth meet themselves if a pair of edges meets, also after a whole turn to either side', () => {
    const random = seeded(6);
    const seen = { valid: 0, invalid: 0 };
    for (let i = volume(20_000); i > 0; i--) {
      const ring = windingRing(random);
      const own = reasons([[ring]]);
      if (own.some((reason) => reason !== 'ring-self-intersects')) continue;
      const isValid = !meetsItself(ring);
      seen[isValid ? 'valid' : 'invalid']++;
      expect(own.length === 0, JSON.stringify(ring)).toBe(isValid);
    }
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(volume(20_000) / 20);
  });

  test('adversarial rings are as valid as the test of all pairs finds', () => {
    const random = seeded(8);
    for (let i = volume(20_000); i > 0; i--) {
      const flat = ringCase(i, random).ring;
      const ring = flat.flatMap((x, k): Ring => (k % 2 === 0 ? [[x, flat[k + 1]!]] : []));
      const own = reasons([[ring]]);
      if (own.some((reason) => reason !== 'ring-self-intersects')) continue;
      expect(own.length === 0, JSON.stringify(ring)).toBe(!meetsItself(ring));
    }
  });

  test('checks caps, bands and the whole world with holes and parts', () => {
    const cap = (lat: number, start = 0): Ring => [0, 90, 180, 270].map((lon): Pair => [start + lon, lat]);
    const square = (lon: number, lat: number): Ring => [
      [lon, lat],
      [lon + 5, lat],
      [lon + 5, lat + 5],
      [lon, lat + 5],
    ];
    const world: Ring = wkt('-180 -90, 180 -90, 180 90, -180 90');
    const band: Ring = wkt('-180 -10, 180 -10, 180 10, -180 10');
    const cases: [Ring[][], string[]][] = [
      [[[cap(60)]], []],
      [[[cap(60).reverse(), cap(80, 45)]], []],
      [[[cap(60), square(177, 70)]], []],
      [[[cap(60), square(177, 50)]], ['hole-outside']],
      [[[cap(60), square(177, 58)]], ['hole-outside']],
      [[[cap(60)], [cap(-60)]], []],
      [[[cap(60)], [cap(70)]], ['part-overlap']],
      [[[cap(-60)], [cap(-70)]], ['part-overlap']],
      [[[cap(-60)], [square(0, -80)]], ['part-overlap']],
      [[[cap(-60), square(0, -80)], [square(20, 0)]], []],
      [[[cap(60)], [square(0, 70)]], ['part-overlap']],
      [[[cap(60)], [square(-182, 55)]], ['part-overlap']],
      [[[cap(60)], [square(-182, 40)]], []],
      [[[world]], []],
      [[[world, square(-182, 0), square(20, 20)]], []],
      [[[world, cap(-80)]], []],
      [[[world, cap(-80), cap(80), square(0, 0)]], []],
      [[[world, square(0, 0), square(2, 2)]], ['hole-overlap']],
      [[[world], [square(0, 0)]], ['part-overlap']],
      [[[band]], []],
      [[[band, square(-182, 0)]], []],
      [[[band, square(-182, 8)]], ['hole-outside']],
      [[[band, square(0, 20)]], ['hole-outside']],
      [[[band], [square(0, 20)], [square(0, -30)], [cap(50)]], []],
      [[[band], [square(-3, 0)]], ['part-overlap']],
    ];
    for (const [parts, expected] of cases) expect(reasons(parts), JSON.stringify(parts)).toEqual(expected);
  });
});

/** A ring that mostly goes once around the Earth in steps of half degrees, with a few steps back. */
function windingRing(random: Random): Ring {
  const ring: Ring = [];
  const end = 360 + (random() < 0.1 ? 360 : 0);
  let lon = whole(random, 720) / 2 - 180;
  const stop = lon + end;
  while (lon < stop) {
    ring.push([((lon + 900) % 360) - 180, whole(random, 9) * 5 + (random() < 0.5 ? 30 : 0)]);
    lon += (random() < 0.15 ? -whole(random, 80) : 20 + whole(random, 150)) / 2 + (random() < 0.5 ? 40 : 0);
  }
  return random() < 0.5 ? ring : ring.reverse();
}

const flush = (value: number): number => (Math.abs(value) < 1e-12 ? 0 : value);

/** Tests all pairs of edges, also with one of them a whole turn to the west and to the east. */
function meetsItself(ring: Ring): boolean {
  const kept = ring
    .map(([lon, lat]): Pair => [flush(lon === -180 ? 180 : lon), flush(lat)])
    .filter(([lon, lat], i, list) => {
      const [x, y] = list.at(i - 1)!;
      return lon !== x || lat !== y;
    });
  const edges = kept.map(([ax, ay], i): [number, number, number, number] => {
    const [bx, by] = kept[(i + 1) % kept.length]!;
    const step = bx - ax > 180 ? -360 : bx - ax < -180 ? 360 : 0;
    return [ax, ay, bx + step, by];
  });
  return edges.some((p, i) =>
    edges.some(([ax, ay, bx, by], j) => {
      if (j <= i) return false;
      const isNext = j === i + 1 || (i === 0 && j === edges.length - 1);
      const met = [-360, 0, 360].map((turn) => exactMeeting(...p, ax + turn, ay, bx + turn, by).meeting);
      return isNext ? met.includes('overlap') : met.some((meeting) => meeting !== 'none');
    }),
  );
}
