/** The first work of an index that was opened from a buffer, and nearest zones of unusual worlds. */

import { type Geozone, type Position, ZoneIndex } from '../../src/index.js';
import { stackedCircles, starZones } from '../coldAsk.js';
import { type Cliff, doublings, once, type Side } from './cliff.js';

interface World {
  readonly zones: readonly Geozone[];
  readonly buffer: SharedArrayBuffer;
  readonly asked: readonly Position[];
}

const ASKED = 500;

/** `asked` gives a position from the number of a query. */
function worldOf(zones: readonly Geozone[], asked: (i: number) => Position): World {
  const buffer = new ZoneIndex(zones).toBuffer({ shared: true });
  return { zones, buffer, asked: Array.from({ length: ASKED }, (_, i) => asked(i)) };
}

/** 50 clumps of zones; positions 1 km from a zone. */
function clumps(count: number): World {
  const { zones, middles } = starZones(count);
  return worldOf(zones, (i) => {
    const at = 2 * ((i * 7919) % count);
    return [middles[at]! + 0.01, middles[at + 1]! + 0.01];
  });
}

/** Circles of 500 m that are spread evenly over the map. */
function spread(count: number, asked?: (i: number) => Position): World {
  const side = Math.ceil(Math.sqrt(count));
  const middle = (i: number): Position => [
    ((i % side) * 300) / side - 150,
    (Math.floor(i / side) * 120) / side - 60,
  ];
  const zones = Array.from(
    { length: count },
    (_, i): Geozone => ({
      id: `z${i}`,
      name: '',
      type: { key: 'circle' },
      geometry: [middle(i)],
      width: 500,
    }),
  );
  return worldOf(
    zones,
    asked ??
      ((i) => {
        const [lon, lat] = middle((i * 7919) % count);
        return [lon + 0.01, lat + 0.01];
      }),
  );
}

const far = (i: number): Position => [((i * 13) % 360) - 180, 85];

/** Spread zones and a tenth of them as wide as a continent. */
function wide(count: number): World {
  const { zones, asked } = spread(count);
  const rows = zones.map((zone, i): Geozone => (i % 100 === 0 ? { ...zone, width: 2_000_000 } : zone));
  return worldOf(rows, (i) => asked[i]!);
}

/** Circles over one another, and positions among them or at one side. */
const stack = (count: number): World =>
  worldOf(stackedCircles(count), (i) => [37.57 + (i % 60) / 1000, 55.7]);
const stackFromAfar = (count: number): World => worldOf(stackedCircles(count), (i) => [37.6 + (i % 3), 54]);

const open =
  (world: () => World): Side =>
  () => {
    const { buffer } = world();
    return () => ZoneIndex.fromBuffer(buffer);
  };

/** The first call of an index opened without the pass over its content. */
function first(world: () => World, call: (index: ZoneIndex<Geozone>, world: World) => unknown): Side {
  return () => {
    const made = world();
    const index = ZoneIndex.fromBuffer<Geozone>(made.buffer, { verify: false });
    return () => call(index, made);
  };
}

const nearestOfAll = (index: ZoneIndex<Geozone>, { asked }: World): number => {
  let sum = 0;
  for (const position of asked) sum += index.nearest(position).length;
  return sum;
};

const FIRST: readonly (readonly [string, (index: ZoneIndex<Geozone>, world: World) => unknown])[] = [
  ['nearest', (index, { asked }) => index.nearest(asked[0]!)],
  ['at', (index, { asked }) => index.at(asked[0]!)],
  ['has', (index, { zones }) => index.has(zones.at(-1)!.id)],
  ['get', (index, { zones }) => index.get(zones.at(-1)!.id)],
  ['add', (index, { zones }) => index.add({ ...zones[0]!, id: 'new' })],
  ['update', (index, { zones }) => index.update({ ...zones[0]!, name: 'new' })],
  ['remove', (index, { zones }) => index.remove(zones[0]!.id)],
];

export function openedCliffs(quick: boolean): Cliff[] {
  const size = quick ? 10_000 : 100_000;
  const plain = once(() => spread(size));
  const clumped = once(() => clumps(size));
  const sameWork = (what: string, world: () => World, goal: number, than: () => World = plain): Cliff => ({
    name: `nearest, ${ASKED} positions`,
    what,
    plain: first(than, nearestOfAll),
    unusual: first(world, nearestOfAll),
    goal,
  });
  return [
    ...FIRST.map(
      ([name, call]): Cliff => ({
        name: `first \`${name}\` of an opened buffer`,
        what: `the call / opening, ${size.toLocaleString('en')} zones`,
        plain: open(clumped),
        unusual: first(clumped, call),
        goal: 1,
      }),
    ),
    ...doublings('opening a buffer', 'zones', [size], (count) => open(once(() => clumps(count)))),
    ...doublings(`nearest, ${ASKED} positions, zones in clumps`, 'zones', [size], (count) =>
      first(
        once(() => clumps(count)),
        nearestOfAll,
      ),
    ),
    ...doublings(`nearest, ${ASKED} positions, zones spread`, 'zones', [size], (count) =>
      first(
        once(() => spread(count)),
        nearestOfAll,
      ),
    ),
    sameWork('zones in clumps / spread', clumped, 6),
    // A geodesic costs 20 times the local formula that serves near positions.
    sameWork(
      'positions at 85° north, far from every zone / near',
      once(() => spread(size, far)),
      20,
    ),
    sameWork(
      'one zone in 100 of 2,000 km / 500 m',
      once(() => wide(size)),
      40,
    ),
    ...[stack, stackFromAfar].flatMap((world, i) =>
      doublings(
        `nearest, ${ASKED} positions ${i === 0 ? 'in' : '190 km from'} stacked circles`,
        'circles',
        [1000],
        (count) =>
          first(
            once(() => world(count)),
            nearestOfAll,
          ),
      ),
    ),
  ];
}
