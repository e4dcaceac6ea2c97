/**
 * Errors and times of distances, destinations, lengths and areas beside the peers, from one seeded run. docs/accuracy.md shows the table.
 *
 * The reference for lengths, perimeters and areas is the tests' tanh-sinh integration of the exact lon/lat edges; for distances and
 * destinations it is geographiclib-geodesic. Turf and geographiclib measure along other curves between vertices, so all get long or polar
 * rings and lines cut into pieces along their lon/lat edges.
 */

import { destination as turfDestination, distance as turfDistance, length as turfLength } from '@turf/turf';
import CheapRuler from 'cheap-ruler';
import geographiclib from 'geographiclib-geodesic';
import { wrapLon } from '../src/core/angles.js';
import { destination, distanceMeters, lengthMeters, type Position } from '../src/index.js';
import { shortStep, tanhSinhEdge, tanhSinhRing } from '../test/geodesy/oracle.js';
import { seeded } from '../test/volume.js';
import { compare } from './harness.js';
import {
  cheapRulerRing,
  geographiclibRing,
  type Measured,
  type Measurer,
  ringAround,
  turfRing,
  wayzoneRing,
} from './rings.js';

const wgs84 = geographiclib.Geodesic.WGS84;
const random = seeded(20261121);

type Peers<Item> = readonly [turf: Item, cheapRuler: Item | null, geographiclib: Item | null, wayzone: Item];
type Line = readonly Position[];

const DISTANCE: Peers<(a: Position, b: Position) => number> = [
  (a, b) => turfDistance([...a], [...b], { units: 'meters' }),
  (a, b) => new CheapRuler((a[1] + b[1]) / 2, 'meters').distance([...a], [...b]),
  (a, b) => wgs84.Inverse(a[1], a[0], b[1], b[0]).s12 ?? Number.NaN,
  distanceMeters,
];

const DESTINATION: Peers<(from: Position, azimuth: number, meters: number) => Position> = [
  (from, azimuth, meters) => {
    const [lon, lat] = turfDestination([...from], meters, azimuth, { units: 'meters' }).geometry.coordinates;
    return [wrapLon(lon!), lat!];
  },
  (from, azimuth, meters) => {
    const [lon, lat] = new CheapRuler(from[1], 'meters').destination([...from], meters, azimuth);
    return [wrapLon(lon), Math.max(-90, Math.min(90, lat))];
  },
  (from, azimuth, meters) => {
    const { lon2, lat2 } = wgs84.Direct(from[1], from[0], azimuth, meters);
    return [lon2 ?? Number.NaN, lat2 ?? Number.NaN];
  },
  destination,
];

const LENGTH: Peers<(line: Line) => number> = [
  (line) => {
    const geometry = { type: 'LineString' as const, coordinates: line.map(([lon, lat]) => [lon, lat]) };
    return turfLength({ type: 'Feature', properties: {}, geometry }, { units: 'meters' });
  },
  (line) => {
    const ruler = new CheapRuler((line[0]![1] + line.at(-1)![1]) / 2, 'meters');
    return ruler.lineDistance(line.map(([lon, lat]) => [lon, lat]));
  },
  (line) => {
    const path = wgs84.Polygon(true);
    for (const [lon, lat] of line) path.AddPoint(lat, lon);
    return path.Compute(false, true).perimeter;
  },
  lengthMeters,
];

const RING: Peers<Measurer> = [turfRing, cheapRulerRing, geographiclibRing, wayzoneRing];

/** Errors of one peer in one class; also in metres where relative errors are not meaningful. */
interface Errors {
  relative: number[];
  meters: number[];
}

const between = (from: number, to: number): number => from + (to - from) * random();
const either = (value: number): number => (random() < 0.5 ? -value : value);

function pairs(
  count: number,
  latFrom: number,
  latTo: number,
  meters: () => number,
  lon = 0,
): [Position, Position][] {
  return Array.from({ length: count }, () => {
    const from: Position = [lon || between(-170, 170), either(between(latFrom, latTo))];
    return [from, destination(from, lon ? 90 : between(0, 360), meters())];
  });
}

const meters =
  (...sizes: readonly number[]) =>
  (): number =>
    sizes[Math.floor(random() * sizes.length)]!;
const near = meters(1, 100, 1000, 10_000);
const far = meters(100_000, 1_000_000);

function distanceRows(count: number): string[] {
  const antipodal = Array.from({ length: count }, (): [Position, Position] => {
    const [lon, lat] = [between(-180, 0), between(-89, 89)];
    return [
      [lon, lat],
      [lon + 180 - between(0.001, 0.5), -lat + between(-0.5, 0.5)],
    ];
  });
  const classes: readonly (readonly [string, [Position, Position][], ruler: boolean])[] = [
    ['distance, 1 m to 10 km, lat 0–60', pairs(count, 0, 60, near), true],
    ['… lat 60–85', pairs(count, 60, 85, near), true],
    ['… lat 85–90', pairs(count, 85, 89.999, near), true],
    ['distance, 100 and 1,000 km, lat 0–60', pairs(count, 0, 60, far), true],
    ['… lat 60–90', pairs(count, 60, 89.9, far), true],
    ['distance over the antimeridian, to 10 km', pairs(count, 0, 85, near, 180), true],
    ['distance, nearly antipodal', antipodal, false],
  ];
  return classes.map(([name, list, ruler]) => {
    const errors = DISTANCE.map((measure, peer): Errors | null => {
      if (peer === 2 || (peer === 1 && !ruler) || measure === null) return null;
      const wrong = list.map(([a, b]) => Math.abs(measure(a, b) - DISTANCE[2]!(a, b)));
      return { relative: wrong.map((error, i) => error / DISTANCE[2]!(...list[i]!)), meters: wrong };
    });
    return row(name, errors);
  });
}

function destinationRows(count: number): string[] {
  const classes: readonly (readonly [string, number, number, () => number])[] = [
    ['destination, 1 m to 10 km, lat 0–85', 0, 85, near],
    ['destination, 100 and 1,000 km, lat 0–60', 0, 60, far],
  ];
  return classes.map(([name, latFrom, latTo, reach]) => {
    const list = Array.from(
      { length: count },
      () =>
        [
          [between(-180, 180), either(between(latFrom, latTo))] as Position,
          between(0, 360),
          reach(),
        ] as const,
    );
    const errors = DESTINATION.map((find, peer): Errors | null => {
      if (peer === 2 || find === null) return null;
      const wrong = list.map((args) => distanceMeters(find(...args), DESTINATION[2]!(...args)));
      return { relative: wrong.map((error, i) => error / list[i]![2]), meters: wrong };
    });
    return row(name, errors);
  });
}

function lengthRows(count: number): string[] {
  return [10_000, 1_000_000].map((size) => {
    const lines = Array.from({ length: count }, (): Line => {
      const [lon, lat] = [between(-180, 180), either(between(0, 70))];
      const heading = between(-180, 180);
      return Array.from({ length: 201 }, (_, i) =>
        destination([lon, lat], heading + 20 * Math.sin(i / 9), (size * i) / 200),
      );
    });
    const errors = LENGTH.map((measure, peer): Errors => {
      const relative = lines.map((line) => {
        const exact = line
          .slice(1)
          .reduce(
            (sum, [lon, lat], i) =>
              sum + tanhSinhEdge(0, line[i]![1], shortStep(line[i]![0], lon), lat).meters,
            0,
          );
        return Math.abs(
          measure!(peer === 3 ? line : densified(line, size > 100_000 ? 20 : 1, false)) / exact - 1,
        );
      });
      return { relative, meters: [] };
    });
    return row(`length of a line, ${metric(size)}, lat 0–70`, errors);
  });
}

function ringRows(count: number): string[] {
  const anywhere = (): Position => [between(-165, 165), either(random() < 0.5 ? between(30, 60) : 70)];
  const seam = (): Position => [180, either(between(0, 70))];
  const pole = (): Position => [0, either(90)];
  const classes: readonly (readonly [
    string,
    sizes: readonly number[],
    () => Position,
    pieces: number,
    ruler: boolean,
  ])[] = [
    ['10 m', [10], anywhere, 1, true],
    ['100 m to 10 km', [100, 1000, 10_000], anywhere, 1, true],
    ['200 and 1,000 km', [200_000, 1_000_000], anywhere, 20, true],
    ['10 km over the antimeridian', [10_000], seam, 1, true],
    ['10 m round a pole', [10], pole, 20, false],
    ['10 to 1,000 km round a pole', [10_000, 200_000, 1_000_000], pole, 20, false],
  ];
  const rows: string[] = [];
  for (const [name, sizes, centre, pieces, ruler] of classes) {
    const cases = sizes.flatMap((size) =>
      Array.from({ length: count }, () => {
        const ring = ringAround(centre(), size, 500, random);
        return { exact: tanhSinhRing(ring.flat()), ring, fine: densified(ring, pieces, true) };
      }),
    );
    const answers = RING.map((measure, peer): (readonly [Measured, Measured])[] | null =>
      peer === 1 && !ruler
        ? null
        : cases.map(({ ring, fine, exact }) => [measure!(peer === 3 ? ring : fine), exact] as const),
    );
    const errors = (key: 'area' | 'perimeter'): (Errors | null)[] =>
      answers.map(
        (list) =>
          list && {
            relative: list.map(([given, exact]) => Math.abs(given[key] / exact[key] - 1)),
            meters: [],
          },
      );
    rows.push(row(`area, ${name}`, errors('area')), row('… its perimeter', errors('perimeter')));
  }
  return rows;
}

/** The same line with each edge cut into `pieces` along its straight lon/lat line. */
function densified(line: Line, pieces: number, closed: boolean): Line {
  if (pieces === 1) return line;
  const edges = closed ? line.length : line.length - 1;
  const fine = Array.from({ length: edges * pieces }, (_, i): Position => {
    const [lon, lat] = line[Math.floor(i / pieces)]!;
    const [nextLon, nextLat] = line[(Math.floor(i / pieces) + 1) % line.length]!;
    const t = (i % pieces) / pieces;
    return [wrapLon(lon + shortStep(lon, nextLon) * t), lat + (nextLat - lat) * t];
  });
  return closed ? fine : [...fine, line.at(-1)!];
}

function row(name: string, errors: readonly (Errors | null)[]): string {
  const cells = errors.map((error, peer) => {
    if (error === null) return peer === 2 ? 'the reference' : '–';
    const sorted = [...error.relative].sort((a, b) => a - b);
    const [median, worst] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
    const most = error.meters.length > 0 ? `; ${metric(Math.max(...error.meters))}` : '';
    return `${small(median)} / ${small(worst)}${most}`;
  });
  return `| ${name} | ${cells.join(' | ')} |`;
}

function small(value: number): string {
  return !(value < 0.5) ? 'wrong' : value < 1e-16 ? '0' : value.toExponential(0);
}

function metric(value: number): string {
  if (value < 1e-9) return '< 1 nm';
  const units = [
    [1000, 'km'],
    [1, 'm'],
    [1e-3, 'mm'],
    [1e-6, 'µm'],
    [1e-9, 'nm'],
  ] as const;
  const [size, unit] = units.find(([least]) => value >= least) ?? units[4];
  return `${Math.round(value / size).toLocaleString('en')} ${unit}`;
}

/** One row: the time of each peer for the same calls, in multiples of wayzone's. */
function timeRow(name: string, calls: readonly ((() => unknown) | null)[], repeats: number): string {
  const [mine, ...others] = [calls[3]!, ...calls.slice(0, 3)].map((call, i) =>
    call === null
      ? null
      : {
          name: String(i),
          run: (): number => {
            for (let k = 0; k < repeats; k++) call();
            return 0;
          },
        },
  );
  const present = [mine!, ...others.filter((other) => other !== null)];
  for (const contender of present) contender.run();
  const timings = compare(present, repeats, 9);
  const ratio = (i: number): string =>
    timings.find((timing) => timing.name === String(i))?.ratio.toPrecision(2) ?? '–';
  return `| ${name} | ${ratio(1)} | ${ratio(2)} | ${ratio(3)} | 1 (${Math.round(timings[0]!.nsPerOperation / 1000)} µs) |`;
}

function timeRows(): string[] {
  const onAll = (list: readonly [Position, Position][]): (() => number)[] =>
    DISTANCE.map((measure) => () => list.reduce((sum, [a, b]) => sum + measure!(a, b), 0));
  const starts = pairs(100, 0, 80, near).map(([from]) => from);
  const city = ringAround([37.6, 55.7], 10_000, 1000, seeded(1));
  const region = ringAround([37.6, 55.7], 1_000_000, 1000, seeded(2));
  return [
    timeRow('time: 100 distances of 1 m to 10 km', onAll(pairs(100, 0, 80, near)), 200),
    timeRow('… 100 distances of 100 and 1,000 km', onAll(pairs(100, 0, 80, far)), 100),
    timeRow(
      '… 100 destinations',
      DESTINATION.map((find) => () => starts.map((from, i) => find!(from, 3.6 * i, 100 * i))),
      100,
    ),
    timeRow(
      '… length of 1,000 vertices',
      LENGTH.map((measure) => () => measure!(city)),
      20,
    ),
    timeRow(
      '… area and perimeter, 1,000 vertices, 10 km',
      RING.map((measure) => () => measure!(city)),
      20,
    ),
    timeRow(
      '… area and perimeter, 1,000 vertices, 1,000 km',
      RING.map((measure) => () => measure!(region)),
      20,
    ),
  ];
}

export function precisionBench(quick: boolean): string {
  const pairCount = quick ? 200 : 2000;
  const ringCount = quick ? 2 : 10;
  return [
    '### Precision and time, beside peers',
    '',
    'Errors against the exact answer, median / largest relative, for distances and destinations the largest also in metres, over',
    `${pairCount.toLocaleString('en')} seeded pairs or ${ringCount} seeded rings or lines of each size. "wrong" is off by half or more; "0" is below 1e-16.`,
    'Exact is geographiclib for distances and destinations, and for the rest integration along the straight lon/lat edges. Turf and',
    'geographiclib measure along other curves between vertices, so the peers get the edges of large and polar rings cut in 20 pieces.',
    "Longitudes are as written, -180 to 180. Times are multiples of wayzone's in the same run: above 1 is slower.",
    '',
    '| | Turf 7.4 | cheap-ruler 4.0 | geographiclib-geodesic 2.2 | wayzone |',
    '|---|---|---|---|---|',
    ...distanceRows(pairCount),
    ...destinationRows(pairCount),
    ...lengthRows(ringCount),
    ...ringRows(ringCount),
    ...timeRows(),
    '',
  ].join('\n');
}
