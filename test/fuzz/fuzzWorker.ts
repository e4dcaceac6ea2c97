/**
 * Fuzzes one target in a thread. An input that runs a new block is kept and mutated further.
 *
 * Coverage is read once per batch, since reading costs more than most runs. If a batch reached new blocks, its inputs run again one by one.
 * The current input is in shared memory, so that the main thread can save it if this thread hangs.
 */

import { parentPort, workerData } from 'node:worker_threads';
import { seeded } from '../volume.js';
import { attempt } from './attempt.js';
import { BlockCoverage } from './coverage.js';
import { type Below, MAX_BYTES, mutate } from './mutate.js';
import { targetOf } from './targets.js';

export interface WorkerInput {
  readonly target: string;
  readonly seed: number;
  readonly seconds: number;
  /** Length of the current input, and number of runs. */
  readonly state: Int32Array;
  readonly input: Uint8Array;
}

export interface WorkerFinding {
  readonly message: string;
  readonly input: Uint8Array;
}

export interface WorkerResult {
  readonly runs: number;
  readonly blocks: number;
  readonly corpus: number;
  readonly findings: readonly WorkerFinding[];
}

const BATCH = 8;
const MAX_FINDINGS = 20;

async function fuzz({ target: name, seed, seconds, state, input: hand }: WorkerInput): Promise<WorkerResult> {
  const target = targetOf(name);
  const random = seeded(seed);
  const below: Below = (count) => Math.floor(random() * count);
  const coverage = new BlockCoverage();
  const reached = new Set<number>();
  const reachedByBatch = new Set<number>();
  const corpus: Uint8Array[] = [];
  const findings = new Map<string, WorkerFinding>();
  let runs = 0;

  const run = async (input: Uint8Array): Promise<void> => {
    hand.set(input.subarray(0, MAX_BYTES));
    Atomics.store(state, 0, input.length);
    Atomics.store(state, 1, ++runs);
    const message = await attempt(target, input, true);
    if (message === null) return;
    // Keep one finding of each kind. Digits and quoted texts differ between inputs.
    const kind = message.replace(/\d+|"[^"]*"/g, '').slice(0, 120);
    if (!findings.has(kind)) findings.set(kind, { message, input: input.slice() });
  };
  const add = (into: Set<number>, features: readonly number[]): boolean => {
    const before = into.size;
    for (const feature of features) into.add(feature);
    return into.size > before;
  };
  const keepNew = async (inputs: readonly Uint8Array[]): Promise<void> => {
    for (const input of inputs) {
      await run(input);
      if (add(reached, coverage.take())) corpus.push(input);
    }
  };

  await keepNew(target.seeds());
  if (corpus.length === 0) corpus.push(new Uint8Array());
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end && findings.size < MAX_FINDINGS) {
    const batch: Uint8Array[] = [];
    for (let i = 0; i < BATCH; i++) {
      // Half of the parents are among the newest inputs, which reach furthest.
      const from = below(2) === 0 ? Math.max(0, corpus.length - 16) : 0;
      const parent = corpus[from + below(corpus.length - from)]!;
      const input = mutate(parent, corpus[below(corpus.length)]!, target.format, below);
      batch.push(input);
      await run(input);
    }
    if (add(reachedByBatch, coverage.take())) await keepNew(batch);
  }
  return { runs, blocks: coverage.blocks, corpus: corpus.length, findings: [...findings.values()] };
}

parentPort?.postMessage(await fuzz(workerData as WorkerInput));
