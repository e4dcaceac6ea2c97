/** The zone index on the workloads of bench/zoneWorkloads.ts, beside its peers. The first table compares the targets; the others give details. */

import { edits, threads } from './zoneEdits.js';
import { type Figures, lookups } from './zoneLookups.js';
import { cities, counties, crowded, type Workload } from './zoneWorkloads.js';

/** A row of targets: the quantity, its bound and the measured value. */
interface Row {
  readonly what: string;
  readonly target: string;
  readonly isMet: boolean | null;
  readonly figure: string;
}

/** A target for `peer` / `ours`, which must be at least `target`. */
function times(what: string, target: number, peer: number | undefined, ours: number | undefined): Row {
  if (peer === undefined || ours === undefined) return missing(what, `${target} times`);
  const ratio = peer / ours;
  return {
    what,
    target: `at least ${target} times`,
    isMet: ratio >= target,
    figure: `${ratio.toFixed(1)} times (${ours.toFixed(0)} against ${peer.toFixed(0)} ns)`,
  };
}

/** A target for `ours` / `peer`, which must be at most `target`. */
function within(
  what: string,
  target: number,
  ours: number | undefined,
  peer: number | undefined,
  unit: string,
): Row {
  if (peer === undefined || ours === undefined) return missing(what, `at most ${target}`);
  const ratio = ours / peer;
  return {
    what,
    target: `at most ${target} times`,
    isMet: ratio <= target,
    figure: `${ratio.toFixed(2)} times (${ours.toFixed(0)} against ${peer.toFixed(0)} ${unit})`,
  };
}

function missing(what: string, target: string): Row {
  return { what, target, isMet: null, figure: 'not run' };
}

export async function zoneIndexBench(quick: boolean): Promise<string> {
  const size = quick ? 1000 : 100_000;
  const sets: [workload: Workload | null, positions: number][] = quick
    ? [
        [cities(1000), 50_000],
        [crowded(500), 20_000],
      ]
    : [
        [cities(1000), 500_000],
        [cities(10_000), 500_000],
        [cities(100_000), 1_000_000],
        [counties(), 500_000],
        [crowded(10_000), 200_000],
        [cities(1_000_000), 500_000],
      ];
  const all = new Map<string, Figures>();
  const tables: string[] = [];
  for (const [workload, positions] of sets) {
    if (workload === null) {
      tables.push('B was not run: us-atlas is not installed.\n');
      continue;
    }
    const [figures, text] = lookups(workload, positions, quick ? 'A1k' : 'A100k');
    all.set(workload.name, figures);
    process.stderr.write(`${text}\n`);
    tables.push(text);
  }
  const moved = edits(cities(size), quick ? 1000 : 20_000);
  const threaded = await threads(cities(size), quick ? 100_000 : 10_000_000);
  const a = all.get(quick ? 'A1k' : 'A100k');
  const [b, c, million, thousand] = ['B', 'C', 'A1M', 'A1k'].map((name) => all.get(name));
  const rows: Row[] = [
    times('A100k random, against flatbush + point-in-polygon-hao', 12, a?.hao?.random, a?.ours.random),
    times('A100k random, against GEOS', 7, a?.geos?.random, a?.ours.random),
    times('A100k tracks, against GEOS', 7, a?.geos?.track, a?.ours.track),
    times('B random, against GEOS', 8, b?.geos?.random, b?.ours.random),
    times('C random, against GEOS', 30, c?.geos?.random, c?.ours.random),
    times('A1M random, against GEOS', 20, million?.geos?.random, million?.ours.random),
    within(
      'zones to the first 1,000 answers, A100k, against flatbush with boxes',
      3,
      a?.firstMs,
      a?.flatbushMs,
      'ms',
    ),
    within('full build, A100k, against GEOS', 2, a?.buildMs, a?.geos?.buildMs, 'ms'),
    within('full build, A1M, against GEOS', 1.6, million?.buildMs, million?.geos?.buildMs, 'ms'),
    within('memory, A100k, all cells, against GEOS', 0.5, mega(a?.bytes), mega(a?.geos?.bytes), 'MB'),
    within(
      'memory, A100k, `maxMemoryBytes` of 32 MB, against GEOS',
      0.35,
      mega(a?.compactBytes),
      mega(a?.geos?.bytes),
      'MB',
    ),
    {
      what: 'zones moved at 100k, against rbush alone',
      target: 'as many a second',
      isMet: moved.ours <= moved.rbush,
      figure: `${(moved.rbush / moved.ours).toFixed(2)} times (${moved.ours.toFixed(0)} against ${moved.rbush.toFixed(0)} ns)`,
    },
    within('growth of the random lookup, 1k to 1M', 12, million?.ours.random, thousand?.ours.random, 'ns'),
    {
      what: '2 threads, against 1',
      target: 'at least 1.6 times',
      isMet: threaded.one / threaded.two >= 1.6,
      figure: `${(threaded.one / threaded.two).toFixed(2)} times (${threaded.one.toFixed(0)} against ${threaded.two.toFixed(0)} ms)`,
    },
  ];
  return [
    `### Targets${quick ? ', with small sets in place of A100k: no figures to quote' : ''}`,
    '',
    '| | target | measured | |',
    '|---|---|---|---|',
    ...rows.map(
      ({ what, target, isMet, figure }) =>
        `| ${what} | ${target} | ${figure} | ${isMet === null ? '' : isMet ? 'met' : 'missed'} |`,
    ),
    '',
    'Processor time; the least of several passes, of ours before and after each peer. All hits are collected, in order. The packages and GEOS get',
    'circles as 64-gons and corridors as flat strips, so their work is less than ours and their hits differ at borders; our answers are asserted to',
    'be those of the exact tests zone by zone, and on polygons those of flatbush + point-in-polygon-hao. Threads: wall time.',
    '',
    ...tables,
  ].join('\n');
}

function mega(bytes: number | undefined): number | undefined {
  return bytes === undefined ? undefined : bytes / 1e6;
}
