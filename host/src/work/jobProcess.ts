/**
 * A process for long work on files and whole companies. A job loads the modules that it alone needs: loading all of them would take most of the
 * time of a process's start.
 */

import type { JobName, JobOptions, JobValue } from '../jobs/jobTypes.js';
import type { Pipe } from '../jobs/pipe.js';
import { serveJobs } from '../jobs/serveJobs.js';

type Job<Name extends JobName> = (pipe: Pipe, options: JobOptions[Name]) => Promise<JobValue[Name]>;

const JOBS: { readonly [Name in JobName]: () => Promise<Job<Name>> } = {
  import: async () => (await import('./importJob.js')).importJob,
  export: async () => (await import('./exportJob.js')).exportJob,
  index: async () => (await import('./listedZones.js')).indexJob,
  open: async () => (await import('./listedZones.js')).openJob,
  groups: async () => (await import('./groupsJob.js')).groupsJob,
};

serveJobs(async ({ name, options }, pipe) => {
  const job = (await JOBS[name as JobName]()) as (own: Pipe, given: unknown) => Promise<unknown>;
  return job(pipe, options);
});
