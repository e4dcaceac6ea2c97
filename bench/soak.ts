/**
 * `npm run soak`: 20 million fixes of 20,000 units with hostile ids through a VisitTracker, as many through a MovementTracker, and 2 million
 * of 2,000 units each through a TripTracker of its own. Ends with exit code 1 when memory after a collection grows by more than 2 % from
 * the end of the warm-up.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { growth, type SoakTracker, soak } from '../test/tracks/soakRun.js';

const UNITS: Readonly<Record<SoakTracker, number>> = { visits: 20_000, movement: 20_000, trips: 2000 };
const LAPS = 25;
const MOST_GROWTH = 0.02;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use on the heap and outside it, after a collection. */
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
