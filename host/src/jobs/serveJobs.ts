/** The other side of `jobProcesses.ts`: a process that does one job after another. */

import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { WayzoneError } from 'wayzone';
import type { FromJob, Order, ToJob } from './jobProcesses.js';
import { type Pipe, type PipeMessage, pipeOver } from './pipe.js';

/** As `nice`: 0 is the host's priority, 19 the lowest. */
const PRIORITY = 10;

/** Of 1,000: which processes the kernel ends first when the machine has no memory left. The host's is 0. */
const OOM_SCORE = '500';
/** Ends the process with its parent: a computation may leave the event loop no turn in which it would hear of that. */
const WATCH = `setInterval((parent) => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 1000, require('node:worker_threads').workerData)`;

export function serveJobs(jobOf: (order: Order, pipe: Pipe) => Promise<unknown>): void {
  const send = (message: FromJob): void => void process.send?.(message, undefined, {}, () => {});
  let current = 0;
  let receive: (message: PipeMessage) => void = () => {};

  process.on('message', (sent: ToJob) => {
    const { job } = sent;
    if ('order' in sent) {
      current = job;
      const pipe = pipeOver({
        onMessage(listener) {
          receive = listener;
        },
        // The process ends with the host.
        onClose: () => {},
        post: (message) => send({ job, message }),
        close: () => {},
      });
      jobOf(sent.order, pipe).then(
        (value) => pipe.end(value),
        (error: unknown) => pipe.fail(isTooLong(error) ? tooLong(error) : error),
      );
    } else if (job === current) receive(sent.message);
  });
  process.on('disconnect', () => process.exit());
  // A terminal and systemd send these to all processes of the host, which finishes its requests first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  new Worker(WATCH, { eval: true, workerData: process.ppid, execArgv: [] }).unref();
  try {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE);
  } catch {
    // Another system.
  }
  lowerPriority();
  send('ready');
}

/** Whether a value became longer than V8 allows. */
function isTooLong(error: unknown): error is RangeError {
  return (
    error instanceof RangeError &&
    /^(Invalid string length|Array buffer allocation failed|(Map|Set) maximum size exceeded)/.test(
      error.message,
    )
  );
}

function tooLong({ message }: RangeError): WayzoneError {
  const text = `expected less memory for one value, received ${message}`;
  return new WayzoneError('limit-memory', '', text, { status: 422, wireCode: 422 });
}

/** Only Linux has priorities of threads. Elsewhere, and where the system forbids it, nothing changes. */
function lowerPriority(): void {
  try {
    // Threads that collect garbage too: they would take the processors from the computations of others.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), PRIORITY);
  } catch {
    // The work is then done with the priority of the host.
  }
}
