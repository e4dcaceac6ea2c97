/** Lines of the real world: ways and routes of OpenStreetMap, days of buses, and tracks of files. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Position } from '../../../src/index.js';
import { dataFiles, dataPath } from '../../interchange/realData.js';
import { seeded } from '../../volume.js';
import { type OsmExtract, type OsmWay, readOsm } from './osmPbf.js';

type Random = () => number;

export interface NamedLine {
  readonly name: string;
  readonly line: readonly Position[];
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Roads and ferries as a graph of nodes. */
export class Roads {
  readonly nodes: ReadonlyMap<number, Position>;
  readonly roads: readonly OsmWay[];
  readonly ways: readonly OsmWay[];
  readonly neighbours: ReadonlyMap<number, readonly number[]>;

  constructor({ nodes, ways }: OsmExtract) {
    const neighbours = new Map<number, number[]>();
    const add = (from: number, to: number): void => {
      const list = neighbours.get(from);
      if (list === undefined) neighbours.set(from, [to]);
      else if (!list.includes(to)) list.push(to);
    };
    const isWhole = (way: OsmWay): boolean => way.refs.every((ref) => nodes.has(ref));
    this.ways = ways.filter(isWhole);
    this.roads = this.ways.filter(({ tags }) => tags['highway'] !== undefined || tags['route'] === 'ferry');
    for (const { refs } of this.roads) {
      for (let i = 1; i < refs.length; i++) {
        if (refs[i] === refs[i - 1]) continue;
        add(refs[i - 1]!, refs[i]!);
        add(refs[i]!, refs[i - 1]!);
      }
    }
    this.nodes = nodes;
    this.neighbours = neighbours;
  }

  line(refs: readonly number[]): Position[] {
    return refs.map((ref) => this.nodes.get(ref)!);
  }

  /** A drive at random: it turns round at times, goes back on its way, and repeats what it drove. */
  drive(random: Random, start: number, count: number, temper: Temper, before?: number): number[] {
    const refs = before === undefined ? [start] : [before, start];
    while (refs.length < count) {
      const here = refs.at(-1)!;
      const last = refs.at(-2);
      const all = this.neighbours.get(here)!;
      const ahead = all.filter((ref) => ref !== last);
      const chance = random();
      if (chance < temper.turnBack && last !== undefined) refs.push(last);
      else if (chance < temper.turnBack + temper.retrace)
        refs.push(...refs.slice(-2 - Math.floor(random() * 30), -1).toReversed());
      else if (chance < temper.turnBack + temper.retrace + temper.repeat) {
        const from = refs.lastIndexOf(here, -2);
        if (from >= 0) refs.push(...refs.slice(from + 1));
        else refs.push(pick(random, ahead.length > 0 ? ahead : all));
      } else refs.push(pick(random, ahead.length > 0 ? ahead : all));
    }
    return refs.slice(0, count);
  }
}

interface Temper {
  readonly turnBack: number;
  readonly retrace: number;
  readonly repeat: number;
}

const TEMPERS: readonly Temper[] = [
  { turnBack: 0, retrace: 0, repeat: 0 },
  { turnBack: 0.02, retrace: 0.01, repeat: 0.02 },
  { turnBack: 0.1, retrace: 0.03, repeat: 0.05 },
  { turnBack: 0, retrace: 0, repeat: 0.3 },
];

/** Whether a way is a small loop: its perimeter is at most 400 m. */
function isSmallLoop(roads: Roads, { refs }: OsmWay): boolean {
  if (refs.length < 4 || refs[0] !== refs.at(-1)) return false;
  const line = roads.line(refs);
  let degrees = 0;
  for (let i = 1; i < line.length; i++) {
    const [[ax, ay], [bx, by]] = [line[i - 1]!, line[i]!];
    degrees += Math.hypot((bx - ax) * Math.cos((ay * Math.PI) / 180), by - ay);
  }
  return degrees * 111_320 < 400;
}

/** Roundabouts and small closed roads: alone, round 1 to 3 times from each node, and entered and left by their roads. */
function* roundabouts(roads: Roads, random: Random): Generator<NamedLine> {
  const loops = roads.roads.filter(
    (way) =>
      way.refs[0] === way.refs.at(-1) && (way.tags['junction'] === 'roundabout' || isSmallLoop(roads, way)),
  );
  for (const way of loops) {
    const ring = way.refs.slice(0, -1);
    const onRing = new Set(ring);
    const gates = ring.flatMap((ref, i) =>
      roads.neighbours.get(ref)!.some((to) => !onRing.has(to)) ? [i] : [],
    );
    const name = `roundabout ${way.tags['name'] ?? way.tags['highway']}`;
    for (const laps of [1, 2, 3]) {
      for (const from of new Set([0, ...gates])) {
        const round = (steps: number, back: boolean): number[] =>
          Array.from(
            { length: steps + 1 },
            (_, k) => ring[(((from + (back ? -k : k)) % ring.length) + ring.length) % ring.length]!,
          );
        yield { name: `${name}, alone ${laps}`, line: roads.line(round(laps * ring.length, random() < 0.3)) };
        for (const to of gates) {
          const back = random() < 0.2;
          const span = (((back ? from - to : to - from) % ring.length) + ring.length) % ring.length;
          const middle = round((laps - 1) * ring.length + (span === 0 ? ring.length : span), back);
          const out = (ref: number): number[] => {
            const exits = roads.neighbours.get(ref)!.filter((next) => !onRing.has(next));
            return exits.length === 0
              ? []
              : roads
                  .drive(random, pick(random, exits), 2 + Math.floor(random() * 12), TEMPERS[0]!, ref)
                  .slice(1);
          };
          yield {
            name: `${name}, ${laps} laps by road`,
            line: roads.line([...out(middle[0]!).toReversed(), ...middle, ...out(middle.at(-1)!)]),
          };
        }
      }
    }
  }
}

function* closedWays(roads: Roads, random: Random): Generator<NamedLine> {
  for (const { refs, tags } of roads.ways) {
    if (refs.length < 3 || refs[0] !== refs.at(-1)) continue;
    const ring = refs.slice(0, -1);
    const turn = Math.floor(random() * ring.length);
    const laps = random() < 0.2 ? 2 : 1;
    const turned = Array.from({ length: laps * ring.length + 1 }, (_, i) => ring[(turn + i) % ring.length]!);
    yield {
      name: `closed way ${tags['building'] ? 'building' : (tags['highway'] ?? tags['landuse'] ?? 'other')}`,
      line: roads.line(random() < 0.5 ? turned : turned.toReversed()),
    };
  }
}

function* routes(roads: Roads, random: Random, count: number): Generator<NamedLine> {
  for (let k = 0; k < count; k++) {
    const way = pick(random, roads.roads);
    const refs = roads.drive(
      random,
      pick(random, way.refs),
      3 + Math.floor(10 ** (0.3 + 2.2 * random())),
      pick(random, TEMPERS),
    );
    yield { name: 'route', line: roads.line(refs) };
  }
}

function* busDays(): Generator<NamedLine> {
  for (const path of dataFiles('tracks/austin-bus', '.csv.gz')) {
    const byVehicle = new Map<string, { time: number; at: Position }[]>();
    const [head = '', ...rows] = gunzipSync(readFileSync(path)).toString().trim().split('\n');
    const columns = head.split(',');
    for (const row of rows) {
      const cells = row.split(',');
      const cell = (name: string): string => cells[columns.indexOf(name)]!;
      const fix = {
        time: Date.parse(cell('timestamp')),
        at: [Number(cell('longitude')), Number(cell('latitude'))] as const,
      };
      const fixes = byVehicle.get(cell('vehicle_id'));
      if (fixes === undefined) byVehicle.set(cell('vehicle_id'), [fix]);
      else fixes.push(fix);
    }
    for (const [vehicle, fixes] of byVehicle) {
      fixes.sort((a, b) => a.time - b.time);
      const line = fixes.map(({ at }) => at).filter(([lon, lat]) => lon !== 0 && Number.isFinite(lon + lat));
      if (line.length > 1) yield { name: `bus ${vehicle}`, line };
    }
  }
}

/** Tracks of GPX files and of barefoot, by every pair of coordinates in the file. */
function* fileTracks(): Generator<NamedLine> {
  for (const path of [...dataFiles('tracks/gpx', '.gpx'), ...dataFiles('kml/mapbox-togeojson', '.gpx')]) {
    const points = readFileSync(path, 'utf8').match(/<(?:trkpt|rtept|wpt)\b[^>]*>/g) ?? [];
    const line = points.map(
      (tag): Position => [Number(/lon="([^"]*)"/.exec(tag)?.[1]), Number(/lat="([^"]*)"/.exec(tag)?.[1])],
    );
    if (line.length > 1 && line.every(([lon, lat]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 85))
      yield { name: 'gpx', line };
  }
  for (const path of dataFiles('tracks/barefoot', '.json')) {
    const points = [...readFileSync(path, 'utf8').matchAll(/POINT\(([-\d.]+) ([-\d.]+)\)/g)];
    yield { name: 'barefoot', line: points.map(([, lon, lat]): Position => [Number(lon), Number(lat)]) };
  }
}

/** A track as it is, driven twice with jitter, and to and fro; long ones also in pieces. */
function* driven({ name, line }: NamedLine, random: Random): Generator<NamedLine> {
  const jitter = ([lon, lat]: Position): Position => [
    lon + (random() - 0.5) * 1e-4,
    lat + (random() - 0.5) * 1e-4,
  ];
  const size = 5 + Math.floor(random() * 60);
  const from = Math.floor(random() * Math.max(1, line.length - size));
  for (const [part, what] of [
    [line, ''],
    [line.slice(from, from + size), ', piece'],
  ] as const) {
    yield { name: name + what, line: part };
    yield { name: `${name}${what}, twice`, line: [...part, ...part.map(jitter)] };
    yield { name: `${name}${what}, to and fro`, line: [...part, ...part.toReversed()] };
    yield {
      name: `${name}${what}, to and fro with jitter`,
      line: [...part, ...part.toReversed().map(jitter)],
    };
  }
}

export const OSM_FILES = ['osm/gh-moscow.osm.pbf', 'osm/vh-liechtenstein-latest.osm.pbf'] as const;

export const REAL_KINDS = ['roundabouts', 'routes', 'closed ways', 'tracks'] as const;

/** The roads of each extract. */
export const readRoads = (): readonly Roads[] => OSM_FILES.map((file) => new Roads(readOsm(dataPath(file))));

/** All real lines of a kind in a fixed order. */
export function* realLines(
  kind: (typeof REAL_KINDS)[number],
  extracts: readonly Roads[],
): Generator<NamedLine> {
  const random = seeded(20_261_124);
  if (kind === 'tracks') for (const track of [...fileTracks(), ...busDays()]) yield* driven(track, random);
  else {
    for (const roads of extracts) {
      if (kind === 'roundabouts') yield* roundabouts(roads, random);
      else if (kind === 'routes') yield* routes(roads, random, 2000);
      else yield* closedWays(roads, random);
    }
  }
}
