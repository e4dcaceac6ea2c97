/** A worker of `replay`: collects the fixes of its jobs and computes each complete one. */

import { parentPort, workerData } from 'node:worker_threads';
import { FixColumns } from '../tracks/fixColumns.js';
import { openReplay, type ReplayAnswer, type ReplayMessage, type ReplayTask } from './openReplay.js';

const work = openReplay(workerData as ReplayTask);
const jobs = new Map<number, FixColumns>();

function take(message: ReplayMessage): void {
  const { kind, job } = message;
  const columns = jobs.get(job) ?? new FixColumns();
  const answer = (result: ReplayAnswer['result']): void => parentPort!.postMessage({ job, result });
  if (kind === 'fixes') {
    columns.append(message.columns);
    jobs.set(job, columns);
    answer(null);
    return;
  }
  jobs.delete(job);
  if (kind === 'finish') answer(work(columns, message.order));
}

parentPort!.on('message', take);
