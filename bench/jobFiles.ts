/** Generates the input files of bench/jobs.ts, of any size and in several forms. */

import { closeSync, openSync, writeSync } from 'node:fs';
import { seeded } from '../test/volume.js';

/** Digits after the point. 15 writes every digit of the double. */
export type Decimals = 6 | 9 | 15;

/** Form of the table of fixes. */
export interface FixShape {
  readonly decimals?: Decimals;
  readonly delimiter?: ',' | ';' | '\t';
  readonly quoted?: boolean;
  /** ISO 8601 UTC with milliseconds, or epoch milliseconds. */
  readonly time?: 'iso' | 'epoch';
  readonly lineEnd?: '\n' | '\r\n';
}

/** Form of the zones. */
export interface ZoneFileShape {
  readonly decimals?: Decimals;
  readonly closed?: boolean;
  readonly vertices?: number;
  readonly pretty?: boolean;
  /** Evenly over the area, or in a few towns. */
  readonly placed?: 'spread' | 'clumped';
}

/** Square in degrees that contains all data. It crosses the meridian of Greenwich. */
const AREA = { west: -2, south: 50, across: 4 };
const START = Date.UTC(2026, 2, 2);
const FIXES_PER_UNIT = 10_000;
const TOWNS = 12;
/** Bytes per write. */
const PIECE = 1 << 20;

/** Writes rows of `unit,time,lon,lat,speed_kph,course` of units that drive, stand and have gaps. Returns the path. */
export function writeFixes(path: string, count: number, shape: FixShape = {}): string {
  const { decimals = 6, delimiter = ',', quoted = false, time = 'iso', lineEnd = '\n' } = shape;
  const random = seeded(count);
  const row = (cells: readonly (string | number)[]): string =>
    (quoted ? cells.map((cell) => `"${cell}"`) : cells).join(delimiter) + lineEnd;
  return write(path, function* () {
    yield row(['unit', 'time', 'lon', 'lat', 'speed_kph', 'course']);
    for (let unit = 0, left = count; left > 0; unit++, left -= FIXES_PER_UNIT) {
      const drive = newDrive(random);
      for (let i = 0; i < Math.min(left, FIXES_PER_UNIT); i++) {
        const { at, lon, lat, speed, course } = drive();
        const when = time === 'iso' ? new Date(at).toISOString() : at;
        yield row([`unit-${unit}`, when, degrees(lon, decimals), degrees(lat, decimals), speed, course]);
      }
    }
  });
}

interface DrivenFix {
  readonly at: number;
  readonly lon: number;
  readonly lat: number;
  readonly speed: string;
  readonly course: number;
}

/** Returns the next fix of a unit at each call. The unit drives and stands for some minutes in turns, with rare gaps of 90 minutes. */
function newDrive(random: () => number): () => DrivenFix {
  let lon = AREA.west + random() * AREA.across;
  let lat = AREA.south + random() * AREA.across;
  let course = random() * 360;
  let at = START + Math.floor(random() * 60_000);
  let legLeft = 0;
  let speedKph = 0;
  return () => {
    if (legLeft-- <= 0) {
      legLeft = 20 + Math.floor(random() * 100);
      speedKph = speedKph > 0 ? 0 : 20 + random() * 70;
      if (random() < 0.01) at += 5_400_000;
    }
    at += 30_000;
    course = (course + (random() - 0.5) * 40 + 360) % 360;
    const step = (speedKph / 120 / 111.2) * (0.9 + random() * 0.2);
    lon += step * Math.sin((course * Math.PI) / 180) * 1.6;
    lat += step * Math.cos((course * Math.PI) / 180);
    if (Math.abs(lon) > 2) course = lon > 0 ? 270 : 90;
    else if (lat < AREA.south || lat > AREA.south + AREA.across) course = lat > 52 ? 180 : 0;
    return { at, lon, lat, speed: speedKph.toFixed(1), course: Math.round(course) };
  };
}

/** Writes a FeatureCollection of polygons with an id, a name and three more properties. Returns the path. */
export function writeZones(path: string, count: number, shape: ZoneFileShape = {}): string {
  const { decimals = 9, closed = true, vertices = 24, pretty = false, placed = 'spread' } = shape;
  const random = seeded(count + 1);
  const towns = Array.from({ length: TOWNS }, () => [random(), random()] as const);
  return write(path, function* () {
    yield pretty
      ? '{\n  "type": "FeatureCollection",\n  "features": [\n'
      : '{"type":"FeatureCollection","features":[\n';
    for (let i = 0; i < count; i++) {
      const [u, v] = placed === 'spread' ? [random(), random()] : inTown(random, towns);
      const ring = ringAt(
        AREA.west + u * AREA.across,
        AREA.south + v * AREA.across,
        vertices,
        closed,
        random,
      );
      const coordinates = [ring.map((pair) => pair.map((value) => Number(degrees(value, decimals))))];
      const properties = {
        name: `Zone ${i}`,
        color: '#F56C6C',
        address: `Street ${i % 977}, ${i % 89}`,
        rate: i % 7,
      };
      const feature = {
        type: 'Feature',
        id: `zone-${i}`,
        properties,
        geometry: { type: 'Polygon', coordinates },
      };
      yield JSON.stringify(feature, null, pretty ? 2 : 0) + (i + 1 < count ? ',\n' : '\n');
    }
    yield ']}\n';
  });
}

function inTown(random: () => number, towns: readonly (readonly [number, number])[]): [number, number] {
  const [x, y] = towns[Math.floor(random() * TOWNS)]!;
  const away = 0.05 * random() ** 2;
  const angle = random() * 2 * Math.PI;
  return [x + away * Math.cos(angle), y + away * Math.sin(angle)];
}

/** A polygon of a few hundred metres, counterclockwise, not convex. */
function ringAt(
  lon: number,
  lat: number,
  vertices: number,
  closed: boolean,
  random: () => number,
): number[][] {
  const radius = 0.001 + 0.003 * random();
  const ring = Array.from({ length: vertices }, (_, k) => {
    const angle = (2 * Math.PI * k) / vertices;
    const away = radius * (0.8 + 0.4 * random());
    return [lon + 1.6 * away * Math.cos(angle), lat + away * Math.sin(angle)];
  });
  return closed ? [...ring, ring[0]!] : ring;
}

function degrees(value: number, decimals: Decimals): string {
  return decimals === 15 ? String(value) : value.toFixed(decimals);
}

function write(path: string, lines: () => Iterable<string>): string {
  const file = openSync(path, 'w');
  try {
    let piece: string[] = [];
    let length = 0;
    for (const line of lines()) {
      piece.push(line);
      length += line.length;
      if (length < PIECE) continue;
      writeSync(file, piece.join(''));
      piece = [];
      length = 0;
    }
    writeSync(file, piece.join(''));
  } finally {
    closeSync(file);
  }
  return path;
}
