import { describe, expect, test } from 'vitest';
import type { Position } from '../../src/core/geometry.js';
import { readPosition } from '../../src/core/input.js';
import { type PreparedZone, prepareZone } from '../../src/zones/preparedZone.js';
import { LONG, seeded } from '../volume.js';

/** The half-open rule: each position of a tiling is in exactly one half-open cell, and in at least one closed cell. */

interface Tiling {
  readonly cells: Position[][];
  readonly probes: Position[];
}

type Random = () => number;

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** A jittered grid of quadrilaterals, some cut into two triangles; the columns may go around the Earth. */
function grid(
  random: Random,
  west: number,
  south: number,
  step: number,
  columns: number,
  rows: number,
  closes: boolean,
): Tiling {
  const least = Math.ceil(-Math.log10(step)) + 1;
  const digits = [least, 4, 6, 7, 15].map((count) => Math.max(count, least))[Math.floor(random() * 5)]!;
  const at: Position[][] = [];
  for (let r = 0; r <= rows; r++) {
    const row: Position[] = [];
    for (let c = 0; c <= columns; c++) {
      if (closes && c === columns) {
        row.push(row[0]!);
        continue;
      }
      const edge = (!closes && (c === 0 || c === columns)) || r === 0 || r === rows;
      const jitter = edge ? 0 : step * 0.3;
      const lon = west + c * step + (random() - 0.5) * jitter;
      const wrapped = lon > 180 ? lon - 360 : lon;
      row.push([round(wrapped, digits), round(south + r * step + (random() - 0.5) * jitter, digits)]);
    }
    at.push(row);
  }
  const cells: Position[][] = [];
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const [a, b, d, e] = [at[r]![c]!, at[r]![c + 1]!, at[r + 1]![c + 1]!, at[r + 1]![c]!];
      const cut = Math.floor(random() * 4);
      if (cut < 2) cells.push([a, b, d, e]);
      else if (cut === 2) cells.push([a, b, d], [a, d, e]);
      else cells.push([a, b, e], [b, d, e]);
    }
  }
  const probes: Position[] = [];
  for (let r = 1; r < rows; r++) {
    for (let c = closes ? 0 : 1; c < columns; c++) {
      probes.push(at[r]![c]!);
      for (const [p, q] of [
        [at[r]![c]!, at[r]![c + 1]!],
        [at[r]![c]!, at[r + 1]![c]!],
        [at[r]![c]!, at[r + 1]![c + 1]!],
      ] as const) {
        probes.push(between(p, q, 0.5), between(p, q, random()));
      }
    }
  }
  return { cells, probes };
}

/** A position on the straight edge p→q, along the shorter difference of longitudes. */
function between([ax, ay]: Position, [bx, by]: Position, t: number): Position {
  const step = bx - ax > 180 ? bx - ax - 360 : bx - ax < -180 ? bx - ax + 360 : bx - ax;
  const lon = ax + step * t;
  return [lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon, ay + (by - ay) * t];
}

/** A closed grid around the Earth with a cap over the pole, or with wedges that meet at the pole. */
function polar(random: Random, sign: 1 | -1): Tiling {
  const columns = 5 + Math.floor(random() * 20);
  const step = 360 / columns;
  const rows = 3;
  const height = 2 + random() * 3;
  const tiles = grid(random, -180 + random() * 10, 0, step, columns, rows, true);
  const squeeze = ([lon, lat]: Position): Position => [lon, sign * (70 + (lat / (rows * step)) * height)];
  const cells = tiles.cells.map((cell) => cell.map(squeeze));
  const top = cells.flat().reduce((far, [, lat]) => (Math.abs(lat) > Math.abs(far) ? lat : far), 0);
  const rim = [
    ...new Map(
      cells
        .flat()
        .filter(([, lat]) => lat === top)
        .map((p) => [p[0], p]),
    ).values(),
  ].sort((p, q) => p[0] - q[0]);
  if (random() < 0.5) {
    cells.push(rim);
  } else {
    rim.forEach((p, i) => {
      const q = rim[(i + 1) % rim.length]!;
      cells.push([p, q, [q[0], 90 * sign], [p[0], 90 * sign]]);
    });
  }
  const over: Position[] = [
    [0, 90 * sign],
    [77, 90 * sign],
    [180, 90 * sign],
    [0, top],
    [0.1, 89 * sign],
  ];
  const around = rim.flatMap((p): Position[] => [p, [p[0], 85 * sign], [p[0], 90 * sign]]);
  return { cells, probes: [...tiles.probes.map(squeeze), ...over, ...around] };
}

function check({ cells, probes }: Tiling): { wrong: Position[]; lost: Position[] } {
  const prepare = (boundary: 'closed' | 'half-open'): PreparedZone[] =>
    cells.map((geometry) => prepareZone({ type: { key: 'polygon' }, geometry }, { boundary }));
  const halfOpen = prepare('half-open');
  const closed = prepare('closed');
  const wrong: Position[] = [];
  const lost: Position[] = [];
  for (const probe of probes) {
    const [lon, lat] = readPosition(probe, 'probe');
    if (halfOpen.filter((cell) => cell.contains(lon, lat)).length !== 1) wrong.push(probe);
    if (!closed.some((cell) => cell.contains(lon, lat))) lost.push(probe);
  }
  return { wrong, lost };
}

const TILINGS = LONG ? 100 : 12;

describe.each([
  ['in a city', (random: Random) => grid(random, 37.5, 55.5, 0.01, 8, 8, false)],
  ['over 0, 0', (random: Random) => grid(random, -0.4, -0.4, 0.1, 8, 8, false)],
  ['over the antimeridian', (random: Random) => grid(random, 178, -3, 0.5, 9, 8, false)],
  ['with the antimeridian on cell borders', (random: Random) => grid(random, 176, 10, 1, 8, 6, false)],
  ['round the Earth', (random: Random) => grid(random, -180, -40, 20, 18, 4, true)],
  ['around the north pole', (random: Random) => polar(random, 1)],
  ['around the south pole', (random: Random) => polar(random, -1)],
] as const)('a tiling %s', (_, make) => {
  test(`of ${TILINGS}: each position is in exactly one half-open cell and at least one closed cell`, () => {
    let probes = 0;
    for (let seed = 1; seed <= TILINGS; seed++) {
      const tiling = make(seeded(seed));
      probes += tiling.probes.length;
      expect({ seed, ...check(tiling) }).toEqual({ seed, wrong: [], lost: [] });
    }
    expect(probes).toBeGreaterThan(100);
  });
});
