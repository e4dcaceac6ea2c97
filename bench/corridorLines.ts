/**
 * `node --import ./bench/onDist.mjs bench/corridorLines.ts FROM TO [STEP]`, after a build: checks the random lines of `npm run test:long` with
 * these seeds, so that several processes can share them. Prints each fault and the slowest lines in seconds of processor time.
 */

import { argv } from 'node:process';
import { corridor } from '../src/index.js';
import { seeded } from '../test/volume.js';
import { attack } from '../test/zones/attacks.js';
import { faultsOfLine } from '../test/zones/faultsOfLine.js';

const [from = 0, to = 0, step = 1] = argv.slice(2).map(Number);
const slowest: { readonly seed: number; readonly seconds: number }[] = [];
let lines = 0;
let faulty = 0;
const report = (): void => {
  const worst = slowest.slice(0, 5).map(({ seed, seconds }) => `${seconds.toFixed(3)} s (seed ${seed})`);
  process.stdout.write(`${lines} lines, ${faulty} with faults; slowest ${worst.join(', ')}\n`);
};
for (let seed = from; seed < to; seed += step) {
  const { line, width } = attack(seed, seeded(seed));
  const start = process.cpuUsage();
  try {
    corridor(line, width);
    const { user, system } = process.cpuUsage(start);
    slowest.push({ seed, seconds: (user + system) / 1e6 });
    slowest.sort((p, q) => q.seconds - p.seconds);
    slowest.length = Math.min(5, slowest.length);
    const faults = faultsOfLine(line, width, seeded(seed));
    if (faults.length > 0) throw new Error(faults.join('; '));
  } catch (error) {
    faulty++;
    process.stdout.write(`seed ${seed}: ${String(error)}\n`);
  }
  if (++lines % 5000 === 0) report();
}
report();
