/** Times from zones in memory to the n-th answer, each way in a cold process of its own, and the gain of each mechanism. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Cold, type Kinds, STEPS, type Ways } from './coldAsk.js';

const WAYS: Readonly<Record<Ways, string>> = {
  atMany: '`atMany`',
  at: '`at`',
  lists: '`atMany`, `maxMemoryBytes: 0` (lists alone)',
  all: '`atMany` after `learnAll` (all cells)',
  hao: 'flatbush + point-in-polygon-hao',
  haoMoving: 'rbush + point-in-polygon-hao',
  turf: 'rbush + Turf',
  geos: 'GEOS C++, a zone prepared when first asked',
};

interface World {
  readonly kind: Kinds;
  readonly title: string;
  readonly zones: number;
  readonly positions: number;
  readonly ways: readonly Ways[];
}

const PEERS: readonly Ways[] = ['atMany', 'lists', 'all', 'hao', 'geos'];
const EVERY: readonly Ways[] = ['atMany', 'at', 'lists', 'all', 'hao', 'turf', 'geos'];

/** WAYZONE_LONG=1 adds 10 M positions, 1 M zones and the slow ways, and takes half an hour. */
const LONG: boolean = process.env['WAYZONE_LONG'] === '1';
const MOST = LONG ? 1e7 : 1e6;

const WORLDS: readonly World[] = [
  world('random', '100,000 polygons, random positions', 1e5, MOST, LONG ? EVERY : PEERS),
  world('tracks', '100,000 polygons, 1,000 vehicles in turns', 1e5, MOST, LONG ? EVERY : PEERS),
  world('deep', '10,000 polygons, 29 of them at each position', 1e4, 1e5, PEERS),
  world('counties', 'counties and states of us-atlas (3,815 polygons), random positions', 1, 1e6, PEERS),
  world('stack', '1,000 circles over one another', 1000, 1e5, ['atMany', 'lists', 'all']),
  world('city', '100,000 polygons, all positions in one city', 1e5, 3e5, ['atMany', 'lists', 'hao', 'geos']),
  world('place', '100,000 polygons, one position again and again', 1e5, 3e5, ['atMany', 'hao']),
  world('wide', '100,000 polygons, one in 1,000 as large as a country', 1e5, 3e5, ['atMany', 'lists', 'hao']),
  world('borders', '10,000 polygons, positions on vertices and on their meridians', 1e4, 3e5, [
    'atMany',
    'all',
    'hao',
    'geos',
  ]),
  world('moves', '100,000 polygons, 100 of them moved before each 10,000 positions', 1e5, 3e5, [
    'atMany',
    'haoMoving',
  ]),
  ...(LONG
    ? [world('random', '1,000,000 polygons, random positions', 1e6, 1e6, ['atMany', 'all', 'hao', 'geos'])]
    : []),
];

function world(kind: Kinds, title: string, zones: number, positions: number, ways: readonly Ways[]): World {
  return { kind, title, zones, positions, ways };
}

type Answers = Map<string, Cold>;

export function coldStartBench(quick: boolean): string {
  const answers: Answers = new Map();
  const tables = WORLDS.map((item) => {
    const asked = quick
      ? { ...item, zones: Math.min(item.zones, 1e3), positions: Math.min(item.positions, 1e4) }
      : item;
    const table = tableOf(asked, answers);
    process.stderr.write(`${table}\n\n`);
    return table;
  });
  return [...tables, ablation(answers)].join('\n\n');
}

function tableOf({ kind, title, zones, positions, ways }: World, answers: Answers): string {
  const script = fileURLToPath(new URL('coldAsk.ts', import.meta.url));
  const names = STEPS.filter((step) => step <= positions).map((step) =>
    step >= 1e6 ? `${step / 1e6} M` : step.toLocaleString('en'),
  );
  const lines = [
    `### ${title}: ms of processor time from nothing to the n-th answer`,
    '',
    `| n | ${names.join(' | ')} | then, ns each | build: peak over what stays |`,
    `|---|${names.map(() => '---|').join('')}---|---|`,
  ];
  const hits = new Set<number>();
  const curves = new Map<Ways, readonly number[]>();
  for (const way of ways) {
    const args = [
      '--max-old-space-size=12000',
      ...process.execArgv,
      script,
      way,
      kind,
      `${zones}`,
      `${positions}`,
    ];
    const answer = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Cold;
    // Without a compiler or the library the GEOS rows are missing.
    if (answer.curve.length === 0) continue;
    hits.add(answer.hits);
    curves.set(way, answer.curve);
    if (zones <= 1e5) answers.set(`${kind} ${way}`, answer);
    const rest = way === 'geos' ? ['', ''] : [`${answer.warmNs}`, `${answer.peak ?? ''}`];
    lines.push(`| ${WAYS[way]} | ${[...answer.curve, ...rest].join(' | ')} |`);
  }
  if (hits.size !== 1) throw new Error(`${title}: expected equal hits, received ${[...hits].join(', ')}`);
  const own = curves.get('atMany');
  for (const peer of ['hao', 'haoMoving', 'geos'] as const) {
    const theirs = curves.get(peer);
    if (own === undefined || theirs === undefined) continue;
    const ratios = theirs.map((ms, i) => (own[i]! / ms).toFixed(2));
    lines.push(`| \`atMany\`, times ${WAYS[peer]} | ${ratios.join(' | ')} | | |`);
  }
  return lines.join('\n');
}

/** The gain of each mechanism when warm, and its lines of code. */
function ablation(answers: Answers): string {
  const factor = (slow: string, fast: string): string => {
    const [p, q] = [answers.get(slow), answers.get(fast)];
    return p === undefined || q === undefined ? '' : (p.warmNs / q.warmNs).toFixed(2);
  };
  const rows: readonly (readonly [name: string, files: readonly string[], ...factors: string[]])[] = [
    [
      'lists of boxes, against flatbush + hao',
      ['grid/boxGrid', 'grid/boxLayers'],
      factor('random hao', 'random lists'),
      factor('tracks hao', 'tracks lists'),
      factor('deep hao', 'deep lists'),
      '',
    ],
    [
      'all cells, against lists alone',
      [
        'raster/cellFrame',
        'raster/cellMaker',
        'raster/cellSideOf',
        'raster/coverageRaster',
        'raster/edgeSquares',
      ],
      factor('random lists', 'random all'),
      factor('tracks lists', 'tracks all'),
      factor('deep lists', 'deep all'),
      factor('stack lists', 'stack all'),
    ],
    [
      'cells made where queries are expensive, against lists alone',
      [],
      factor('random lists', 'random atMany'),
      factor('tracks lists', 'tracks atMany'),
      factor('deep lists', 'deep atMany'),
      factor('stack lists', 'stack atMany'),
    ],
    [
      'blocks of positions and no texts (`atMany`), against `at`',
      ['positions/positionBlock'],
      factor('random at', 'random atMany'),
      factor('tracks at', 'tracks atMany'),
      '',
      '',
    ],
  ];
  return [
    '### What each mechanism brings, warm: times faster',
    '',
    '| | lines | random | tracks | 29 deep | stack |',
    '|---|---|---|---|---|---|',
    ...rows
      .filter(([, , ...factors]) => factors.some((text) => text !== ''))
      .map(
        ([name, files, ...factors]) =>
          `| ${name} | ${files.length === 0 ? '' : linesOf(files)} | ${factors.join(' | ')} |`,
      ),
  ].join('\n');
}

/** Number of lines that are neither blank nor comments. */
function linesOf(files: readonly string[]): number {
  return files
    .flatMap((name) =>
      readFileSync(new URL(`../src/zones/index/${name}.ts`, import.meta.url), 'utf8').split('\n'),
    )
    .filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length;
}
