/**
 * Mutation testing: `npm run mutation -- <target> [--sample <count>] [--seed <number>] [--rounds 1,2] [--only <file part>,…]`.
 * One bundle contains the tests and all mutants of Stryker's instrumenter. A child process switches the mutants on one by
 * one and runs the tests that reach the place, the quickest first. README.md explains how the answers are counted.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seeded } from '../volume.js';
import type { Coverage } from './activeMutant.js';
import { bundle, filesUnder, type Instrumented, instrument, type Mutant, ROOT } from './bundle.js';
import type { Question } from './child.js';
import { EQUIVALENT } from './equivalent/all.js';
import { isTie } from './equivalent/reasons.js';
import { type Round, TARGETS } from './targets.js';

type Status = 'killed' | 'timeout' | 'survived' | 'no coverage';

interface Result extends Mutant {
  readonly status: Status;
  readonly killedBy: string | null;
}

interface Trial {
  readonly names: readonly string[];
  readonly failed: readonly string[];
  readonly milliseconds: readonly number[];
  readonly coverage: Coverage;
}

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1,2,3' },
    only: { type: 'string', default: '' },
  },
});
const name = positionals[0] ?? '';
const target = TARGETS[name];
if (target === undefined) throw new Error(`expected one of ${Object.keys(TARGETS).join(', ')}`);
const folder = join(ROOT, 'out/mutation');
mkdirSync(folder, { recursive: true });

/** Starts a child that loads the bundle. `mutant` is active from the first line of the sources. */
async function start(file: string, share: number, mutant?: string): Promise<ChildProcess> {
  const child = fork(file, {
    env: {
      ...process.env,
      WAYZONE_VOLUME: String(share),
      ...(mutant === undefined ? {} : { WAYZONE_MUTANT: mutant }),
    },
    execArgv: ['--max-old-space-size=1500'],
    stdio: ['ignore', 'ignore', mutant === undefined ? 'inherit' : 'ignore', 'ipc'],
  });
  // A question to a process that is about to end fails; its exit answers.
  child.on('error', () => {});
  await answerOf(child, 30_000);
  return child;
}

/** The next answer of the child; `null` if it ended or sent none in time. */
async function answerOf(child: ChildProcess, milliseconds: number): Promise<unknown> {
  return await new Promise((settle) => {
    const end = (answer: unknown): void => {
      clearTimeout(timer);
      child.removeAllListeners('message').removeAllListeners('exit');
      settle(answer);
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end(null);
    }, milliseconds);
    child.once('message', end);
    child.once('exit', () => end(null));
  });
}

async function ask(child: ChildProcess, question: Question, milliseconds: number): Promise<unknown> {
  child.send(question);
  return await answerOf(child, milliseconds);
}

interface Judge {
  readonly judge: (mutant: Mutant) => Promise<Pick<Result, 'status' | 'killedBy'>>;
  readonly close: () => void;
}

async function judgeOf(round: Round, { plain, recording }: Instrumented): Promise<Judge> {
  const tests = filesUnder(round.tests, '.test.ts');
  const [recordingFile, plainFile] = [join(folder, `${name}.trial.mjs`), join(folder, `${name}.mjs`)];
  await bundle(tests, recording, recordingFile);
  await bundle(tests, plain, plainFile);

  let child = await start(plainFile, round.share);
  const { names, failed, milliseconds } = (await ask(child, { kind: 'trial' }, 3_600_000)) as Trial;
  for (const failure of failed) console.log(`excluded, it fails without a mutant: ${failure}`);
  const sound = names.map((test) => !failed.some((failure) => failure.startsWith(`${test}: `)));
  const order = names
    .map((_, index) => index)
    .filter((index) => sound[index] && milliseconds[index]! <= round.slowestMilliseconds)
    .sort((a, b) => milliseconds[a]! - milliseconds[b]!);
  const recorder = await start(recordingFile, round.share);
  const { coverage } = (await ask(recorder, { kind: 'trial', tests: order }, 3_600_000)) as Trial;
  recorder.kill();
  console.log(
    `${tests.length} files, ${order.length} tests, ${Math.round(milliseconds.reduce((a, b) => a + b, 0))} ms`,
  );

  for (const index of order.slice(-3)) console.log(`${Math.round(milliseconds[index]!)} ms: ${names[index]}`);

  const limit = (indexes: readonly number[]): number =>
    5000 + 3 * indexes.reduce((sum, index) => sum + milliseconds[index]!, 0);
  const resultOf = (answer: unknown): Pick<Result, 'status' | 'killedBy'> => {
    if (answer === null) return { status: 'timeout', killedBy: null };
    const { killedBy, timeout } = answer as { killedBy: number; timeout: boolean };
    if (killedBy < 0) return { status: 'survived', killedBy: null };
    return { status: timeout ? 'timeout' : 'killed', killedBy: names[killedBy]! };
  };

  const judge: Judge['judge'] = async ({ id }) => {
    const hits = order.filter((index) => coverage.perTest[index]?.[id] !== undefined);
    let result: Pick<Result, 'status' | 'killedBy'> = { status: 'no coverage', killedBy: null };
    if (hits.length > 0) {
      const hitLimits = hits.map((index) => 1000 + 20 * coverage.perTest[index]![id]!);
      // A mutant may end its process after its answer.
      if (!child.connected || child.killed || child.exitCode !== null)
        child = await start(plainFile, round.share);
      result = resultOf(await ask(child, { kind: 'mutant', id, tests: hits, hitLimits }, limit(hits)));
    }
    // A place reached while the modules load needs a new process to show the effect of the mutant.
    if (coverage.static[id] !== undefined && result.status !== 'killed' && result.status !== 'timeout') {
      const fresh = await start(plainFile, round.share, id);
      if (fresh.exitCode !== null || fresh.killed) return { status: 'killed', killedBy: 'loading' };
      const hitLimits = order.map(() => 1e9);
      result = resultOf(await ask(fresh, { kind: 'mutant', id, tests: order, hitLimits }, limit(order)));
      fresh.kill();
    }
    return result;
  };
  return { judge, close: () => child.kill() };
}

/** A mutant is the same in a later run if its source file, its place and its replacement are the same. */
function keyOf({ file, line, column, end, replacement }: Mutant): string {
  return createHash('sha1')
    .update(contents.get(file)!)
    .update(`${file}:${line}:${column}:${end}:${replacement}`)
    .digest('hex');
}

const resultsFile = join(folder, `${name}.json`);
const known: Record<string, Pick<Result, 'status' | 'killedBy'>> = existsSync(resultsFile)
  ? (JSON.parse(readFileSync(resultsFile, 'utf8')) as { known: never }).known
  : {};

const sources = filesUnder(target.sources, '.ts').filter(
  (file) => name !== 'zones' || !/^src\/zones\/(index|shapes)\//.test(file),
);
const contents = new Map(sources.map((file) => [file, readFileSync(join(ROOT, file))]));
const instrumented = await instrument(sources);
const ignored = instrumented.mutants.filter(({ ignored: reason }) => reason !== null);
const parts = flags.only.split(',');
let chosen = instrumented.mutants.filter(
  ({ file, ignored }) => ignored === null && parts.some((part) => file.includes(part)),
);
if (flags.sample !== undefined) {
  const random = seeded(Number(flags.seed));
  chosen = chosen
    .map((mutant) => ({ mutant, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, Number(flags.sample))
    .map(({ mutant }) => mutant);
}
console.log(
  `${name}: ${chosen.length} of ${instrumented.mutants.length} mutants, ${ignored.length} excluded in the sources`,
);

function write(): void {
  const all = chosen.map((mutant) => ({ ...mutant, ...known[keyOf(mutant)] }));
  writeFileSync(resultsFile, JSON.stringify({ known, ignored, mutants: all }, null, 1));
}

const lines = new Map(sources.map((file) => [file, contents.get(file)!.toString('utf8').split('\n')]));

/** The source text that a mutant replaces. */
function sourceOf({ file, line, column, end }: Mutant): string {
  const [endLine, endColumn] = end.split(':').map(Number) as [number, number];
  const text = lines.get(file)!.slice(line - 1, endLine);
  text[text.length - 1] = text.at(-1)!.slice(0, endColumn - 1);
  return [text[0]!.slice(column - 1), ...text.slice(1)].join('\n');
}

/** Why a survivor changes no result; `null` if it is not listed. */
function reasonOf(mutant: Mutant): string | null {
  const { file, line, replacement } = mutant;
  const text = lines.get(file)![line - 1]!.trim();
  for (const [reason, list] of EQUIVALENT) {
    for (const one of list) {
      if (one.file !== file || !text.startsWith(one.line) || !(one.only?.test(replacement) ?? true)) continue;
      if (one.isTie !== true || isTie(sourceOf(mutant), replacement)) return reason;
    }
  }
  return null;
}

const isDead = (mutant: Mutant): boolean =>
  ['killed', 'timeout'].includes(known[keyOf(mutant)]?.status ?? '');
const wanted = flags.rounds.split(',').map(Number);
for (const round of target.rounds.filter((_, i) => wanted.includes(i + 1))) {
  // Known survivors that are equivalent are skipped, because they take the longest.
  const alive = chosen.filter(
    (mutant) => !isDead(mutant) && !(known[keyOf(mutant)] !== undefined && reasonOf(mutant) !== null),
  );
  if (alive.length === 0) break;
  console.log(`round of ${alive.length} mutants, ${round.tests.join(' ')}, ${round.share} of the cases`);
  const { judge, close } = await judgeOf(round, instrumented);
  const began = performance.now();
  for (const [done, mutant] of alive.entries()) {
    known[keyOf(mutant)] = await judge(mutant);
    if (done % 50 === 49) {
      write();
      console.log(`${done + 1} of ${alive.length}, ${Math.round((performance.now() - began) / 1000)} s`);
    }
  }
  close();
  write();
}

const counts: Record<Status | 'equivalent', number> = {
  killed: 0,
  timeout: 0,
  survived: 0,
  'no coverage': 0,
  equivalent: 0,
};
for (const mutant of chosen) {
  const { status } = known[keyOf(mutant)]!;
  const isAlive = status === 'survived' || status === 'no coverage';
  if (isAlive && reasonOf(mutant) !== null) {
    counts.equivalent++;
    continue;
  }
  counts[status]++;
  if (isAlive)
    console.log(
      `${mutant.file}:${mutant.line}:${mutant.column}-${mutant.end} ${status}, ${mutant.mutator}: ${mutant.replacement.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
    );
}
const found = counts.killed + counts.timeout;
const percent = (whole: number): string => `${((100 * found) / whole).toFixed(2)} %`;
console.log(
  `${JSON.stringify(counts)}, found ${percent(chosen.length)} of all, ${percent(chosen.length - counts.equivalent)} of those that change an answer`,
);
process.exit(0);
