import { describe, expect, test } from 'vitest';
import type { FieldError } from '../../src/core/errors.js';
import type { ZoneShape } from '../../src/index.js';
import { MAX_SHAPE_ERRORS, shapeProblems } from '../../src/zones/shapeProblems.js';
import { jstsProblem } from '../oracle/jstsValidity.js';
import { seeded } from '../volume.js';
import { wkt } from '../wkt.js';

type Ring = [number, number][];

const shape = (key: string, geometry: unknown, more: object = {}): ZoneShape =>
  ({ type: { key }, geometry, ...more }) as unknown as ZoneShape;
const polygon = (geometry: unknown): ZoneShape => shape('polygon', geometry);
const inParts = (...parts: Ring[][]): ZoneShape => shape('polygon', [], { parts });
/** `reason field` of each error. */
const named = (errors: readonly FieldError[]): string[] =>
  errors.map(({ reason, field }) => `${reason} ${field}`);
const problems = (input: ZoneShape): string[] => named(shapeProblems(input));
const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];
const diamond = (lon: number, lat: number, reach: number): Ring => [
  [lon - reach, lat],
  [lon, lat - reach],
  [lon + reach, lat],
  [lon, lat + reach],
];

/** A diamond inside a box: its corner nearest to (5, 5) is kept and the others move inwards. */
function slim(ring: Ring): Ring {
  const tip = ring.find(([lon, lat]) => lon === 5 && lat === 5)!;
  const [x, y] = [(ring[0]![0] + ring[2]![0]) / 2 - 5, (ring[1]![1] + ring[3]![1]) / 2 - 5];
  return [tip, [5 + x - y / 4, 5 + y + x / 4], [5 + x + y / 4, 5 + y - x / 4]];
}

describe('all unreadable values are reported at once', () => {
  test('each invalid number has its own path, in either axis order', () => {
    const bad = [
      [0, Number.NaN],
      ['1', Number.POSITIVE_INFINITY],
      [1, '55.7'],
      [null, 1n],
      [2, 2],
    ];
    expect(problems(polygon(bad))).toEqual([
      'coord-not-finite geometry[0][1]',
      'coord-type geometry[1][0]',
      'coord-not-finite geometry[1][1]',
      'coord-type geometry[2][1]',
      'coord-type geometry[3][0]',
      'coord-type geometry[3][1]',
    ]);
    const latFirst = shape('line', [[100, 600], [Number.NaN, 0], 7], { width: -1 });
    expect(named(shapeProblems(latFirst, { axisOrder: 'latlon' }, 'points[3].'))).toEqual([
      'lat-range points[3].geometry[0][0]',
      'lon-range points[3].geometry[0][1]',
      'coord-not-finite points[3].geometry[1][0]',
      'coord-type points[3].geometry[2]',
      'width-range points[3].width',
    ]);
  });

  test('latitudes beyond the poles are reported, with a hint at swapped pairs; the poles are valid', () => {
    const errors = shapeProblems(shape('line', wkt('0 90.0000001, 37 -122.14, 0 90, 1 -90'), { width: 5 }));
    expect(named(errors)).toEqual(['lat-range geometry[0][1]', 'lat-range geometry[1][1]']);
    expect(errors[1]!.message).toContain('swapped?');
    expect(problems(shape('point', [[37.6, 55.7]]))).toEqual([]);
  });

  test('longitudes up to ±540 are wrapped, others are errors', () => {
    expect(problems(polygon(box(539, 0, 540, 1)))).toEqual([]);
    expect(problems(shape('point', [[540.5, 0]]))).toEqual(['lon-range geometry[0][0]']);
  });

  test('accepts -0 and tiny values, repeated and closing vertices, either direction', () => {
    const ring: Ring = wkt('-0 1e-320, 0 0, 2 0, 2 0, 2 2, 0 2, 0 2, 0 -0');
    expect(problems(polygon(ring))).toEqual([]);
    expect(problems(polygon(ring.toReversed()))).toEqual([]);
  });

  test('each edge of exactly 180° is reported, by the positions as given', () => {
    const ring = wkt('0 0, 0 0, 180 0, 180 10, 0 10, 90 40');
    expect(problems(polygon(ring))).toEqual(['edge-ambiguous geometry[1]', 'edge-ambiguous geometry[3]']);
    expect(problems(shape('line', wkt('0 0, 180 0, 0 1'), { width: 1 }))).toEqual([
      'edge-ambiguous geometry[1]',
      'edge-ambiguous geometry[2]',
    ]);
  });

  test('each too short or flat ring of the parts is reported, and also invalid numbers', () => {
    const flat: Ring = wkt('1 1, 2 2, 3 3, 4 4');
    const short: Ring = wkt('1 1, 2 2, 1 1');
    const bad = wkt('0 0, 1 91, 1 1') as Ring;
    expect(problems(inParts([box(0, 0, 9, 9), flat, short], [bad], []))).toEqual([
      'ring-zero-area parts[0][1]',
      'ring-too-short parts[0][2]',
      'lat-range parts[1][0][1][1]',
      'ring-too-short parts[2]',
    ]);
    for (const count of [0, 1, 2])
      expect(problems(polygon(flat.slice(0, count)))).toEqual(['ring-too-short geometry']);
    expect(problems(polygon(wkt('3 3, 3 3, 3 3, 3 3')))).toEqual(['ring-too-short geometry']);
    expect(problems(inParts())).toEqual(['ring-too-short parts']);
  });

  test('the geometry and the width of circles and lines are checked separately', () => {
    expect(problems(shape('circle', wkt('0 91, 1 1'), { width: 3e7 }))).toEqual([
      'geometry-count geometry',
      'lat-range geometry[0][1]',
      'radius-range width',
    ]);
    expect(problems(shape('circle', [[0, 0]]))).toEqual(['width-missing width']);
    expect(problems(shape('circle', [[0, 0]], { width: Number.NaN }))).toEqual(['radius-range width']);
    expect(problems(shape('circle', [[0, 0]], { width: 0 }))).toEqual(['radius-range width']);
    expect(problems(shape('line', [[0, 0]], { width: 9 }))).toEqual(['line-too-short geometry']);
    expect(problems(shape('line', [], { width: 0 }))).toEqual([
      'line-too-short geometry',
      'width-range width',
    ]);
    expect(problems(shape('blob', []))).toEqual(['zone-type type.key']);
    expect(problems(null as unknown as ZoneShape)).toEqual(['zone-type type']);
  });

  test('after a hundred errors the last one has the number of the others', () => {
    const errors = shapeProblems(polygon(Array.from({ length: 250 }, () => [0, 91])));
    expect(errors.length).toBe(MAX_SHAPE_ERRORS + 1);
    expect(errors.at(-1)).toMatchObject({ reason: 'limit-errors', field: 'geometry[249][1]' });
    expect(errors.at(-1)!.message).toContain('150 more');
  });

  test('for a ring with too many crossings to list, the last error reports that there may be more', () => {
    const zigzag = Array.from({ length: 400 }, (_, i): [number, number] => [(i * 7919) % 401, i % 2]).map(
      ([x, y]): [number, number] => [x / 1000, y / 1000],
    );
    const errors = shapeProblems(polygon(zigzag));
    expect(errors.length).toBe(MAX_SHAPE_ERRORS + 1);
    expect(errors.slice(0, -1).every(({ reason }) => reason === 'ring-self-intersects')).toBe(true);
    expect(errors.at(-1)).toMatchObject({ reason: 'limit-errors', field: 'geometry' });
  });

  test('too many vertices and rings are refused before any is read', () => {
    expect(problems(polygon(new Array(1_000_001)))).toEqual(['limit-vertices geometry']);
    expect(problems(shape('polygon', [], { parts: [new Array(100_000)] }))).toEqual(['limit-rings parts']);
  });

  test('reads frozen, sparse, proxied and throwing input', () => {
    const frozen = Object.freeze(box(0, 0, 1, 1).map((pair) => Object.freeze(pair)));
    expect(problems(polygon(frozen))).toEqual([]);
    class List<T> extends Array<T> {}
    expect(problems(polygon(List.from(box(0, 0, 1, 1))))).toEqual([]);
    expect(problems(polygon(new Proxy(box(0, 0, 1, 1), {})))).toEqual([]);
    expect(problems(polygon(Object.assign(new Array(4), { 0: [0, 0], 2: [1, 1] })))).toEqual([
      'coord-type geometry[1]',
      'coord-type geometry[3]',
    ]);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(problems(proxy as unknown as ZoneShape)).toEqual(['input-unreadable type']);
    expect(problems(polygon(proxy))).toEqual(['coord-type geometry']);
    expect(problems(polygon([[0, 0], proxy, [1, 1]]))).toEqual(['input-unreadable geometry[1]']);
    const thrower = Object.defineProperty([0, 0], 1, {
      get: () => {
        throw new Error('no');
      },
    });
    expect(problems(polygon([[0, 0], thrower, [1, 'x']]))).toEqual([
      'input-unreadable geometry[1]',
      'coord-type geometry[2][1]',
    ]);
    expect(
      problems({
        get type() {
          throw new Error('no');
        },
      } as unknown as ZoneShape),
    ).toEqual(['input-unreadable type']);
  });

  test('each field of the shape is read once', () => {
    const reads: string[] = [];
    const watched = new Proxy(polygon(box(0, 0, 1, 1)), {
      get: (target, name) => {
        reads.push(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(problems(watched)).toEqual([]);
    expect(reads).toEqual(['type', 'geometry', 'width', 'parts']);
  });

  test('invalid options throw', () => {
    expect(() => shapeProblems(polygon([]), { axisOrder: 'xy' as 'lonlat' })).toThrow('lonlat');
  });
});

describe('self-intersecting rings, with both segments', () => {
  const cases: [string, Ring, [number, number][]][] = [
    ['a bow-tie', wkt('0 0, 2 2, 2 0, 0 2'), [[0, 2]]],
    ['a bow-tie with repeated vertices', wkt('0 0, 0 0, 2 2, 2 2, 2 0, 0 2, 0 0'), [[1, 4]]],
    ['a spike', wkt('0 0, 4 0, 4 4, 4 6, 4 4, 0 4'), wkt('1 3, 1 4, 2 3, 2 4')],
    ['a vertex on an edge', wkt('0 0, 4 0, 4 4, 2 0, 0 4'), wkt('0 2, 0 3')],
    ['a bow-tie across the antimeridian', wkt('179 0, -179 2, -179 0, 179 2'), [[0, 2]]],
    ['a bow-tie written past 180', wkt('179 0, 181 2, 181 0, 179 2'), [[0, 2]]],
  ];
  test.each(cases)('%s', (_, ring, pairs) => {
    const errors = shapeProblems(polygon(ring));
    expect(new Set(errors.map(({ segments }) => segments?.join()))).toEqual(
      new Set(pairs.map((pair) => pair.join())),
    );
    for (const { field, reason, message, segments } of errors) {
      expect([field, reason]).toEqual(['geometry', 'ring-self-intersects']);
      expect(message).toContain(segments!.join(' and '));
    }
  });

  test('a figure of eight at a vertex', () => {
    const eight: Ring = wkt('0 0, 1 1, 2 0, 2 2, 1 1, 0 2');
    expect(shapeProblems(polygon(eight)).every(({ reason }) => reason === 'ring-self-intersects')).toBe(true);
    expect(shapeProblems(polygon(eight)).length).toBe(4);
  });

  test('each ring of the parts is checked, and a ring with countless crossings ends soon', () => {
    const tie: Ring = wkt('1 1, 2 2, 2 1, 1 2');
    expect(problems(inParts([box(0, 0, 9, 9), tie], [tie.map(([x, y]) => [x + 20, y])]))).toEqual([
      'ring-self-intersects parts[0][1]',
      'ring-self-intersects parts[1][0]',
    ]);
    const random = seeded(4);
    const tangle = Array.from({ length: 30_000 }, () => [random(), random()]);
    expect(shapeProblems(polygon(tangle)).length).toBe(MAX_SHAPE_ERRORS + 1);
  });
});

describe('holes and parts', () => {
  const shell = box(0, 0, 10, 10);
  test.each([
    ['a hole inside', [[shell, box(2, 2, 4, 4)]], []],
    ['a hole that touches the shell with a vertex', [[shell, diamond(2, 5, 2)]], []],
    ['a hole that touches a vertex of the shell', [[shell, wkt('0 0, 3 1, 1 3')]], []],
    ['holes that touch at a point', [[shell, diamond(3, 5, 1), diamond(5, 5, 1)]], []],
    ['a hole along the edge', [[shell, box(0, 2, 2, 4)]], ['hole-outside parts[0][1]']],
    ['a hole that crosses the shell', [[shell, box(8, 2, 12, 4)]], ['hole-outside parts[0][1]']],
    ['a hole that crosses it through vertices', [[shell, diamond(10, 5, 5)]], ['hole-outside parts[0][1]']],
    ['a hole outside', [[shell, box(20, 2, 22, 4)]], ['hole-outside parts[0][1]']],
    ['a hole outside that touches', [[shell, diamond(11, 5, 1)]], ['hole-outside parts[0][1]']],
    ['a hole equal to the shell', [[shell, [...shell].reverse()]], ['hole-outside parts[0][1]']],
    ['a hole around the shell', [[shell, box(-5, -5, 15, 15)]], ['hole-outside parts[0][1]']],
    ['a hole in a hole', [[shell, box(1, 1, 9, 9), box(3, 3, 4, 4)]], ['hole-overlap parts[0][2]']],
    ['a hole around a hole', [[shell, box(3, 3, 4, 4), box(1, 1, 9, 9)]], ['hole-overlap parts[0][2]']],
    ['equal holes', [[shell, box(3, 3, 4, 4), box(3, 3, 4, 4)]], ['hole-overlap parts[0][2]']],
    ['holes that cross', [[shell, box(2, 2, 5, 5), box(4, 4, 7, 7)]], ['hole-overlap parts[0][2]']],
    ['holes along one edge', [[shell, box(2, 2, 4, 4), box(4, 2, 6, 4)]], ['hole-overlap parts[0][2]']],
    ['a hole that touches the shell twice', [[shell, diamond(5, 5, 5)]], ['interior-disconnected parts[0]']],
    [
      'a chain of holes from side to side',
      [[shell, diamond(2, 5, 2), diamond(6, 5, 2), diamond(9, 5, 1)]],
      ['interior-disconnected parts[0]'],
    ],
    [
      'holes in a circle',
      [[shell, diamond(3, 3, 1), diamond(5, 3, 1), diamond(3, 5, 1), diamond(5, 5, 1)]],
      ['interior-disconnected parts[0]'],
    ],
    [
      'holes around one point',
      [[shell, ...[diamond(4, 5, 1), diamond(6, 5, 1), diamond(5, 4, 1), diamond(5, 6, 1)].map(slim)]],
      [],
    ],
    ['parts apart', [[shell], [box(20, 0, 30, 10)]], []],
    ['parts that touch at a point', [[shell], [box(10, 10, 20, 20)]], []],
    ['a part in the hole of another', [[shell, box(2, 2, 8, 8)], [box(4, 4, 6, 6)]], []],
    ['a part that touches the hole around it all round', [[shell, box(2, 2, 8, 8)], [diamond(5, 5, 3)]], []],
    ['parts along one edge', [[shell], [box(10, 0, 20, 10)]], ['part-overlap parts[1]']],
    ['parts that cross', [[shell], [box(5, 5, 20, 20)]], ['part-overlap parts[1]']],
    ['a part inside another', [[shell], [box(4, 4, 6, 6)]], ['part-overlap parts[1]']],
    ['equal parts', [[shell], [shell]], ['part-overlap parts[1]']],
    [
      'several at once',
      [
        [shell, box(2, 2, 4, 4), box(3, 3, 5, 5), box(20, 20, 21, 21)],
        [box(30, 0, 40, 10), box(38, 2, 42, 4)],
      ],
      ['hole-outside parts[0][3]', 'hole-outside parts[1][1]', 'hole-overlap parts[0][2]'],
    ],
  ] as [string, Ring[][], string[]][])('%s', (_, parts, expectedNames) => {
    const found = problems(inParts(...parts));
    expect(found.toSorted()).toEqual(expectedNames);
    expect(jstsProblem(parts) === null).toBe(found.length === 0);
    // A whole turn, or the other side of the antimeridian, changes nothing.
    for (const shift of [175, -179.5, 360]) {
      const moved = parts.map((part) =>
        part.map((ring): Ring => ring.map(([lon, lat]) => [lon + shift, lat])),
      );
      expect(problems(inParts(...moved)).toSorted()).toEqual(found.toSorted());
    }
  });
});
