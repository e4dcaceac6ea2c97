/**
 * `npm run fuzz -- [--seconds 60] [--target kml]… [--seed 1]`: fuzzes the targets, each for an equal share of the time. Writes findings to
 * out/fuzz/. To keep one as a test, move it to test/fuzz/cases/. Exits with 1 if it found something.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { WorkerFinding, WorkerInput, WorkerResult } from './fuzzWorker.js';
import { MAX_BYTES } from './mutate.js';
import { TARGETS, targetOf } from './targets.js';

/** An input that takes longer counts as hanging. */
const HANG_SECONDS = 20;
const OUT = resolve(import.meta.dirname, '../../out/fuzz');

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    target: { type: 'string', multiple: true, default: TARGETS.map(({ name }) => name) },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
const names = values.target.map((name) => targetOf(name).name);

function inWorker(target: string, share: number): Promise<WorkerResult> {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const input = new Uint8Array(new SharedArrayBuffer(MAX_BYTES));
  const workerData: WorkerInput = { target, seed, seconds: share, state, input };
  return new Promise((done) => {
    const worker = new Worker(new URL('fuzzThread.mjs', import.meta.url), { workerData });
    let last = -1;
    let since = Date.now();
    const end = (result: WorkerResult): void => {
      clearInterval(watch);
      void worker.terminate();
      done(result);
    };
    const lost = (message: string): void => {
      const inHand = new Uint8Array(input.slice(0, Atomics.load(state, 0)));
      end({ runs: Atomics.load(state, 1), blocks: 0, corpus: 0, findings: [{ message, input: inHand }] });
    };
    const watch = setInterval(() => {
      const runs = Atomics.load(state, 1);
      if (runs !== last) [last, since] = [runs, Date.now()];
      else if (runs > 0 && Date.now() - since > HANG_SECONDS * 1000) lost(`no end within ${HANG_SECONDS} s`);
    }, 1000);
    worker.on('message', end);
    worker.on('error', (error) => lost(`the thread ends with ${error.stack ?? String(error)}`));
  });
}

function write(target: string, { message, input }: WorkerFinding, number: number): void {
  mkdirSync(OUT, { recursive: true });
  const path = `${OUT}/${target}-${seed}-${number}`;
  writeFileSync(path, input);
  console.log(`  ${path}\n    ${message.split('\n').slice(0, 8).join('\n    ').slice(0, 1200)}`);
}

console.log(`seed ${seed}\n${'target'.padEnd(20)}    runs  runs/s  blocks  corpus  findings`);
let found = 0;
for (const name of names) {
  const start = performance.now();
  const { runs, blocks, corpus, findings } = await inWorker(name, seconds / names.length);
  const speed = Math.round((1000 * runs) / (performance.now() - start));
  const cells = [runs, speed, blocks, corpus, findings.length].map((cell) => String(cell).padStart(8));
  console.log(name.padEnd(20) + cells.join(''));
  for (const [i, finding] of findings.entries()) write(name, finding, i);
  found += findings.length;
}
if (found > 0) process.exitCode = 1;
