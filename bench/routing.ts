/** Times exact sequencing, compares the search with the proven optima of TSPLIB, and decodes polyline6 beside @mapbox/polyline. */

import polyline from '@mapbox/polyline';
import { decodePolyline } from '../src/routing/engineAnswer.js';
import { sequencePoints } from '../src/routing/index.js';
import { bruteForce } from '../test/routing/bruteForce.js';
import { HAS_TSPLIB, OPTIMA, readTsplib } from '../test/routing/tsplib.js';
import { seeded } from '../test/volume.js';
import { compare, table } from './harness.js';
import { cpuMs } from './zoneTime.js';

export function routingBench(quick: boolean): string {
  return [exactOrders(quick), tsplib(), decoding(quick)].join('\n');
}

function exactOrders(quick: boolean): string {
  const random = seeded(8);
  const matrixOf = (n: number): number[][] =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 0 : random())));
  const small = matrixOf(quick ? 7 : 8);
  if (sequencePoints(small).cost !== bruteForce(small, {}).cost)
    throw new Error('expected the cheapest order');
  const windows = Array.from({ length: 12 }, (): [number, number] => {
    const open = random() * 4;
    return [open, open + 6];
  });
  const rows = ([10, 12] as const).map((n) => {
    const matrix = matrixOf(n);
    return { name: `${n} points`, time: median(quick ? 5 : 41, () => sequencePoints(matrix)) };
  });
  const matrix = matrixOf(12);
  rows.push({
    name: '12 points within time windows',
    time: median(quick ? 3 : 11, () =>
      sequencePoints(matrix, { start: 0, windows: [null, ...windows.slice(1)] }),
    ),
  });
  const lines = rows.map(({ name, time }) => `| ${name} | ${time.toFixed(2)} |`);
  return ['### Routing: the best order, exactly', '', '| | ms |', '|---|---|', ...lines, ''].join('\n');
}

/** The search with its default number of moves and with a tenth of it. */
function tsplib(): string {
  const title = '### Routing: orders beyond 12 points, TSPLIB';
  if (!HAS_TSPLIB) return `${title}\n\nNot run: ../shared/data is absent.\n`;
  const lines = OPTIMA.map(([file, optimum]) => {
    const matrix = readTsplib(file);
    const cells = [1000, 10_000].map((maxMoves) => {
      let cost = 0;
      const time = cpuMs(() => {
        cost = sequencePoints(matrix, { roundTrip: true, maxMoves }).cost;
      });
      return `${((cost / optimum - 1) * 100).toFixed(2)} % | ${time.toFixed(0)}`;
    });
    return `| ${file} | ${optimum} | ${cells.join(' | ')} |`;
  });
  const head = [
    '| | proven optimum | above it, 1,000 moves | ms | above it, 10,000 moves (default) | ms |',
    '|---|---|---|---|---|---|',
  ];
  return [title, '', ...head, ...lines, ''].join('\n');
}

function decoding(quick: boolean): string {
  const count = 2000;
  const repeats = quick ? 20 : 500;
  const random = seeded(6);
  let [lat, lon] = [47, 9];
  // Steps of about 20 m, as on a real road.
  const line = Array.from({ length: count }, (): [number, number] => {
    lat += (random() - 0.5) * 0.0004;
    lon += (random() - 0.5) * 0.0004;
    return [lat, lon];
  });
  const text = polyline.encode(line, 6);
  const timings = compare(
    [
      {
        name: 'decodePolyline',
        run: () => again(repeats, () => decodePolyline(text, 6)!.at(-1)![0]),
      },
      {
        name: '@mapbox/polyline',
        run: () => again(repeats, () => polyline.decode(text, 6).at(-1)![1]),
      },
    ],
    count * repeats,
    9,
  );
  const [own] = timings;
  const rate = `${(1000 / own!.nsPerOperation).toFixed(0)} million positions a second`;
  return table(
    `Routing: decoding polyline6, a line of ${count.toLocaleString('en')} positions: ${rate}`,
    timings,
  );
}

function again(repeats: number, run: () => number): number {
  let sum = 0;
  for (let i = 0; i < repeats; i++) sum += run();
  return sum;
}

function median(rounds: number, run: () => unknown): number {
  run();
  const times = Array.from({ length: rounds }, () => cpuMs(run));
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
}
