/**
 * `coldAsk.ts WAY KIND ZONES POSITIONS`: one process queries zones in one way. Prints as JSON the milliseconds of processor time from zones
 * in memory to the n-th answer. bench/coldStart.ts runs it for each row of its tables.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import Flatbush from 'flatbush';
import pointInPolygon from 'point-in-polygon-hao';
import RBush from 'rbush';
import { type Geozone, type Pair, ZoneIndex } from '../src/index.js';
import { seeded } from '../test/volume.js';
import { geosCold, rbushPeer, shapesOf } from './zonePeers.js';
import { collectGarbage, cpuMs } from './zoneTime.js';
import { counties } from './zoneWorkloads.js';

export const STEPS: readonly number[] = [1, 1e3, 1e4, 1e5, 3e5, 1e6, 3e6, 1e7];

export type Ways = 'atMany' | 'at' | 'lists' | 'all' | 'hao' | 'haoMoving' | 'turf' | 'geos';
export type Kinds =
  | 'random'
  | 'tracks'
  | 'city'
  | 'place'
  | 'stack'
  | 'deep'
  | 'wide'
  | 'borders'
  | 'moves'
  | 'counties';

const SEED = 20_261_122;
const shrinkOf = (lat: number): number => Math.cos((lat * Math.PI) / 180);

/**
 * Star polygons of 4 to 63 vertices, 100 m to 1 km, around 50 cities. `deep`: around one city, so that tens overlap. `wide`: one in a
 * thousand is as large as a country.
 */
export function starZones(
  count: number,
  kind: Kinds = 'random',
): { readonly zones: Geozone[]; readonly middles: Float64Array } {
  const random = seeded(SEED);
  const centres = Array.from({ length: 50 }, (): Pair => [random() * 300 - 150, random() * 120 - 60]);
  const near = kind === 'deep' ? 0.2 * Math.sqrt(count / 10_000) : 1;
  const middles = new Float64Array(2 * count);
  const zones = Array.from({ length: count }, (_, i): Geozone => {
    const [x, y] = centres[kind === 'deep' ? 0 : i % centres.length]!;
    const lon = x + (random() + random() - 1) * 0.5 * near;
    const lat = y + (random() + random() - 1) * 0.4 * near;
    middles[2 * i] = lon;
    middles[2 * i + 1] = lat;
    const size = kind === 'wide' && i % 1000 === 0 ? 500 : 1;
    const degrees = (size * (100 + 900 * random())) / 111_200;
    const vertices = 4 + Math.floor(random() * 60);
    const shrink = shrinkOf(lat);
    const geometry = Array.from({ length: vertices }, (_, k): [number, number] => {
      const angle = (2 * Math.PI * k) / vertices;
      const reach = degrees * (0.5 + random() / 2);
      return [lon + (reach * Math.cos(angle)) / shrink, lat + reach * Math.sin(angle)];
    });
    geometry.push([...geometry[0]!]);
    return { id: `z${i}`, name: `zone ${i}`, type: { key: 'polygon' }, geometry };
  });
  // A backend gets its zones parsed from JSON.
  return { zones: zones.map((zone) => JSON.parse(JSON.stringify(zone)) as Geozone), middles };
}

/** 1,000 overlapping circles within some kilometres. */
export function stackedCircles(count: number): Geozone[] {
  const random = seeded(SEED + 9);
  return Array.from(
    { length: count },
    (_, i): Geozone => ({
      id: `c${i}`,
      name: `circle ${i}`,
      type: { key: 'circle' },
      geometry: [[37.6 + (random() - 0.5) * 0.1, 55.7 + (random() - 0.5) * 0.06]],
      width: 2000 + 4000 * random(),
    }),
  );
}

/** Positions: random with 70 % near a zone, 1,000 vehicles in turns, all in one city, or one position repeated. */
export function positionsOf(kind: Kinds, count: number, middles: Float64Array): Float64Array {
  const random = seeded(SEED + 1);
  const zones = middles.length / 2;
  const lonLat = new Float64Array(2 * count);
  if (kind === 'stack') {
    for (let i = 0; i < count; i++) {
      lonLat[2 * i] = 37.6 + (random() - 0.5) * 0.1;
      lonLat[2 * i + 1] = 55.7 + (random() - 0.5) * 0.06;
    }
    return lonLat;
  }
  const near = (step: number): Pair => {
    const i = Math.floor((random() * zones) / step) * step;
    return [middles[2 * i]! + (random() - 0.5) * 0.018, middles[2 * i + 1]! + (random() - 0.5) * 0.018];
  };
  if (kind === 'tracks') {
    const units = Array.from({ length: 1000 }, () => ({ at: near(1), course: 2 * Math.PI * random() }));
    for (let i = 0; i < count; i++) {
      const unit = units[i % 1000]!;
      unit.course += (random() - 0.5) * 0.4;
      const step = (80 + 80 * random()) / 111_200;
      const shrink = shrinkOf(unit.at[1]);
      unit.at = [
        unit.at[0] + (step * Math.cos(unit.course)) / shrink,
        unit.at[1] + step * Math.sin(unit.course),
      ];
      if (random() < 0.001) unit.at = near(1);
      lonLat[2 * i] = unit.at[0];
      lonLat[2 * i + 1] = unit.at[1];
    }
    return lonLat;
  }
  const one = near(1);
  for (let i = 0; i < count; i++) {
    const [lon, lat] =
      kind === 'place'
        ? one
        : kind === 'city'
          ? near(50)
          : random() < 0.3
            ? [random() * 360 - 180, random() * 150 - 75]
            : near(1);
    lonLat[2 * i] = lon;
    lonLat[2 * i + 1] = lat;
  }
  return lonLat;
}

export interface Cold {
  readonly curve: readonly number[];
  readonly hits: number;
  /** Nanoseconds per position over another million positions, all warm. */
  readonly warmNs: number;
  /** Peak memory of the build beyond the memory that remains at its end. */
  readonly peak: number | null;
}

/** Positions per call: what a backend collects before it queries. */
const BATCH = 10_000;

/** Resident bytes, and their peak since `resetPeak`. Null outside Linux. */
function memory(): { readonly now: number; readonly peak: number } | null {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    const kib = (name: string): number => 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]);
    return { now: kib('VmRSS'), peak: kib('VmHWM') };
  } catch {
    return null;
  }
}

function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Without the reset, the peak is that of the whole process.
  }
}

function askBy(way: Ways, kind: Kinds, zones: Geozone[]): (lonLat: Float64Array) => number {
  if (way === 'haoMoving') return movingHao(zones);
  if (way === 'hao') {
    // Each part of a zone is an entry of its own.
    const polygons = zones.flatMap(
      ({ geometry, parts }) => (parts ?? [[geometry]]) as unknown as number[][][][],
    );
    const tree = new Flatbush(polygons.length);
    for (const [geometry] of polygons as unknown as [Pair[]][]) {
      let [west, south, east, north] = [180, 90, -180, -90];
      for (const [lon, lat] of geometry) {
        if (lon < west) west = lon;
        if (lon > east) east = lon;
        if (lat < south) south = lat;
        if (lat > north) north = lat;
      }
      tree.add(west, south, east, north);
    }
    tree.finish();
    return (lonLat) => {
      let hits = 0;
      for (let i = 0; i < lonLat.length; i += 2) {
        const [lon, lat] = [lonLat[i]!, lonLat[i + 1]!];
        for (const k of tree.search(lon, lat, lon, lat))
          if (pointInPolygon([lon, lat], polygons[k]!) !== false) hits++;
      }
      return hits;
    };
  }
  if (way === 'turf') {
    const peer = rbushPeer(shapesOf(zones));
    return (lonLat) => {
      let hits = 0;
      for (let i = 0; i < lonLat.length; i += 2) peer.at(lonLat[i]!, lonLat[i + 1]!, () => hits++);
      return hits;
    };
  }
  const index = new ZoneIndex<Geozone>(zones, way === 'lists' ? { maxMemoryBytes: 0 } : {});
  if (way === 'all') index.learnAll();
  if (kind === 'moves') {
    let round = 0;
    return (lonLat) => {
      for (const zone of movedZones(zones, round++)) index.update(zone);
      return index.atMany(lonLat).zones.length;
    };
  }
  if (way !== 'at') return (lonLat) => index.atMany(lonLat).zones.length;
  return (lonLat) => {
    let hits = 0;
    for (let i = 0; i < lonLat.length; i += 2) hits += index.at([lonLat[i]!, lonLat[i + 1]!]).length;
    return hits;
  };
}

/** 100 zones, each moved a little eastwards. */
function movedZones(zones: readonly Geozone[], round: number): Geozone[] {
  return Array.from({ length: 100 }, (_, i) => {
    const zone = zones[(100 * round + i) % zones.length]!;
    return { ...zone, geometry: zone.geometry.map(([x, y]): Pair => [x + 0.003, y]) };
  });
}

/** flatbush cannot move a box, so this uses rbush. */
function movingHao(zones: readonly Geozone[]): (lonLat: Float64Array) => number {
  const itemOf = (zone: Geozone) => {
    let [minX, minY, maxX, maxY] = [180, 90, -180, -90];
    for (const [lon, lat] of zone.geometry) {
      if (lon < minX) minX = lon;
      if (lon > maxX) maxX = lon;
      if (lat < minY) minY = lat;
      if (lat > maxY) maxY = lat;
    }
    return { minX, minY, maxX, maxY, rings: [zone.geometry] as unknown as number[][][] };
  };
  const items = new Map(zones.map((zone) => [zone.id, itemOf(zone)]));
  const tree = new RBush<ReturnType<typeof itemOf>>().load([...items.values()]);
  let round = 0;
  return (lonLat) => {
    for (const zone of movedZones(zones, round++)) {
      tree.remove(items.get(zone.id)!);
      const item = itemOf(zone);
      items.set(zone.id, item);
      tree.insert(item);
    }
    let hits = 0;
    for (let i = 0; i < lonLat.length; i += 2) {
      const [lon, lat] = [lonLat[i]!, lonLat[i + 1]!];
      for (const { rings } of tree.search({ minX: lon, minY: lat, maxX: lon, maxY: lat }))
        if (pointInPolygon([lon, lat], rings) !== false) hits++;
    }
    return hits;
  };
}

/** Vertices of zones, and positions on the meridian of one vertex and the parallel of another. */
function borderPositions(zones: readonly Geozone[], count: number): Float64Array {
  const random = seeded(SEED + 2);
  const lonLat = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    const { geometry } = zones[Math.floor(random() * zones.length)]!;
    const a = geometry[Math.floor(random() * geometry.length)]!;
    const b = random() < 0.5 ? a : geometry[Math.floor(random() * geometry.length)]!;
    lonLat[2 * i] = a[0];
    lonLat[2 * i + 1] = b[1];
  }
  return lonLat;
}

export function coldCurve(way: Ways, kind: Kinds, count: number, positions: number): Cold {
  const { zones, lonLat } = worldOf(kind, count, positions);
  if (way === 'geos') {
    const answer = geosCold(
      zones,
      lonLat,
      STEPS.filter((step) => step <= positions),
    );
    return { curve: answer?.curve ?? [], hits: answer?.hits ?? -1, warmNs: 0, peak: null };
  }
  let ask: (lonLat: Float64Array) => number = () => 0;
  let spent = 0;
  let hits = 0;
  const curve: number[] = [];
  for (let i = 0; i < 5; i++) collectGarbage();
  resetPeak();
  const before = memory();
  spent += cpuMs(() => {
    ask = askBy(way, kind, zones);
  });
  const built = memory();
  let from = 0;
  for (const step of STEPS) {
    if (step > positions) break;
    spent += cpuMs(() => {
      for (; from < step; ) {
        const to = Math.min(step, from + BATCH);
        hits += ask(lonLat.subarray(2 * from, 2 * to));
        from = to;
      }
    });
    curve.push(spent);
  }
  const last = lonLat.subarray(-2 * Math.min(positions, 1e6));
  const warm = cpuMs(() => {
    for (let i = 0; i < last.length; i += 2 * BATCH) ask(last.subarray(i, i + 2 * BATCH));
  });
  for (let i = 0; i < 5; i++) collectGarbage();
  const after = memory();
  const [taken, stays] = [(built?.peak ?? 0) - (before?.now ?? 0), (after?.now ?? 0) - (before?.now ?? 0)];
  return {
    curve: curve.map((ms) => Math.round(ms)),
    hits,
    warmNs: Math.round((warm * 2e6) / last.length),
    peak: stays > 0 ? Math.round((100 * taken) / stays) / 100 : null,
  };
}

function worldOf(
  kind: Kinds,
  count: number,
  positions: number,
): { readonly zones: Geozone[]; readonly lonLat: Float64Array } {
  if (kind === 'counties') {
    const workload = counties();
    if (workload === null) throw new Error('expected us-atlas to be installed');
    const zones = [...workload.zones()];
    return { zones, lonLat: workload.random(positions) };
  }
  const { zones, middles } =
    kind === 'stack'
      ? { zones: stackedCircles(count), middles: new Float64Array(0) }
      : starZones(count, kind);
  if (kind === 'borders') return { zones, lonLat: borderPositions(zones, positions) };
  return { zones, lonLat: positionsOf(kind, positions, middles) };
}

if (argv[1] !== undefined && pathToFileURL(argv[1]).href === import.meta.url) {
  const [way, kind, count, positions] = argv.slice(2);
  console.log(JSON.stringify(coldCurve(way as Ways, kind as Kinds, Number(count), Number(positions))));
}
