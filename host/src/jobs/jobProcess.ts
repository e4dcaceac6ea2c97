/** A process for long work on files and whole companies. */

import { exportJob } from './exportJob.js';
import { groupsJob } from './groupsJob.js';
import { importJob } from './importJob.js';
import { indexJob, indexOnlyJob, openJob } from './indexJob.js';
import type { JobName, JobOptions, JobValue } from './jobTypes.js';
import type { Pipe } from './pipe.js';
import { serveJobs } from './serveJobs.js';

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

serveJobs(({ name, options }, pipe) => {
  const job = JOBS[name as JobName] as (own: Pipe, given: unknown) => Promise<unknown>;
  return job(pipe, options);
});
