import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HANG_MS } from '../patience.js';

/**
 * No test rests on how fast a machine is, on a plan of a database, or on another process: a limit of time is tested with work that never ends
 * by itself, or with a clock of the test's own (host/test/ownClock.ts). Each use of a clock, a pause, a limit or a plan has its reason here.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const OWN = ['test/contract/timing.test.ts', 'test/patience.ts'];

/** Lines that wait for a condition, without a limit of their own. */
const POLL = /\b(?:while|for) \(.*\).* (?:await|yield) (?:sleep|new Promise|page\.waitForTimeout)\b/;
/** A literal limit that is shorter than the one against hangs. */
const isShort = (limit: string): boolean => {
  const ms = Number(limit.replaceAll('_', ''));
  return ms > 0 && ms < HANG_MS;
};
const FORBIDDEN: readonly (readonly [pattern: RegExp, isMeant?: (match: RegExpExecArray) => boolean])[] = [
  [/\b(?:Date|performance)\.now\b|\bnew Date\(\)|\bhrtime\b|\bcpuUsage\b|\bmonitorEventLoopDelay\(/],
  [/\bmemoryUsage\b|\bresourceUsage\b/],
  [/\b(?:sleep|setTimeout|setInterval|waitForTimeout)\(/, ({ input }) => !POLL.test(input)],
  [/\bAbortSignal\.timeout\(/],
  [/\btimeout: *(\d[\d_]*)/i, ([, limit]) => isShort(limit!)],
  [
    /\b(?:answer|budget|commit|first|heartbeat|idle|limit|most|poll|silent|stalled|tick|unread|wait)Ms: *(\d[\d_]*)/,
    ([, limit]) => isShort(limit!),
  ],
  [
    /\btimeoutSeconds: *(\d[\d_.]*)/,
    ([, limit]) => isShort(String(1000 * Number(limit!.replaceAll('_', '')))),
  ],
  [/\bpg_stat|\bseq_tup|\bidx_tup|\bexplain (?:\(|analyze|select)/i],
];

const WAITS = 'waits for a condition without a limit of its own';
const DATES = 'times of fixes and tokens near the clock, as the host wants them; waits without a limit';

/** How many uses a file has, and why no outcome depends on the speed of the machine. */
const ALLOWED: Readonly<Record<string, readonly [uses: number, reason: string]>> = {
  'host/test/answers.test.ts': [1, 'a plan after `analyze`: an index of one row against a scan of 3,000'],
  'host/test/asideUnits.test.ts': [1, 'looks again until every message is handled'],
  'host/test/awaitServer.test.ts': [
    2,
    'pauses between attempts; the servers come when the test starts them, and it waits without a limit',
  ],
  'host/test/brokers.test.ts': [1, WAITS],
  'host/test/compute.test.ts': [1, "a clock of the test's own"],
  'host/test/crash/adminHeaders.ts': [1, DATES],
  'host/test/divideCell.test.ts': [4, 'a clock of the test’s own, moved on until the cells have followed it'],
  'host/test/cells.test.ts': [2, 'a clock of the test’s own, moved on until an event comes'],
  'host/test/clockOffset.test.ts': [1, 'a clock of the test’s own, ahead of the database’s'],
  'host/test/crash/asideUnits.test.ts': [3, DATES],
  'host/test/crash/badDays.test.ts': [
    4,
    'times of fixes; waits without a limit, also until the server has counted five rollbacks',
  ],
  'host/test/crash/cluster.ts': [3, WAITS],
  'host/test/crash/crashRun.ts': [
    13,
    'sends again what was not answered, at random moments; how much arrives in which time is not compared',
  ],
  'host/test/crash/databaseDisk.test.ts': [1, WAITS],
  'host/test/crash/endStream.ts': [2, 'waits until the clocks of all cells are past the lateness'],
  'host/test/crash/survives.ts': [3, 'times of fixes; a kill at a random moment'],
  'host/test/crash/vanCluster.ts': [4, DATES],
  'host/test/crash/versions.test.ts': [3, DATES],
  'host/test/cursor.test.ts': [
    2,
    'polls and hints come again and again, and the test waits for them without a limit',
  ],
  'host/test/halfOpen.test.ts': [
    5,
    'connections that never answer; what fails on a slow machine is asked again',
  ],
  'host/test/jobs.test.ts': [
    4,
    'both timers are due, however long the pause is; the limit is for a job that ends at once',
  ],
  'host/test/memory.test.ts': [
    6,
    'prints times and compares none; kills at any moment; a process that ended too early would still be seen',
  ],
  'host/test/page/walk.test.ts': [1, 'at least as long as two presses must be apart'],
  'host/test/realDay.test.ts': [2, 'the pace of the long run, which changes no answer'],
  'host/test/servers.test.ts': [4, WAITS],
  'host/test/sources.test.ts': [
    5,
    'pauses between messages and attempts; what is not acknowledged is sent again, and the test waits for all without a limit',
  ],
  'host/test/streamDays.test.ts': [1, 'the length of an outage, which changes no answer'],
  'host/test/unreadBodies.test.ts': [
    1,
    'a limit that ends what never ends: the test waits for the close without a limit',
  ],
  'host/test/zoneHeads.test.ts': [1, 'a limit that a migration does not have'],
  'host/test/zones.test.ts': [
    4,
    'rows read after `analyze`, half of what a plan that reads all for each page reads; connections that never answer; a write that waits for a lock',
  ],
  'test/adapters/restate.test.ts': [2, 'sends again what was not answered'],
  'test/adapters/spark.test.ts': [1, 'looks for the processes that it kills'],
  'test/cli/interrupted.test.ts': [2, 'an interrupt at any moment must leave whole files'],
  'test/cli/locateStream.test.ts': [1, 'an output that is slow, however slow'],
  'test/cli/routeEngine.test.ts': [1, 'ten minutes, as against hangs'],
  'test/fuzz/attempt.ts': [
    2,
    '`npm run fuzz`, a program that hunts for slow inputs; the tests do not measure',
  ],
  'test/fuzz/fuzzWorker.ts': [2, '`npm run fuzz`, a program that runs for a given time'],
  'test/fuzz/main.ts': [7, '`npm run fuzz`, a program that runs for a given time'],
  'test/fuzz/readerTargets.ts': [
    2,
    '`npm run fuzz`, a program that hunts for slow inputs; the tests do not measure',
  ],
  'test/interchange/trapChild.ts': [4, 'figures for the benches; the tests compare none'],
  'test/mutation/child.ts': [2, '`npm run mutation`, which runs the quickest tests first'],
  'test/mutation/run.ts': [3, '`npm run mutation`, a program that says how far it is'],
  'test/parallel/replay.test.ts': [2, 'a source that never ends; a reader that is slow, however slow'],
  'test/report/canvas.test.ts': [2, 'screenshots until several are equal; a pause that may be longer'],
  'test/routing/engines.test.ts': [2, 'servers that never answer'],
  'test/routing/sequenceRoute.test.ts': [
    2,
    'a search that never ends; a timer of 0 ms in place of a channel',
  ],
  'test/routing/valhallaInProcess.test.ts': [1, 'ten minutes, as against hangs'],
};

/** The limit of a test as its last argument. Smaller numbers there are pauses or counts. */
const LAST_ARGUMENT = /\},\s*(\d[\d_]*),?\s*\)/g;
const isLimit = (limit: string): boolean => isShort(limit) && Number(limit.replaceAll('_', '')) >= 5000;

/** The places of a text that use a clock, a pause, a limit or a plan. */
function usesOf(text: string): string[] {
  const last = [...text.matchAll(LAST_ARGUMENT)].filter(([, limit]) => isLimit(limit!));
  const lines = text.split('\n').filter((line) =>
    FORBIDDEN.some(([pattern, isMeant = () => true]) => {
      const match = pattern.exec(line);
      return match !== null && !/^\s*(?:\*|\/\/|\/\*)/.test(line) && isMeant(match);
    }),
  );
  return [...lines, ...last.map(([found]) => found)];
}

const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'test', 'host/test'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts') && !OWN.includes(name));

describe('no test rests on the speed of a machine', () => {
  test('clocks, pauses, short limits and plans are those that are listed with a reason', () => {
    expect(FILES.length).toBeGreaterThan(500);
    const found = FILES.map((name) => [name, usesOf(readFileSync(resolve(ROOT, name), 'utf8'))] as const);
    const more = found.filter(([name, uses]) => uses.length > (ALLOWED[name]?.[0] ?? 0));
    expect(Object.fromEntries(more), 'mend these, or list them in ALLOWED with the reason').toEqual({});
    const some = new Set(found.filter(([, uses]) => uses.length > 0).map(([name]) => name));
    expect(Object.keys(ALLOWED).filter((name) => !some.has(name))).toEqual([]);
  });

  test.each([
    ["test('a', { timeout: 120_000 }, async () => {", 1],
    ["test('a', { timeout: 600_000 }, async () => {", 0],
    ["test('a', () => {}, 30_000);", 1],
    ['holds(() => {}, 4000);', 0],
    ['await sleep(50);', 1],
    ['while (!isDone()) await sleep(5);', 0],
    ['const compute = open({ budgetMs: 400 });', 1],
    ['const engine = osrmEngine({ timeoutSeconds: 0.05 });', 1],
    ['const until = Date.now() + 60_000;', 1],
    ['select seq_tup_read from pg_stat_xact_user_tables', 1],
    ['// Terra Draw needs sleep(300).', 0],
  ])('%s', (line, uses) => {
    expect(usesOf(line)).toHaveLength(uses);
  });
});
