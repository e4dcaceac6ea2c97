/** The zone index on the workloads of bench/zoneWorkloads.ts, beside its peers: positions, building, memory, edits, threads. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import RBush from 'rbush';
import { type Geozone, ZoneIndex } from '../src/index.js';
import { prepareZone } from '../src/zones/prepared.js';
import { seeded } from '../test/volume.js';
import {
  flatbushOf,
  flatbushPeer,
  geos,
  type Peer,
  rbushPeer,
  type Shapes,
  shapesOf,
  whichPolygonPeer,
} from './zonePeers.js';
import { cities, counties, crowded, type Workload } from './zoneWorkloads.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Milliseconds of processor time that `work` takes. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several passes, in nanoseconds of processor time per operation. */
function bestNs(passes: number, operations: number, work: () => void): number {
  let best = Infinity;
  for (let pass = 0; pass < passes; pass++) best = Math.min(best, cpuMs(work));
  return (best * 1e6) / operations;
}

function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

interface Lookup {
  readonly random: number;
  readonly track: number;
}

interface Row {
  readonly name: string;
  readonly lookup: Lookup;
  readonly buildMs: number | null;
  readonly bytes: number | null;
}

function peerLookup(peer: Peer, positions: Float64Array, budget: number): number {
  const lonLat = positions.subarray(0, 2 * budget);
  let hits = 0;
  const work = (): void => {
    for (let i = 0; i < lonLat.length; i += 2) peer.at(lonLat[i]!, lonLat[i + 1]!, () => hits++);
  };
  return bestNs(3, lonLat.length / 2, work);
}

/** Throws unless the index agrees with the prepared zones, and on polygons with a peer, for the first positions. */
function assertEqual(
  index: ZoneIndex,
  zones: readonly Geozone[],
  shapes: Shapes,
  positions: Float64Array,
): void {
  const peer = flatbushPeer(shapes);
  const prepared = new Map<number, ReturnType<typeof prepareZone>>();
  for (let i = 0; i < positions.length; i += 2) {
    const [lon, lat] = [positions[i]!, positions[i + 1]!];
    const ours = [...index.atMany(positions.subarray(i, i + 2)).zones];
    const theirs = new Set<number>();
    peer.at(lon, lat, (zone) => theirs.add(zone));
    const isPolygon = (zone: number): boolean => zones[zone]!.type.key === 'polygon';
    const polygons = [...theirs].filter(isPolygon).sort((p, q) => p - q);
    if (ours.filter(isPolygon).join() !== polygons.join()) {
      throw new Error(`at ${lon}, ${lat}: ${ours.join()} but ${polygons.join()}`);
    }
    for (const zone of new Set([...ours, ...theirs])) {
      const known = prepared.get(zone) ?? prepareZone(zones[zone]!);
      prepared.set(zone, known);
      if (known.contains(lon, lat) !== ours.includes(zone))
        throw new Error(`at ${lon}, ${lat}: zone ${zone}`);
    }
  }
}

function lookups(workload: Workload, positions: number, withPackages: boolean, withGeos: boolean): string {
  const random = workload.random(positions);
  const tracks = workload.tracks(positions);
  const rows: Row[] = [];
  const before = bytesInUse();
  let index = new ZoneIndex<Geozone>([]);
  const list = withPackages ? [...workload.zones()] : null;
  const ready = bytesInUse();
  const buildMs = cpuMs(() => {
    index = new ZoneIndex(list ?? workload.zones());
  });
  const own = bytesInUse() - (list === null ? before : ready);
  const first = cpuMs(() => index.atMany(workload.random(1000)));
  let hits = 0;
  const ours: Lookup = {
    random: bestNs(6, positions, () => {
      hits = index.atMany(random).zones.length;
    }),
    track: bestNs(6, positions, () => index.atMany(tracks)),
  };
  const learnt = index.stats();
  rows.push({ name: 'wayzone `atMany`', lookup: ours, buildMs, bytes: own + learnt.cellBytes });
  const lines: string[] = [];
  if (list !== null) {
    const shapes = shapesOf(list);
    assertEqual(index, list, shapes, random.subarray(0, 4000));
    assertEqual(index, list, shapes, tracks.subarray(0, 4000));
    const flatbushMs = cpuMs(() => flatbushOf(shapes));
    lines.push(
      `Zones to the first 1,000 answers: ${(buildMs + first).toFixed(0)} ms; flatbush with boxes alone: ${flatbushMs.toFixed(0)} ms ` +
        `(${((buildMs + first) / flatbushMs).toFixed(1)} times).`,
    );
    for (const peer of [flatbushPeer(shapes), rbushPeer(shapes), whichPolygonPeer(shapes)]) {
      const lookup = {
        random: peerLookup(peer, random, positions / 20),
        track: peerLookup(peer, tracks, positions / 20),
      };
      rows.push({ name: peer.name, lookup, buildMs: null, bytes: null });
    }
  }
  const answer = withGeos ? geos(workload.zones(), [random, tracks], 3) : null;
  if (answer !== null) {
    const lookup = { random: answer.sets[0]!.ns, track: answer.sets[1]!.ns };
    rows.push({ name: 'GEOS C++', lookup, buildMs: answer.buildMs, bytes: answer.bytes });
    lines.push(
      `Hits of GEOS on the polygons that stand for circles and corridors: ${answer.sets[0]!.hits}, ours: ${hits}.`,
    );
  }
  const learnMs = cpuMs(() => index.learnAll());
  const { vertices, cells, cellBytes } = index.stats();
  return [
    `### Zones of a position: ${workload.name}, ${index.size} zones, ${vertices} vertices, ${(hits / positions).toFixed(2)} hits a position`,
    '',
    '| | random, ns | times ours | track, ns | times ours | build, ms | MB |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      ({ name, lookup, buildMs: ms, bytes: size }) =>
        `| ${name} | ${lookup.random.toFixed(0)} | ${(lookup.random / ours.random).toFixed(1)} | ${lookup.track.toFixed(0)} | ` +
        `${(lookup.track / ours.track).toFixed(1)} | ${ms === null ? '' : ms.toFixed(0)} | ${size === null ? '' : (size / 1e6).toFixed(0)} |`,
    ),
    '',
    `Ours had learnt ${learnt.cells} cells by then; all ${cells} take ${learnMs.toFixed(0)} ms more and ${(cellBytes / 1e6).toFixed(0)} MB instead of ${(learnt.cellBytes / 1e6).toFixed(0)}.`,
    ...lines,
    '',
  ].join('\n');
}

/** Fixes of units that stand still but for the jitter of a receiver: 1,000 units in turns, each through a locator of its own. */
function parked(workload: Workload, count: number): string {
  const index = new ZoneIndex(workload.zones());
  const random = seeded(7);
  const starts = workload.tracks(1000);
  const lonLat = new Float64Array(2 * count);
  for (let i = 0; i < lonLat.length; i++) lonLat[i] = starts[i % 2000]! + (random() - 0.5) * 2e-5;
  const fixes = Array.from({ length: count }, (_, i): [number, number] => [
    lonLat[2 * i]!,
    lonLat[2 * i + 1]!,
  ]);
  const locators = Array.from({ length: 1000 }, () => index.locator());
  let sum = 0;
  const ns = bestNs(5, count, () => {
    for (let i = 0; i < count; i++) sum += locators[i % 1000]!.at(fixes[i]!).length;
  });
  const many = bestNs(5, count, () => index.atMany(lonLat));
  return `A parked unit's fix (2 m of jitter, 1,000 units in turns): ${ns.toFixed(0)} ns by its locator, ${many.toFixed(0)} ns by \`atMany\` (${sum > 0 ? 'some' : 'none'} in zones).\n`;
}

/** Zones that move by 1 km, against rbush given the boxes. */
function edits(workload: Workload, moves: number): string {
  const zones = [...workload.zones()];
  const index = new ZoneIndex(zones);
  index.learnAll();
  const random = seeded(8);
  const moved = Array.from({ length: moves }, (): Geozone => {
    const zone = zones[Math.floor(random() * zones.length)]!;
    return { ...zone, geometry: zone.geometry.map(([x, y]): [number, number] => [x + 0.01, y + 0.01]) };
  });
  const ours = bestNs(3, moves, () => {
    for (const zone of moved) index.update(zone);
  });
  const shapes = shapesOf(zones);
  const items = shapes.polygons.map(([shell], i) => {
    const x = shell!.map(([lon]) => lon);
    const y = shell!.map(([, lat]) => lat);
    return { minX: Math.min(...x), minY: Math.min(...y), maxX: Math.max(...x), maxY: Math.max(...y), i };
  });
  const tree = new RBush<(typeof items)[number]>();
  tree.load(items);
  const order = moved.map(({ id }) => Number(id.slice(1)));
  const theirs = bestNs(3, moves, () => {
    for (const i of order) {
      const old = items[i]!;
      tree.remove(old);
      const { minX, minY, maxX, maxY } = old;
      const shift = random() < 0.5 ? 0.01 : -0.01;
      items[i] = { minX: minX + shift, minY: minY + shift, maxX: maxX + shift, maxY: maxY + shift, i };
      tree.insert(items[i]!);
    }
  });
  return `A zone moved (shape read, row and index changed, ${workload.name}): ${ours.toFixed(0)} ns; rbush alone, boxes at hand: ${theirs.toFixed(0)} ns.\n`;
}

export function zoneIndexBench(quick: boolean): string {
  const sets: [workload: Workload | null, positions: number, packages: boolean][] = quick
    ? [
        [cities(1_000), 20_000, true],
        [crowded(500), 10_000, true],
      ]
    : [
        [cities(1_000), 1_000_000, true],
        [cities(10_000), 1_000_000, true],
        [cities(100_000), 1_000_000, true],
        [counties(), 1_000_000, true],
        [crowded(10_000), 500_000, true],
        [cities(1_000_000), 1_000_000, false],
      ];
  const tables = sets.map(([workload, positions, packages]) =>
    workload === null
      ? 'B was not run: us-atlas is not installed.\n'
      : lookups(workload, positions, packages, !quick),
  );
  const size = quick ? 1_000 : 100_000;
  return [
    '## Zone index',
    '',
    'Least processor time of several passes; all hits are collected, in order. The packages and GEOS get circles as 64-gons and corridors as',
    'flat strips, so their work is less than ours and their hits differ at borders; on polygons equality is asserted.',
    '',
    ...tables,
    parked(cities(size), quick ? 20_000 : 1_000_000),
    edits(cities(size), quick ? 1_000 : 20_000),
  ].join('\n');
}
