/** From zones in memory to the n-th answer: each way in a process of its own, so that nothing is warm. */

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Kinds, STEPS, type Ways } from './coldAsk.js';

const WAYS: Readonly<Record<Ways, string>> = {
  atMany: '`atMany`',
  at: '`at`',
  lists: '`atMany`, `maxMemoryBytes: 0` (lists alone)',
  all: '`atMany` after `learnAll`',
  hao: 'flatbush + point-in-polygon-hao',
  turf: 'rbush + Turf',
};

const KINDS: readonly (readonly [kind: Kinds, title: string, zones: number, ways: readonly Ways[]])[] = [
  ['random', '100,000 polygons, random positions', 100_000, ['atMany', 'at', 'lists', 'all', 'hao', 'turf']],
  [
    'tracks',
    '100,000 polygons, 1,000 vehicles in turns',
    100_000,
    ['atMany', 'at', 'lists', 'all', 'hao', 'turf'],
  ],
  ['city', '100,000 polygons, all positions in one city', 100_000, ['atMany', 'lists', 'hao']],
  ['place', '100,000 polygons, one position again and again', 100_000, ['atMany', 'lists', 'hao']],
  ['stack', '1,000 circles over one another', 1000, ['atMany', 'lists', 'all']],
];

export function coldStartBench(quick: boolean): string {
  const script = fileURLToPath(new URL('coldAsk.ts', import.meta.url));
  const lines: string[] = [];
  for (const [kind, title, zones, ways] of KINDS) {
    const count = quick ? Math.min(zones, 10_000) : zones;
    const positions = kind === 'stack' || quick ? 1e5 : 1e6;
    const steps = STEPS.filter((step) => step <= positions);
    const names = steps.map((step) => (step >= 1e6 ? `${step / 1e6} M` : step.toLocaleString('en')));
    lines.push(
      `### ${title}: ms from nothing to the n-th answer`,
      '',
      `| n | ${names.join(' | ')} | then, ns each |`,
      `|---|${steps.map(() => '---|').join('')}---|`,
    );
    const hits = new Set<number>();
    for (const way of ways) {
      const args = [...process.execArgv, script, way, kind, `${count}`, `${positions}`];
      const answer = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as {
        readonly curve: readonly number[];
        readonly hits: number;
        readonly warmNs: number;
      };
      hits.add(answer.hits);
      lines.push(`| ${WAYS[way]} | ${answer.curve.join(' | ')} | ${answer.warmNs} |`);
    }
    if (hits.size !== 1) throw new Error(`${title}: expected equal hits, received ${[...hits].join(', ')}`);
    lines.push('');
  }
  return lines.join('\n');
}
