/** Runs one job in a process of its own, from files to files, and measures it with GNU time. */

import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Usage {
  /** Processor time, user and system, of all threads. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Peak resident memory. */
  readonly megabytes: number;
  readonly outputBytes: number;
}

/** Number of processors that a job may use; it gets the first ones. */
export type Cores = 1 | 2;

/** Runs the command with its standard output in the file `out`. Throws its error output if it fails. */
export function runJob(folder: string, command: readonly string[], out: string, cores: Cores = 1): Usage {
  const usage = join(folder, 'usage.txt');
  const output = openSync(out, 'w');
  const pinned = ['taskset', '-c', cores === 1 ? '0' : '0,1'];
  const timed = ['/usr/bin/time', '-q', '-f', '%U %S %e %M', '-o', usage, ...pinned, ...command];
  const { status, stderr, error } = spawnSync(timed[0]!, timed.slice(1), {
    stdio: ['ignore', output, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(output);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  const [user = 0, system = 0, wall = 0, kilobytes = 0] = readFileSync(usage, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  return {
    cpuSeconds: user + system,
    wallSeconds: wall,
    megabytes: kilobytes / 1024,
    outputBytes: statSync(out).size,
  };
}
