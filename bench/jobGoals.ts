/** Goals of whole jobs, compared with the figures of the same run. */

import type { Usage } from './job.js';

/** Measurements of jobs by short names. */
export type MeasuredJobs = ReadonlyMap<string, Usage>;

interface Goal {
  readonly what: string;
  readonly goal: string;
  /** The measured figure, and whether it meets the goal. */
  readonly judge: (jobs: Measured) => { readonly figure: string; readonly isMet: boolean };
  /** What takes most of the time in a profile. Shown if the goal is missed. */
  readonly why: string;
}

/** Processor seconds, wall seconds and megabytes of a job. Each throws NotRun for a job that was not run. */
interface Measured {
  readonly seconds: (name: string) => number;
  readonly wall: (name: string) => number;
  readonly megabytes: (name: string) => number;
}

const GOALS: readonly Goal[] = [
  {
    what: '`locate` against the naive script, spread',
    goal: '0.5 times',
    judge: ratioAtMost('locate', 'naive', 0.5),
    why: 'reading the zones, then compilation and garbage collection in V8, then CSV and the text of the answers',
  },
  {
    what: '… clumped',
    goal: '0.5 times',
    judge: ratioAtMost('locate clumped', 'naive clumped', 0.5),
    why: 'as above',
  },
  {
    what: '`visits`',
    goal: '4 s, 450 MB',
    judge: within('visits', 4, 450),
    why: 'reading zones and fixes, and the temporary file for more than 524,288 fixes',
  },
  {
    what: '`movement`',
    goal: '1.5 s, 200 MB',
    judge: within('movement', 1.5, 200),
    why: 'reading fixes, and the temporary file for more than 524,288 fixes',
  },
  {
    what: '`convert` GeoJSON to KML against `ogr2ogr`',
    goal: '0.25 times',
    judge: ratioAtMost('convert', 'ogr2ogr', 0.25),
    why: 'numbers of 17 digits, an array for each position and its garbage collection, writing to the disk, the start of Node',
  },
  { what: '`fromKml`, 137 MB', goal: '5 s', judge: within('kml', 5, Number.POSITIVE_INFINITY), why: 'saxes' },
  {
    what: '`readCsv` as columns, over the library alone',
    goal: '0.6 s',
    judge: aboveEmpty('csv columns', 0.6),
    why: '',
  },
  {
    what: '… as fixes',
    goal: '1.5 s',
    judge: aboveEmpty('csv fixes', 1.5),
    why: 'it creates an object for each fix',
  },
  {
    what: '`fromGeoJson` against `JSON.parse`, both over the library alone',
    goal: '1.0 times',
    judge: ratioToParse('geojson', 1),
    why: 'it creates the same arrays, and then an object, its fields and the checks of each zone',
  },
  {
    what: '… into columns',
    goal: '0.6 times',
    judge: ratioToParse('geojson flat', 0.6),
    why: 'parsing numbers, then the objects and ids of zones and their garbage collection, then decoding the text of the file',
  },
  { what: 'Parquet as columns', goal: '2 s, 350 MB', judge: within('parquet', 2, 350), why: 'hyparquet' },
];

/** The table of goals. Goals of jobs that were not run are left out. */
export function goalsTable(jobs: MeasuredJobs): string {
  const usage = (name: string): Usage => {
    const found = jobs.get(name);
    if (found === undefined) throw new NotRun();
    return found;
  };
  const measured: Measured = {
    seconds: (name) => usage(name).cpuSeconds,
    wall: (name) => usage(name).wallSeconds,
    megabytes: (name) => usage(name).megabytes,
  };
  const rows: string[] = [];
  for (const { what, goal, judge, why } of GOALS) {
    try {
      const { figure, isMet } = judge(measured);
      rows.push(`| ${what} | ${goal} | ${figure} | ${isMet ? 'met' : `missed: ${why}`} |`);
    } catch (error) {
      if (!(error instanceof NotRun)) throw error;
    }
  }
  return ['### Goals', '', '| | goal | measured | |', '|---|---|---|---|', ...rows, ''].join('\n');
}

class NotRun extends Error {}

function ratioAtMost(job: string, peer: string, times: number): Goal['judge'] {
  return ({ seconds }) => {
    const ratio = seconds(job) / seconds(peer);
    return { figure: `${ratio.toFixed(2)} times`, isMet: ratio <= times };
  };
}

function within(job: string, mostSeconds: number, mostMegabytes: number): Goal['judge'] {
  return ({ seconds, megabytes }) => ({
    figure: `${seconds(job).toFixed(2)} s, ${megabytes(job).toFixed(0)} MB`,
    isMet: seconds(job) <= mostSeconds && megabytes(job) <= mostMegabytes,
  });
}

/** Processor seconds without those of a process that only loads the library. */
function aboveEmpty(job: string, mostSeconds: number): Goal['judge'] {
  return ({ seconds }) => {
    const own = seconds(job) - seconds('nothing');
    return { figure: `${own.toFixed(2)} s`, isMet: own <= mostSeconds };
  };
}

/** Ratio to `JSON.parse`, both without the seconds of a process that only loads the library. */
function ratioToParse(job: string, times: number): Goal['judge'] {
  return ({ seconds }) => {
    const ratio = (seconds(job) - seconds('nothing')) / (seconds('json') - seconds('nothing'));
    return { figure: `${ratio.toFixed(2)} times`, isMet: ratio <= times };
  };
}
