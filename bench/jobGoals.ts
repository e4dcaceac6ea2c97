/** Goals of whole jobs, beside the figures of the same run. */

import type { Usage } from './job.js';

/** The jobs that a goal speaks of, by a short name. */
export type MeasuredJobs = ReadonlyMap<string, Usage>;

interface Goal {
  readonly what: string;
  readonly goal: string;
  /** What was measured, and whether that is enough. */
  readonly of: (jobs: Measured) => { readonly said: string; readonly isMet: boolean };
  /** Where the time goes, by the profile. */
  readonly why: string;
}

/** Seconds of the processor and megabytes by name; throws for a job that was not run. */
interface Measured {
  readonly seconds: (name: string) => number;
  readonly wall: (name: string) => number;
  readonly megabytes: (name: string) => number;
}

const GOALS: readonly Goal[] = [
  {
    what: '`locate` against the naive script, spread',
    goal: '0.5 times',
    of: atMost('locate', 'naive', 0.5),
    why: 'a third of it is reading the zones, a fifth the compiler and the collector of V8; the rest is CSV, answers and their text',
  },
  {
    what: '… clumped',
    goal: '0.5 times',
    of: atMost('locate clumped', 'naive clumped', 0.5),
    why: 'as above',
  },
  {
    what: '`locate --workers 2` against one thread, wall',
    goal: '1.4 times faster',
    of: ({ wall }) => {
      const ratio = wall('locate') / wall('locate 2');
      return { said: `${ratio.toFixed(2)} times`, isMet: ratio >= 1.4 };
    },
    why: 'one thread reads the zones, half of the job, and V8 compiles the code once for each thread (0.3 s); the processors are shared with other programs',
  },
  { what: '`visits`', goal: '4 s, 450 MB', of: within('visits', 4, 450), why: 'reading zones and fixes' },
  { what: '`movement`', goal: '1.5 s, 200 MB', of: within('movement', 1.5, 200), why: 'reading fixes' },
  {
    what: '`convert` GeoJSON to KML against `ogr2ogr`',
    goal: '0.25 times',
    of: atMost('convert', 'ogr2ogr', 0.25),
    why: 'numbers of 17 digits take a fifth, writing to the disk an eighth, an array for each position and its collection a fourth, the start of Node a tenth',
  },
  { what: '`fromKml`, 137 MB', goal: '5 s', of: within('kml', 5, Number.POSITIVE_INFINITY), why: 'saxes' },
  {
    what: '`readCsv` as columns, over the library alone',
    goal: '0.6 s',
    of: over('csv columns', 0.6),
    why: '',
  },
  { what: '… as fixes', goal: '1.5 s', of: over('csv fixes', 1.5), why: 'an object for each fix' },
  {
    what: '`fromGeoJson` against `JSON.parse`, both over the library alone',
    goal: '1.0 times',
    of: parsed('geojson', 1),
    why: 'the same arrays are made; beside them an object, its fields and an issue-free check for each zone',
  },
  {
    what: '… into columns',
    goal: '0.6 times',
    of: parsed('geojson flat', 0.6),
    why: 'numbers take a third; the objects and ids of zones, their table and their collection a third, the text of the file a tenth',
  },
  { what: 'Parquet as columns', goal: '2 s, 350 MB', of: within('parquet', 2, 350), why: 'hyparquet' },
];

/** The table of goals; a job that was not run has no row. */
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
  for (const { what, goal, of, why } of GOALS) {
    try {
      const { said, isMet } = of(measured);
      rows.push(`| ${what} | ${goal} | ${said} | ${isMet ? 'met' : `missed: ${why}`} |`);
    } catch (error) {
      if (!(error instanceof NotRun)) throw error;
    }
  }
  return ['### Goals', '', '| | goal | measured | |', '|---|---|---|---|', ...rows, ''].join('\n');
}

class NotRun extends Error {}

function atMost(job: string, peer: string, times: number): Goal['of'] {
  return ({ seconds }) => {
    const ratio = seconds(job) / seconds(peer);
    return { said: `${ratio.toFixed(2)} times`, isMet: ratio <= times };
  };
}

function within(job: string, mostSeconds: number, mostMegabytes: number): Goal['of'] {
  return ({ seconds, megabytes }) => ({
    said: `${seconds(job).toFixed(2)} s, ${megabytes(job).toFixed(0)} MB`,
    isMet: seconds(job) <= mostSeconds && megabytes(job) <= mostMegabytes,
  });
}

function over(job: string, mostSeconds: number): Goal['of'] {
  return ({ seconds }) => {
    const own = seconds(job) - seconds('nothing');
    return { said: `${own.toFixed(2)} s`, isMet: own <= mostSeconds };
  };
}

function parsed(job: string, times: number): Goal['of'] {
  return ({ seconds }) => {
    const ratio = (seconds(job) - seconds('nothing')) / (seconds('json') - seconds('nothing'));
    return { said: `${ratio.toFixed(2)} times`, isMet: ratio <= times };
  };
}
