/** Reads TSPLIB 95 files (Reinelt), as far as the instances in ../shared/data/reference/tsplib need it. */

import { readFileSync } from 'node:fs';
import { dataPath, hasData } from '../interchange/realData.js';

export const HAS_TSPLIB: boolean = hasData('reference/tsplib');

/** Proven optima: symmetric ones from the file `solutions`, asymmetric ones from the TSPLIB site. */
export const OPTIMA: readonly (readonly [file: string, optimum: number])[] = [
  ['burma14.tsp', 3323],
  ['ulysses16.tsp', 6859],
  ['gr17.tsp', 2085],
  ['bayg29.tsp', 1610],
  ['eil51.tsp', 426],
  ['berlin52.tsp', 7542],
  ['st70.tsp', 675],
  ['kroA100.tsp', 21282],
  ['ch150.tsp', 6528],
  ['a280.tsp', 2579],
  ['br17.atsp', 39],
  ['ftv33.atsp', 1286],
  ['ft53.atsp', 6905],
];

/** The matrix of an instance, with a diagonal of 0. */
export function readTsplib(file: string): number[][] {
  const text = readFileSync(dataPath(`reference/tsplib/${file}`), 'utf8');
  const keyword = (name: string): string => new RegExp(`^${name}\\s*:\\s*(\\S+)`, 'm').exec(text)?.[1] ?? '';
  const size = Number(keyword('DIMENSION'));
  const section = (name: string): number[] =>
    /^[^A-Z]*/
      .exec(text.slice(text.indexOf(name) + name.length))![0]
      .trim()
      .split(/\s+/)
      .map(Number);
  const matrix = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const set = (i: number, j: number, cost: number): void => {
    if (i !== j) matrix[i]![j] = cost;
  };
  if (keyword('EDGE_WEIGHT_TYPE') === 'EXPLICIT') {
    const weights = section('EDGE_WEIGHT_SECTION');
    let at = 0;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        const format = keyword('EDGE_WEIGHT_FORMAT');
        if (format === 'FULL_MATRIX') set(i, j, weights[at++]!);
        else if (format === 'UPPER_ROW' ? j > i : j <= i) {
          set(i, j, weights[at]!);
          set(j, i, weights[at++]!);
        }
      }
    }
    if (at !== weights.length) throw new Error(`${file}: ${at} of ${weights.length} weights read`);
    return matrix;
  }
  const numbers = section('NODE_COORD_SECTION');
  const places = Array.from({ length: size }, (_, i) => [numbers[3 * i + 1]!, numbers[3 * i + 2]!] as const);
  const distance = keyword('EDGE_WEIGHT_TYPE') === 'GEO' ? geographic : euclidean;
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) set(i, j, distance(places[i]!, places[j]!));
  return matrix;
}

type Place = readonly [number, number];

const euclidean = ([x1, y1]: Place, [x2, y2]: Place): number => Math.round(Math.hypot(x1 - x2, y1 - y2));

/** TSPLIB 95 §2.4: degrees and minutes on a sphere of radius 6378.388 km, with its own value of π. */
function geographic(a: Place, b: Place): number {
  const radians = (value: number): number => {
    const degrees = Math.trunc(value);
    // biome-ignore lint/suspicious/noApproximativeNumericConstant: the standard's own value
    return (3.141592 * (degrees + (5 * (value - degrees)) / 3)) / 180;
  };
  const q1 = Math.cos(radians(a[1]) - radians(b[1]));
  const q2 = Math.cos(radians(a[0]) - radians(b[0]));
  const q3 = Math.cos(radians(a[0]) + radians(b[0]));
  return Math.trunc(6378.388 * Math.acos(0.5 * ((1 + q1) * q2 - (1 - q1) * q3)) + 1);
}
