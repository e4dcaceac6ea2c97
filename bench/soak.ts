/**
 * `npm run soak`: pushes 20 million fixes of 20,000 units with hostile ids through a VisitTracker, as many through a MovementTracker, and
 * 2 million fixes of 2,000 units through one TripTracker each. Exits with 1 if memory after a garbage collection grows by more than 2 %
 * after the warm-up.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growth, type SoakTracker, soak } from '../test/tracks/soakRun.js';

const UNITS: Readonly<Record<SoakTracker, number>> = { visits: 20_000, movement: 20_000, trips: 2000 };
const LAPS = 25;
const MOST_GROWTH = 0.02;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use on and off the heap, after a garbage collection. */
function memory(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

for (const kind of ['visits', 'movement', 'trips'] as const) {
  const start = performance.now();
  console.log(`${kind}: million fixes, MB`);
  const { points, events } = soak(kind, UNITS[kind], LAPS, 4, 7, memory, ({ fixes, size }) =>
    console.log([fixes, size].map((n) => (n / 1e6).toFixed(2).padStart(8)).join('')),
  );
  const grown = growth(points);
  const seconds = (performance.now() - start) / 1000;
  console.log(`${events} events, ${seconds.toFixed(0)} s, growth ${(100 * grown).toFixed(2)} %\n`);
  if (grown > MOST_GROWTH) process.exitCode = 1;
}
