/**
 * `npm run bench -- guard [COMMIT [EARLIER]]`: compares twelve kernels of a commit (default `HEAD`) with an earlier one (default its parent), in two
 * minutes. Both are built into out/guard; their processes alternate, on one core where `taskset` is installed. A ratio above 1 is slower. The ratios
 * of a machine at work vary by some 10 %; the marked ones deserve a second run. Nothing is written to bench/RESULTS.md.
 */

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KERNELS = fileURLToPath(new URL('guardKernels.mjs', import.meta.url));
const ROUNDS = 3;
/** Ratios above this are marked. */
const SLOWER = 1.1;

interface Figure {
  readonly ms: number;
  readonly hash: string;
}

export function guard(commit: string = 'HEAD', earlier: string = `${commit}~1`): string {
  const folders = [built(earlier, 'before'), built(commit, 'after')] as const;
  const names = JSON.parse(ask([])) as string[];
  const rows = names.map((name) => {
    const pairs = Array.from({ length: ROUNDS }, () =>
      folders.map((folder) => JSON.parse(ask([join(folder, 'dist'), name])) as Figure),
    );
    const ratios = pairs.map(([before, after]) => after!.ms / before!.ms).sort((a, b) => a - b);
    const ratio = ratios[Math.floor(ROUNDS / 2)]!;
    const [before, after] = [0, 1].map((side) => Math.min(...pairs.map((pair) => pair[side]!.ms)));
    const isEqual = new Set(pairs.flat().map(({ hash }) => hash)).size === 1;
    const notes = [ratio > SLOWER ? '**slower**' : '', isEqual ? '' : 'other answers'].filter(
      (note) => note !== '',
    );
    return `| ${name} | ${before!.toFixed(1)} | ${after!.toFixed(1)} | ${ratio.toFixed(2)} | ${notes.join(', ')} |`;
  });
  const title = `### ${shortName(commit)} against ${shortName(earlier)}: least processor time, ms, and the median ratio of ${ROUNDS} pairs`;
  return [title, '', '| | before | after | ratio | |', '|---|---|---|---|---|', ...rows, ''].join('\n');
}

/** Builds a commit, and returns its folder. The packages are those of the work tree. */
function built(commit: string, name: string): string {
  const folder = join(ROOT, 'out/guard', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = git([
    'archive',
    commit,
    'src',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'LICENSE',
    'fixtures',
  ]);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  execFileSync(process.execPath, [join(folder, 'src/build.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return folder;
}

function git(args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 28 });
}

function shortName(commit: string): string {
  return git(['rev-parse', '--short', commit]).toString().trim();
}

/** What guardKernels.mjs prints. */
function ask(args: readonly string[]): string {
  const command = [process.execPath, KERNELS, ...args];
  return hasTaskset()
    ? execFileSync('taskset', ['-c', '0', ...command], { encoding: 'utf8' })
    : execFileSync(command[0]!, command.slice(1), { encoding: 'utf8' });
}

function hasTaskset(): boolean {
  try {
    execFileSync('taskset', ['-c', '0', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
