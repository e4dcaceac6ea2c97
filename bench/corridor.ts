/**
 * Times corridors beside Turf's buffer and native GEOS's. Turf runs with its default steps, which give a coarser polygon. GEOS buffers on
 * a plane without projection, 8 segments per quarter circle. Before timing, each corridor passes the checker of the tests, which uses
 * only distances.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, lineString } from '@turf/turf';
import { corridor, type Position } from '../src/index.js';
import { corridorRings } from '../src/zones/corridor/corridor.js';
import { readCorridor } from '../src/zones/corridor/readCorridor.js';
import { seeded } from '../test/volume.js';
import { checkCorridor } from '../test/zones/corridorChecker.js';
import { dwell, gridWalk, walk } from '../test/zones/lines.js';
import { corridorStress } from './corridorStress.js';
import { cpuMs } from './zoneTime.js';

interface Case {
  readonly name: string;
  readonly line: readonly Position[];
  readonly width: number;
  /** Number of Turf runs; 0 if one takes minutes. */
  readonly turf: number;
}

/** Every 13th of the hard lines is timed. */
const STRESS_STRIDE = 13;
const MOSCOW: Position = [37.6, 55.7];
/** Steps of 17 to 102 m, 60 m on average. */
const route = (count: number, seed: number): Position[] => walk(seeded(seed), count, MOSCOW, 85, 0.3);

/** One case for each width. */
const routeCases = (line: readonly Position[], widths: readonly number[], turf: number): Case[] =>
  widths.map((width) => ({
    name: `route of ${line.length.toLocaleString('en')} vertices, w ${width}`,
    line,
    width,
    turf,
  }));

function cases(quick: boolean): Case[] {
  const street: Position[] = [MOSCOW, [37.61, 55.705], [37.615, 55.7]];
  const there = route(10_000, 4);
  const short: Case[] = [
    { name: 'street of 3 vertices, w 50', line: street, width: 50, turf: 200 },
    ...routeCases(route(1000, 1), [10, 50, 200, 1000], 9),
    {
      name: '1,000 fixes at rest within 5 m, w 100',
      line: dwell(seeded(3), 1000, MOSCOW, 5),
      width: 100,
      turf: 0,
    },
  ];
  if (quick) return short;
  return [
    ...short,
    ...routeCases(route(10_000, 2), [20, 100, 500, 1000], 3),
    {
      name: 'there and back, 20,000 vertices, w 500',
      line: [...there, ...there.toReversed()],
      width: 500,
      turf: 1,
    },
    ...[3000, 10_000, 30_000, 100_000].map((count) => ({
      name: `city grid walk of ${count.toLocaleString('en')} vertices, w 30`,
      line: gridWalk(seeded(5), count, MOSCOW, 0.001),
      width: 30,
      turf: count === 3000 ? 1 : 0,
    })),
  ];
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Median times in ms. The two alternate, so that load on the machine affects both. */
function timed({ line, width, turf }: Case): { readonly own: number; readonly turf: number | null } {
  const feature = lineString(line.map(([lon, lat]) => [lon, lat]));
  const own: number[] = [];
  const peer: number[] = [];
  const rounds = Math.max(turf, 5);
  const ownRuns = line.length < 10 ? 20 : line.length <= 1000 ? 5 : 2;
  for (let round = -1; round < rounds; round++) {
    for (let k = 0; k < ownRuns; k++) {
      const time = cpuMs(() => corridor(line, width));
      if (round >= 0) own.push(time);
    }
    if (round >= turf || (round < 0 && turf < 3)) continue;
    const time = cpuMs(() => buffer(feature, width / 2, { units: 'meters' }));
    if (round >= 0) peer.push(time);
  }
  return { own: median(own), turf: peer.length === 0 ? null : median(peer) };
}

/** Median ms of GEOS per case. Null without a compiler or libgeos. */
function geosTimes(all: readonly Case[]): number[] | null {
  const folder = mkdtempSync(join(tmpdir(), 'geos-'));
  try {
    const program = join(folder, 'geosBuffer');
    const source = new URL('peers/geosBuffer.cpp', import.meta.url).pathname;
    execFileSync('g++', ['-O2', source, '-o', program, '-lgeos_c'], { stdio: 'ignore' });
    const input = all.map(({ line, width, turf }) => {
      const perLon = 111_320 * Math.cos((MOSCOW[1] * Math.PI) / 180);
      const metres = line.map(([lon, lat]) => `${(lon - MOSCOW[0]) * perLon} ${(lat - MOSCOW[1]) * 111_320}`);
      const rounds = turf === 0 ? 1 : Math.max(turf, 5);
      return `${rounds} ${width / 2} 8 ${line.length}\n${metres.join('\n')}\n`;
    });
    const output = execFileSync(program, { input: input.join(''), encoding: 'utf8' });
    return output
      .trim()
      .split('\n')
      .map((row) => Number(row.split(' ')[0]));
  } catch {
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function memory(library: 'wayzone' | 'turf'): string {
  const script = new URL('corridorMemory.ts', import.meta.url).pathname;
  return execFileSync(process.execPath, [...process.execArgv, script, library], { encoding: 'utf8' }).trim();
}

export function corridorBench(quick: boolean): string {
  const all = cases(quick);
  const rows: string[] = [];
  // Cases that take Turf minutes are skipped for GEOS too.
  const asked = all.filter(({ turf }) => turf > 0);
  const geos = geosTimes(asked);
  let snapped = 0;
  for (const [index, item] of all.entries()) {
    const { name, line, width } = item;
    const { counts } = corridorRings(readCorridor(line, width, {}));
    snapped += counts.snapped;
    const { boundaryMeters, wrong, invalid } = checkCorridor(line, width, corridor(line, width), {
      samples: line.length > 20_000 ? 200 : 1000,
      probes: line.length > 20_000 ? 50 : 300,
      random: seeded(index),
    });
    const share = boundaryMeters / Math.max(0.01, width / 2000);
    if (share > 1 || wrong.length > 0 || invalid.length > 0) {
      throw new Error(`${name}: error ${share} tolerances, ${wrong.length} probes wrong, ${invalid.join()}`);
    }
    const { own, turf } = timed(item);
    const native = geos?.[asked.indexOf(item)];
    rows.push(
      `| ${name} | ${own.toFixed(3)} | ${turf === null ? '' : turf.toFixed(2)} | ${turf === null ? '' : (turf / own).toFixed(1)} | ${native === undefined ? '' : native.toFixed(3)} | ${native === undefined ? '' : (own / native).toFixed(2)} | ${share.toFixed(2)} |`,
    );
  }
  return [
    '### Corridors: ms, medians; every one within its tolerance of the true distance',
    '',
    '| | wayzone | Turf buffer | Turf / wayzone | GEOS (C++) buffer call | wayzone / GEOS | greatest error, tolerances |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
    `Unions that had to be snapped to a grid: ${snapped}. Turf and GEOS were not asked where their cell is empty.`,
    ...(quick
      ? []
      : [
          `Peak memory above the start, 10,000 vertices, w 500, three calls: wayzone ${memory('wayzone')} MB, Turf ${memory('turf')} MB.`,
        ]),
    '',
    ...(quick ? [] : [corridorStress(STRESS_STRIDE)]),
  ].join('\n');
}
