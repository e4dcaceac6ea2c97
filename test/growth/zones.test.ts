/** The steps of the public functions of `wayzone` grow with the size of their input, for plain and unusual input alike. */

import {
  completeGeozone,
  corridor,
  type Geozone,
  lengthMeters,
  lineToPolygon,
  measureZone,
  signedDistanceMeters,
  ZoneIndex,
  zoneContains,
  zoneOutline,
} from '../../src/index.js';
import { seeded } from '../volume.js';
import { type Growth, testGrowth } from './growth.js';
import { LINES, RINGS } from './lines.js';

type Pairs = readonly (readonly [number, number])[];

const polygon = (geometry: Pairs, id = 'z'): Geozone =>
  ({ id, name: id, type: { key: 'polygon' }, geometry }) as Geozone;
const line = (geometry: Pairs, id = 'z'): Geozone =>
  ({ id, name: id, type: { key: 'line' }, geometry, width: 30 }) as Geozone;

const HERE = [9.5, 47.1] as const;

const ofLines: Growth[] = Object.entries(LINES).flatMap(([kind, make]): Growth[] => [
  { name: `lengthMeters of ${kind}`, size: 400, work: (n) => with1(make(n), (l) => lengthMeters(l)) },
  { name: `corridor of ${kind}`, size: 200, work: (n) => with1(make(n), (l) => corridor(l, 30)) },
  {
    name: `corridor with flat caps of ${kind}`,
    size: 100,
    work: (n) => with1(make(n), (l) => corridor(l, 30, { cap: 'flat' })),
  },
  {
    name: `lineToPolygon of ${kind}`,
    size: 100,
    work: (n) => with1(make(n), (geometry) => lineToPolygon({ width: 30, geometry })),
  },
  { name: `measureZone of ${kind}`, size: 100, work: (n) => with1(line(make(n)), (z) => measureZone(z)) },
  {
    name: `zoneContains of ${kind}`,
    size: 400,
    work: (n) => with1(line(make(n)), (z) => zoneContains(z, HERE)),
  },
  {
    name: `signedDistanceMeters of ${kind}`,
    size: 400,
    work: (n) => with1(line(make(n)), (z) => signedDistanceMeters(z, [9.6, 47.2])),
  },
  {
    // Of a step the number of edges counts that are near it, not that of the line.
    name: `60 steps across the border of ${kind}`,
    size: 200,
    most: 1.2,
    work: (n) =>
      with1([make(n), new ZoneIndex([line(make(n))])] as const, ([at, index]) => {
        for (let k = 0; k < 60; k++) {
          const [lon, lat] = at[Math.floor((k * at.length) / 60)]!;
          index.crossing([lon, lat], [lon + 0.0006, lat + 0.0006]);
        }
      }),
  },
]);

const ofRings: Growth[] = Object.entries(RINGS).flatMap(([kind, make]): Growth[] => [
  { name: `measureZone of ${kind}`, size: 400, work: (n) => with1(polygon(make(n)), (z) => measureZone(z)) },
  { name: `zoneOutline of ${kind}`, size: 200, work: (n) => with1(polygon(make(n)), (z) => zoneOutline(z)) },
  {
    name: `zoneContains of ${kind}`,
    size: 400,
    work: (n) => with1(polygon(make(n)), (z) => zoneContains(z, HERE)),
  },
  {
    name: `signedDistanceMeters of ${kind}`,
    size: 400,
    work: (n) => with1(polygon(make(n)), (z) => signedDistanceMeters(z, [9.51, 47.1])),
  },
  {
    name: `completeGeozone of ${kind}`,
    size: 200,
    work: (n) => with1(polygon(make(n)), (z) => completeGeozone(z)),
  },
  {
    name: `100 questions to an index of ${kind}`,
    size: 1000,
    work: (n) => with1(new ZoneIndex([polygon(make(n))]), (index) => askAll(index, 100)),
  },
  {
    // Once the border has a tree, of each distance the number of edges counts that are about equally near.
    name: `20 distances to the border of ${kind}`,
    size: 200,
    most: 1.4,
    work: (n) => with1(measured(new ZoneIndex([polygon(make(n))]), 6), (index) => measured(index, 20)),
  },
  {
    name: `intersecting and crossing ${kind}`,
    size: 400,
    work: (n) =>
      with1(new ZoneIndex([polygon(make(n))]), (index) => {
        index.intersecting([9.4, 47.0999, 9.6, 47.1001]);
        index.crossing([9.3, 47.1001], [9.7, 47.10005]);
      }),
  },
]);

/** A polygon with n holes of six edges in a band: a position has few holes north and south of it, however many there are. */
const ofHoles: Growth = {
  name: '60 questions among the holes of a polygon',
  size: 200,
  most: 1.2,
  work: (n) => {
    const hole = (k: number): Pairs => {
      const [x, y] = [9.4 + 0.002 * k, 47.1];
      const corners = [0, 1, 2, 3, 4, 5].map((i): [number, number] => [
        x + 0.0006 * Math.cos(i),
        y + 0.0006 * Math.sin(i),
      ]);
      return [...corners, corners[0]!];
    };
    const [west, east] = [9.39, 9.41 + 0.002 * n];
    const outer = [
      [west, 47],
      [east, 47],
      [east, 47.2],
      [west, 47.2],
      [west, 47],
    ]; // prettier-ignore
    const holes = Array.from({ length: n }, (_, k) => hole(k));
    const index = new ZoneIndex([
      { id: 'z', name: 'z', type: { key: 'polygon' }, parts: [[outer, ...holes]] } as unknown as Geozone,
    ]);
    const ask = (count: number): void => {
      for (let k = 0; k < count; k++) {
        const at = [9.4 + 0.002 * Math.floor((k * n) / count) + 0.0005, 47.1] as const;
        index.at(at);
        index.crossing(at, [at[0] + 0.0004, 47.1004]);
      }
    };
    ask(20);
    return () => ask(60);
  },
};

/** Zones over a map that grows with their number, or upon one another. */
const WORLDS: Readonly<Record<string, (n: number) => Geozone[]>> = {
  'circles spread over a land': (n) => circles(n, Math.sqrt(n) / 100, 100),
  'circles upon one another': (n) => circles(n, 0.01, 400).slice(0, n),
  'small polygons': (n) =>
    circles(n, Math.sqrt(n) / 100, 100).map(({ id, geometry }) => polygon(squareAt(geometry[0]!), id)),
  'lines of two positions': (n) =>
    circles(n, Math.sqrt(n) / 100, 100).map(({ id, geometry: [at] }) =>
      line([at!, [at![0] + 0.002, at![1] + 0.001]], id),
    ),
  'polygons across the antimeridian': (n) =>
    Array.from({ length: n }, (_, i) =>
      polygon(
        squareAt([180, 0.01 * i - 20]).map(([lon, lat]) => [lon > 180 ? lon - 360 : lon, lat] as const),
        `z${i}`,
      ),
    ),
};

const ofWorlds: Growth[] = Object.entries(WORLDS).flatMap(([kind, make]): Growth[] => {
  const most = kind.includes('upon') ? 4.4 : undefined;
  const limit = most === undefined ? {} : { most };
  return [
    {
      name: `new ZoneIndex of ${kind}`,
      size: 200,
      work: (n) => with1(make(n), (zones) => new ZoneIndex(zones)),
    },
    {
      name: `toBuffer and fromBuffer of ${kind}`,
      size: 200,
      work: (n) => with1(new ZoneIndex(make(n)), (index) => ZoneIndex.fromBuffer(index.toBuffer()).at(HERE)),
    },
    // Each position of a stack is in all its zones: the answers alone grow four times.
    {
      name: `questions to ${kind}`,
      size: 500,
      ...limit,
      work: (n) =>
        with1(new ZoneIndex(make(n)), (i) =>
          kind.includes('antimeridian') ? askAlong180(i, n) : askAll(i, n),
        ),
    },
    {
      name: `edits of ${kind}`,
      size: 2000,
      work: (n) =>
        with1([new ZoneIndex(make(n)), make(n)] as const, ([index, zones]) => {
          for (const zone of zones) index.update({ ...zone, name: 'new' });
          for (const { id } of zones.slice(n / 2)) index.remove(id);
          for (const zone of zones.slice(n / 2)) index.add(zone);
        }),
    },
  ];
});

function circles(n: number, side: number, width: number): Geozone[] {
  const random = seeded(9);
  return Array.from({ length: n }, (_, i) => ({
    id: `z${i}`,
    name: '',
    type: { key: 'circle' },
    geometry: [[9.5 + side * (random() - 0.5), 47.1 + side * (random() - 0.5)]],
    width,
  })) as Geozone[];
}

const squareAt = ([lon, lat]: readonly [number, number]): Pairs => [
  [lon - 0.001, lat - 0.001],
  [lon + 0.001, lat - 0.001],
  [lon + 0.001, lat + 0.001],
  [lon - 0.001, lat + 0.001],
]; // prettier-ignore

type Ask = () => [lon: number, lat: number];

/** Asks for distances from the south of the zone. */
function measured(index: ZoneIndex<Geozone>, count: number): ZoneIndex<Geozone> {
  for (let k = 0; k < count; k++) index.nearest([9.4 + (0.2 * k) / count, 46.9]);
  return index;
}

/** n positions, n/10 boxes, nearest zones and segments. */
function askAt(index: ZoneIndex<Geozone>, n: number, position: Ask): void {
  for (let i = 0; i < n; i++) index.at(position());
  for (let i = 0; i < n / 10; i++) {
    const [lon, lat] = position();
    index.intersecting([lon, lat, lon + 0.01, lat + 0.01]);
    index.nearest([lon, lat], { count: 3 });
    index.crossing([lon, lat], [lon + 0.01, lat + 0.005]);
  }
}

/** `askAt`, spread as the zones of a land are. */
function askAll(index: ZoneIndex<Geozone>, n: number): void {
  const random = seeded(3);
  const side = Math.sqrt(n) / 100;
  askAt(index, n, () => [9.5 + side * (random() - 0.5), 47.1 + side * (random() - 0.5)]);
}

/** `askAt` along the antimeridian. */
function askAlong180(index: ZoneIndex<Geozone>, n: number): void {
  const random = seeded(3);
  askAt(index, n, () => [179.98 + 0.02 * random(), 0.01 * n * random() - 20]);
}

function with1<T>(value: T, work: (value: T) => unknown): () => unknown {
  return () => work(value);
}

testGrowth([...ofLines, ...ofRings, ofHoles, ...ofWorlds]);
