/** A thread for long work: runs several jobs concurrently, each over its own port. */

import { type MessagePort, parentPort } from 'node:worker_threads';
import { exportJob } from './exportJob.js';
import { groupsJob } from './groupsJob.js';
import { importJob } from './importJob.js';
import { indexJob, indexOnlyJob, openJob } from './indexJob.js';
import type { JobName, JobOptions, JobValue } from './jobTypes.js';
import { lowerPriority } from './lowerPriority.js';
import { type Pipe, pipeOverPort } from './pipe.js';

lowerPriority();

type JobTable = {
  readonly [Name in JobName]: (pipe: Pipe, options: JobOptions[Name]) => Promise<JobValue[Name]>;
};

const JOBS: JobTable = {
  import: importJob,
  export: exportJob,
  index: indexJob,
  indexOnly: indexOnlyJob,
  open: openJob,
  groups: groupsJob,
};

interface Order<Name extends JobName = JobName> {
  readonly name: Name;
  readonly options: JobOptions[Name];
  readonly port: MessagePort;
}

parentPort!.on('message', ({ name, options, port }: Order) => {
  const pipe = pipeOverPort(port);
  const job = JOBS[name] as (pipe: Pipe, given: unknown) => Promise<unknown>;
  job(pipe, options).then(
    (value) => pipe.end(value),
    (error: unknown) => pipe.fail(error),
  );
});
