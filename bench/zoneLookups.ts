/** Queries, builds and memory of one workload: wayzone beside JavaScript packages and GEOS. */

import { type Geozone, ZoneIndex } from '../src/index.js';
import { type PreparedZone, prepareZone } from '../src/zones/preparedZone.js';
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
import { bestNs, bytesInUse, cpuMs } from './zoneTime.js';
import type { Workload } from './zoneWorkloads.js';

/** Nanoseconds per position. */
export interface Lookup {
  readonly random: number;
  readonly track: number;
}

export interface Figures {
  readonly ours: Lookup;
  readonly hao: Lookup | undefined;
  readonly geos: (Lookup & { readonly buildMs: number; readonly bytes: number }) | undefined;
  /** From zones to the first 1,000 answers. */
  readonly firstMs: number;
  readonly flatbushMs: number | undefined;
  /** From zones to all cells built. */
  readonly buildMs: number;
  /** Memory with all cells. */
  readonly bytes: number;
  /** Memory with a `maxMemoryBytes` of 32 MB. */
  readonly compactBytes: number;
}

/** Workloads with more zones skip the packages, which need all zones as objects at once. */
const MOST_FOR_PACKAGES = 200_000;

const COMPACT_BYTES = 32e6;

/** Measures a workload. The workload named `compactOf` is also measured with a `maxMemoryBytes` of 32 MB. */
export function lookups(
  workload: Workload,
  positions: number,
  compactOf: string,
): [figures: Figures, text: string] {
  const sets = [workload.random(positions), workload.tracks(positions)] as const;
  const list = workload.count <= MOST_FOR_PACKAGES ? [...workload.zones()] : null;
  const makeMs = list === null ? cpuMs(() => drain(workload.zones())) : 0;
  const before = bytesInUse();
  let index = new ZoneIndex<Geozone>([]);
  const constructMs = cpuMs(() => {
    index = new ZoneIndex(list ?? workload.zones());
  });
  const asked = workload.random(1000);
  const again = (): number =>
    cpuMs(() => {
      new ZoneIndex(list ?? []).atMany(asked);
    });
  // Least of three runs, as for flatbush.
  const firstMs =
    list === null
      ? constructMs - makeMs + cpuMs(() => index.atMany(asked))
      : Math.min(...[0, 1, 2].map(again));
  const learnMs = cpuMs(() => index.learnAll());
  // Columns, lists and cells are in shared memory, which V8 does not count.
  const bytes = bytesInUse() - before + index.stats().bytes;
  if (list === null) assertScan(index, workload, sets[0].subarray(0, 400));
  else for (const set of sets) assertEqual(index, list, set.subarray(0, 4000));
  let hits = 0;
  // Enough passes that the time is measurable and the code is compiled.
  const passes = Math.max(4, Math.ceil(1.5e6 / positions));
  const ask = (): Lookup => ({
    random: bestNs(passes, positions, () => {
      hits = index.atMany(sets[0]).zones.length;
    }),
    track: bestNs(passes, positions, () => index.atMany(sets[1])),
  });
  const first = ask();
  const answer = geos(workload.zones(), sets, 2);
  const second = ask();
  const peers: [name: string, lookup: Lookup][] = [];
  let flatbushMs: number | undefined;
  if (list !== null) {
    const shapes = shapesOf(list);
    flatbushMs = Math.min(...[0, 1, 2].map(() => cpuMs(() => flatbushOf(shapes))));
    for (const peer of [flatbushPeer(shapes), rbushPeer(shapes), whichPolygonPeer(shapes)])
      peers.push([peer.name, { random: peerNs(peer, sets[0]), track: peerNs(peer, sets[1]) }]);
  }
  const third = ask();
  const ours: Lookup = {
    random: Math.min(first.random, second.random, third.random),
    track: Math.min(first.track, second.track, third.track),
  };
  const compact = list === null || workload.name !== compactOf ? null : compactly(list, sets[0]);
  const figures: Figures = {
    ours,
    hao: peers[0]?.[1],
    geos:
      answer === null
        ? undefined
        : {
            random: answer.sets[0]!.ns,
            track: answer.sets[1]!.ns,
            buildMs: answer.buildMs,
            bytes: answer.bytes,
          },
    firstMs,
    flatbushMs,
    buildMs: constructMs - makeMs + learnMs,
    bytes,
    compactBytes: bytes - index.stats().cellBytes + (compact?.cellBytes ?? 0),
  };
  const { vertices, cells, cellBytes } = index.stats();
  const pair = (ns: number | null, own: number): string =>
    ns === null ? '|' : `${ns.toFixed(0)} | ${(ns / own).toFixed(1)}`;
  const row = (name: string, random: number, track: number | null, buildMs: string, size: string): string =>
    `| ${name} | ${pair(random, ours.random)} | ${pair(track, ours.track)} | ${buildMs} | ${size} |`;
  const text = [
    `### Zones of a position: ${workload.name}, ${index.size} zones, ${vertices} vertices, ${(hits / positions).toFixed(2)} hits a position`,
    '',
    '| | random, ns | times ours | track, ns | times ours | build, ms | MB |',
    '|---|---|---|---|---|---|---|',
    row(
      'wayzone `atMany`',
      ours.random,
      ours.track,
      `${(constructMs - makeMs).toFixed(0)} + ${learnMs.toFixed(0)}`,
      mega(bytes),
    ),
    ...(compact === null
      ? []
      : [row('wayzone, `maxMemoryBytes` of 32 MB', compact.random, null, '', mega(figures.compactBytes))]),
    ...peers.map(([name, { random, track }]) => row(name, random, track, '', '')),
    ...(figures.geos === undefined
      ? []
      : [
          row(
            'GEOS C++',
            figures.geos.random,
            figures.geos.track,
            figures.geos.buildMs.toFixed(0),
            mega(figures.geos.bytes),
          ),
        ]),
    '',
    `${cells} cells, ${mega(cellBytes)} MB. First 1,000 answers after ${firstMs.toFixed(0)} ms` +
      `${flatbushMs === undefined ? '' : `, flatbush with boxes after ${flatbushMs.toFixed(0)} ms`}. ` +
      `Hits: ${hits} of ours${answer === null ? '' : `, ${answer.sets[0]!.hits} of GEOS, whose circles and corridors are polygons`}.`,
    '',
  ].join('\n');
  return [figures, text];
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

function drain(zones: Iterable<Geozone>): void {
  let count = 0;
  for (const zone of zones) if (zone.id !== '') count++;
  if (count === 0) throw new Error('expected zones, received none');
}

/** With a `maxMemoryBytes` of 32 MB: bytes of the cells, and nanoseconds per random position. */
function compactly(
  list: readonly Geozone[],
  random: Float64Array,
): { readonly cellBytes: number; readonly random: number } {
  const index = new ZoneIndex(list, { maxMemoryBytes: COMPACT_BYTES });
  index.learnAll();
  const ns = bestNs(3, random.length / 2, () => index.atMany(random));
  return { cellBytes: index.stats().cellBytes, random: ns };
}

function peerNs(peer: Peer, positions: Float64Array): number {
  const lonLat = positions.subarray(0, positions.length / 20);
  let hits = 0;
  return bestNs(2, lonLat.length / 2, () => {
    for (let i = 0; i < lonLat.length; i += 2) peer.at(lonLat[i]!, lonLat[i + 1]!, () => hits++);
  });
}

/** Throws unless the index agrees with the prepared zones and, on polygons, with a peer. */
function assertEqual(index: ZoneIndex, zones: readonly Geozone[], positions: Float64Array): void {
  const shapes: Shapes = shapesOf(zones);
  const peer = flatbushPeer(shapes);
  const prepared = new Map<number, PreparedZone>();
  for (let i = 0; i < positions.length; i += 2) {
    const [lon, lat] = [positions[i]!, positions[i + 1]!];
    const ours = [...index.atMany(positions.subarray(i, i + 2)).zones];
    const theirs = new Set<number>();
    peer.at(lon, lat, (zone) => theirs.add(zone));
    const isPolygon = (zone: number): boolean => zones[zone]!.type.key === 'polygon';
    const polygons = [...theirs].filter(isPolygon).sort((p, q) => p - q);
    if (ours.filter(isPolygon).join() !== polygons.join()) {
      throw new Error(`at ${lon}, ${lat}: expected zones ${polygons.join()}, received ${ours.join()}`);
    }
    for (const zone of new Set([...ours, ...theirs])) {
      const known = prepared.get(zone) ?? prepareZone(zones[zone]!);
      prepared.set(zone, known);
      if (known.contains(lon, lat) !== ours.includes(zone))
        throw new Error(`at ${lon}, ${lat}: the index and zone ${zone} disagree`);
    }
  }
}

/** Throws unless the index agrees with a scan of all zones whose first position is within 0.2° of the query. */
function assertScan(index: ZoneIndex, workload: Workload, positions: Float64Array): void {
  const answers = Array.from({ length: positions.length / 2 }, (): number[] => []);
  let number = 0;
  for (const zone of workload.zones()) {
    const [x, y] = zone.geometry[0]!;
    let known: PreparedZone | null = null;
    for (let i = 0; i < answers.length; i++) {
      const [lon, lat] = [positions[2 * i]!, positions[2 * i + 1]!];
      if (Math.abs(lat - y) > 0.2 || Math.abs(lon - x) * Math.cos((y * Math.PI) / 180) > 0.2) continue;
      known ??= prepareZone(zone);
      if (known.contains(lon, lat)) answers[i]!.push(number);
    }
    number++;
  }
  answers.forEach((expected, i) => {
    const ours = [...index.atMany(positions.subarray(2 * i, 2 * i + 2)).zones];
    if (ours.join() !== expected.join())
      throw new Error(`position ${i}: expected zones ${expected.join()}, received ${ours.join()}`);
  });
}
