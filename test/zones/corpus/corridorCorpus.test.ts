import { beforeAll, describe, expect, test } from 'vitest';
import type { Position } from '../../../src/index.js';
import { needs, sharedData } from '../../needs.js';
import { LONG, seeded } from '../../volume.js';
import { type CorridorCase, checkCase, type Fault } from './corridorFaults.js';
import { FastDistance } from './fastDistance.js';
import { inventedLine } from './inventedLines.js';
import { OSM_FILES, REAL_KINDS, type Roads, readRoads, realLines } from './realLines.js';
import { smallestLine } from './smallestLine.js';

const WIDTHS = [2, 4, 7, 10, 15, 30, 50, 80, 150, 300, 700, 2000] as const;

const isWrong = ({ error, kind }: Fault): boolean => error > 1 || kind === 'zone';

/** What a failing test prints: the case with the smallest line that fails, as literals. */
function described(one: CorridorCase, seed: number): string {
  const faultsOf = (line: readonly Position[]): readonly Fault[] =>
    checkCase({ ...one, line }, seeded(seed)).faults.filter(isWrong);
  const line = smallestLine(one.line, (shorter) => faultsOf(shorter).length > 0);
  return JSON.stringify({ ...one, line, faults: faultsOf(line) });
}

/** Texts of the first failures of a list of cases. */
class Failures {
  readonly texts: string[] = [];
  checked = 0;

  check(one: CorridorCase, seed: number, distance: FastDistance, name: string): void {
    this.checked++;
    const { faults } = checkCase(one, seeded(seed), distance);
    if (!faults.some(isWrong)) return;
    this.texts.push(this.texts.length < 3 ? `${name}: ${described(one, seed)}` : name);
  }
}

const rounded = (line: readonly Position[], decimals: number): Position[] =>
  line.map(([lon, lat]) => [Number(lon.toFixed(decimals)), Number(lat.toFixed(decimals))]);

/** The tolerance by default, and for one corridor in five another. */
function toleranceOption(random: () => number, width: number): { tolerance?: number } {
  return random() < 0.2 ? { tolerance: Math.max(1e-3, (width / 2) * 10 ** (-1 - 3 * random())) } : {};
}

const real = needs(...OSM_FILES.map(sharedData), sharedData('tracks'));

/** Corridors per line, and of how many corridors the ordinary run checks one. */
const PLAN = {
  roundabouts: { perLine: 12, stride: 150 },
  routes: { perLine: 6, stride: 240 },
  'closed ways': { perLine: 2, stride: 180 },
  tracks: { perLine: 2, stride: 100 },
} as const;

real.describe('corridors of real lines, which need ../shared/data', () => {
  let extracts: readonly Roads[] = [];
  beforeAll(() => {
    extracts = readRoads();
  });

  test.each(REAL_KINDS)('%s: all within the tolerance, both ways', (kind) => {
    const { perLine, stride } = PLAN[kind];
    const failures = new Failures();
    let count = 0;
    let index = 0;
    for (const { name, line } of realLines(kind, extracts)) {
      index++;
      const distances = new Map<number, { at: Position[]; distance: FastDistance }>();
      for (let k = 0; k < perLine; k++) {
        const seed = count++;
        if (!LONG && seed % stride !== 0) continue;
        const random = seeded(seed);
        const decimals = 5 + Math.floor(3 * random());
        const known = distances.get(decimals) ?? {
          at: rounded(line, decimals),
          distance: new FastDistance(rounded(line, decimals)),
        };
        distances.set(decimals, known);
        const width = WIDTHS[(index + k * (perLine === 12 ? 1 : 5)) % 12]!;
        const cap = random() < 0.7 ? 'round' : 'flat';
        failures.check(
          { line: known.at, width, cap, ...toleranceOption(random, width) },
          seed,
          known.distance,
          name,
        );
      }
    }
    expect(failures.checked).toBeGreaterThan(LONG ? 1000 : 20);
    expect(failures.texts).toEqual([]);
  });
});

test('corridors of invented drives are within the tolerance, both ways', () => {
  const failures = new Failures();
  for (let seed = 0; seed < (LONG ? 20_000 : 120); seed++) {
    const random = seeded(seed);
    const { name, line, width } = inventedLine(random);
    const distance = new FastDistance(line);
    for (const cap of ['round', 'flat'] as const)
      failures.check(
        { line, width, cap, ...toleranceOption(random, width) },
        seed,
        distance,
        `${seed} ${name}`,
      );
  }
  expect(failures.texts).toEqual([]);
});

describe('smallest lines whose corridors were wrong once', () => {
  test.each([
    ['a roundabout in Austin, and back', 24.07290486304999, 'round', [[-97.7431, 30.2672], [-97.74283584547851, 30.26843123800356], [-97.74287050187915, 30.268545314327856], [-97.74281775670481, 30.268560382260993], [-97.742767364441, 30.26854018164794], [-97.74274664085658, 30.268495662488466], [-97.74278132963781, 30.26844047754409], [-97.74283584547851, 30.26843123800356], [-97.7431, 30.2672]]],
    ['a small loop of four edges at the end of a road', 20.618055356930434, 'round', [[9.52091, 47.14098], [9.52212, 47.14059], [9.52213, 47.14053], [9.52221, 47.1405], [9.52229, 47.14054], [9.52212, 47.14059], [9.52091, 47.14098]]],
    ['a large roundabout, and back', 183.05869433070578, 'round', [[9.5209, 47.141], [9.51895, 47.14215], [9.51825, 47.1433], [9.51793, 47.14329], [9.51738, 47.14306], [9.51714, 47.14266], [9.51728, 47.14224], [9.51776, 47.14196], [9.5184, 47.14192], [9.5187, 47.142], [9.51895, 47.14215], [9.5209, 47.141]]],
    ['an open half circle, and back', 50.29800071868649, 'round', [[-78.467797, -0.180704], [-78.466898, -0.180161], [-78.466872, -0.180195], [-78.4668, -0.180241], [-78.466715, -0.180249], [-78.466673, -0.180238], [-78.466898, -0.180161], [-78.467797, -0.180704]]],
    ['a roundabout far in the north', 10.339664947839555, 'round', [[33.084736, 68.958615], [33.086357, 68.957197], [33.086309, 68.957184], [33.086285, 68.957165], [33.086289, 68.957144], [33.086321, 68.957126], [33.086374, 68.957116], [33.08646, 68.957121], [33.086503, 68.957135], [33.08652, 68.957156], [33.086508, 68.957176], [33.08647, 68.957192], [33.086415, 68.9572], [33.086385, 68.9572], [33.086357, 68.957197], [33.084736, 68.958615]]],
    ['a small loop whose first edge is driven again', 8.414966428075289, 'round', [[32.58, 0.00001], [32.580497, -0.000876], [32.580504, -0.000874], [32.580524, -0.000902], [32.580519, -0.000908], [32.580512, -0.000912], [32.580504, -0.000913], [32.580497, -0.000876], [32.580504, -0.000874]]],
    ['a loop as wide as its corridor', 155.39090721582676, 'round', [[10.75191, 59.9132], [10.7511, 59.91273], [10.75146, 59.91221], [10.75148, 59.9123], [10.75147, 59.9124], [10.75142, 59.91249], [10.75123, 59.91266], [10.7511, 59.91273], [10.75191, 59.9132]]],
    ['a fold of hundreds of kilometres at the equator', 1.4, 'round', [[24, 23], [1, 0], [4.00001, 2.99999]]],
    ['a fold of 100 km at the equator', 1.4, 'round', [[2, 1], [1, 0], [1.5000166, 0.4999833]]],
    ['two positions a decimetre apart, flat ends', 1776.8434170607636, 'flat', [[33.0846, 68.9586], [33.0846039, 68.9585986]]],
    ['two positions a millimetre apart, flat ends', 857.0253295039685, 'flat', [[-179.9997998198276, 66.19999985161502], [-179.9997994455063, 66.19999991606507], [-179.99980070696708, 66.19999988977156]]],
    ['a car park in Quito whose bends leave a hole of centimetres', 2.6876861691553717, 'round', [[-78.4677719, -0.1806594], [-78.4677949, -0.1806507], [-78.4677411, -0.1807344], [-78.4677574, -0.1806393], [-78.4677924, -0.180626], [-78.4678304, -0.1806321]]],
    ['a scribble of five edges with such a hole', 2.778226537972895, 'round', [[10.0000736, 4.9278245], [10.000039, 4.927814], [10.0001203, 4.9278445], [10.0000088, 4.9277673], [10.0000092, 4.9278041], [10.0000926, 4.9277506]]],
    ['a scribble of seven edges with such a hole', 2.1366419086035267, 'flat', [[10.0001698, 48.057831], [10.0001105, 48.0578074], [10.0001192, 48.0578484], [10.0000631, 48.0577868], [10.0000793, 48.0577562], [10.0002212, 48.0578366], [10.0001577, 48.0577276], [10.0000408, 48.0577927]]],
  ] as [string, number, 'round' | 'flat', Position[]][])('%s', (_name, width, cap, line) => {
    for (const way of [line, line.toReversed()])
      expect(checkCase({ line: way, width, cap }, seeded(1)).faults.filter(isWrong)).toEqual([]);
  }); // biome-ignore format: lines
});
