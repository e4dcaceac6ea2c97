/**
 * Parkings of days whose parkings are known (test/tracks/stays/days.ts), beside the stop detectors of Python: how many are found, how many of those
 * found are right, and the processor time. The peers run where the interpreters of `STAYS_PYTHON` (separated by colons, default python3) have them.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { detectTrips, readTrack } from '../src/tracks/index.js';
import { KINDS, type KnownDay, knownDay } from '../test/tracks/stays/days.js';
import { addDay, noScore, quantileOf, type Score } from '../test/tracks/stays/score.js';

interface Rest {
  readonly from: number;
  readonly to: number;
}

interface Found {
  readonly name: string;
  readonly seconds: number;
  readonly rests: readonly (readonly Rest[])[];
}

interface Answer {
  readonly version: string;
  readonly seconds: number;
  readonly tracks: Readonly<Record<string, readonly (readonly [from: number, to: number])[]>>;
}

const SCRIPT = fileURLToPath(new URL('peers/stays.py', import.meta.url));
const PEERS = ['trackintel', 'MovingPandas', 'scikit-mobility'];

/** Groups of kinds for the table. */
const GROUPS: readonly (readonly [string, (name: string) => boolean])[] = [
  ['all', () => true],
  ['sound', (name) => name === 'sound' || name === 'once a minute'],
  ['noise of 3 and 8 m', (name) => name.startsWith('noise')],
  ['spikes, positions of cells', (name) => name === 'spikes' || name.startsWith('positions')],
  ['power cut with the ignition', (name) => name.startsWith('power')],
  ['tractor, sweeper', (name) => name.startsWith('tractor') || name === 'sweeper'],
  ['queue, loop, ferry', (name) => ['queue', 'loop', 'ferry'].includes(name)],
];

export function staysBench(quick: boolean): string {
  const days = Object.keys(KINDS).flatMap((name) =>
    Array.from({ length: quick ? 1 : 5 }, (_, seed) => ({ name, day: knownDay(name, 1000 + seed) })),
  );
  const all = [own(days.map(({ day }) => day)), ...peers(days.map(({ day }) => day))];
  const fixes = days.reduce((sum, { day }) => sum + day.fixes.length, 0);
  const lines = [
    `${days.length} days of ${Object.keys(KINDS).length} kinds, ${fixes} fixes, each day with 4 to 6 parkings of 10 to 60 minutes. Places of 50 m and`,
    '300 s for all; the peers take positions only. A parking is found if exactly one answer meets it, for at least half of its time. Found / right of',
    'those told, per cent.',
    '',
    `| | ${all.map(({ name }) => name).join(' | ')} |`,
    `|---|${all.map(() => '---').join('|')}|`,
  ];
  for (const [title, holds] of GROUPS) {
    const cells = all.map(({ rests }) => {
      const score = noScore();
      for (const [i, { name, day }] of days.entries()) if (holds(name)) addDay(score, day, rests[i]!);
      return shares(score);
    });
    lines.push(`| ${title} | ${cells.join(' | ')} |`);
  }
  const offs = all.map(({ rests }) => {
    const score = noScore();
    for (const [i, { day }] of days.entries()) if (day.step <= 30) addDay(score, day, rests[i]!);
    return `${quantileOf(score.offBegin, 0.95).toFixed(0)} / ${quantileOf(score.offEnd, 0.95).toFixed(0)}`;
  });
  lines.push(`| begin / end off, 95th percentile, s (steps to 30 s) | ${offs.join(' | ')} |`);
  lines.push(
    `| processor time, µs a fix | ${all.map(({ seconds }) => ((seconds / fixes) * 1e6).toFixed(seconds / fixes < 1e-5 ? 1 : 0)).join(' | ')} |`,
  );
  lines.push('', ...kindsTable(quick ? 1 : 20));
  return `${lines.join('\n')}\n`;
}

/** How right `detectTrips` is on days of each kind. */
function kindsTable(days: number): string[] {
  const rows = Object.entries(KINDS).map(([name, { steps }]) => {
    const score = noScore();
    const off: number[] = [];
    const settings = name.includes('odometer')
      ? { tripdetector_mileagedetect: 'mileage_mileage_sensor' as const }
      : {};
    for (let seed = 0; seed < days; seed++) {
      const day = knownDay(name, 5000 + seed);
      const { trips, parkings } = detectTrips(readTrack(day.fixes), settings, { jump: 'speed' });
      addDay(score, day, parkings);
      if (trips.length === day.meters.length)
        for (const [i, { distanceMeters }] of trips.entries())
          off.push(100 * Math.abs(distanceMeters / day.meters[i]! - 1));
    }
    const bounds = [score.offBegin, score.offEnd].map((values) => quantileOf(values, 0.95).toFixed(0));
    const distance = [0.5, 0.95].map((share) => quantileOf(off, share).toFixed(1));
    return `| ${name} | ${steps.join(', ')} | ${shares(score, 1)} | ${bounds.join(' / ')} | ${distance.join(' / ')} |`;
  });
  return [
    `The same for \`detectTrips\` by kind, ${days} days each.`,
    '',
    '| | steps, s | found / right, % | begin / end off, 95th percentile, s | distance off, median / 95th percentile, % |',
    '|---|---|---|---|---|',
    ...rows,
  ];
}

function shares({ known, found, right }: Score, decimals: number = 0): string {
  const share = (of: number): string => ((100 * right) / of).toFixed(decimals);
  return `${share(known)} / ${found === 0 ? '–' : share(found)}`;
}

/** `readTrack` and `detectTrips`: trips, stops, unknown time and issues are part of the time. */
function own(days: readonly KnownDay[]): Found {
  const run = (): (readonly Rest[])[] =>
    days.map(({ fixes }) => detectTrips(readTrack(fixes), {}, { jump: 'speed' }).parkings);
  run();
  const begin = process.cpuUsage();
  const rests = run();
  const { user, system } = process.cpuUsage(begin);
  return { name: 'wayzone', seconds: (user + system) / 1e6, rests };
}

function peers(days: readonly KnownDay[]): Found[] {
  const folder = mkdtempSync(join(tmpdir(), 'stays-'));
  const fileOf = (i: number): string => `${String(i).padStart(4, '0')}.csv`;
  try {
    for (const [i, { fixes }] of days.entries())
      writeFileSync(
        join(folder, fileOf(i)),
        ['time,lon,lat', ...fixes.map(({ time, lon, lat }) => `${time},${lon},${lat}`)].join('\n'),
      );
    return PEERS.flatMap((name) => {
      const answer = answerOf(name, folder);
      if (answer === null) return [];
      const rests = days.map((_, i) =>
        answer.tracks[fileOf(i)]!.map(([from, to]) => ({ from: from * 1000, to: to * 1000 })),
      );
      return [{ name: `${name} ${answer.version}`, seconds: answer.seconds, rests }];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Null where no interpreter has the library. */
function answerOf(name: string, folder: string): Answer | null {
  for (const python of (process.env.STAYS_PYTHON ?? 'python3').split(':')) {
    const run = spawnSync(python, [SCRIPT, name, folder], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    if (run.status === 0) return JSON.parse(run.stdout) as Answer;
    if (run.status !== 3 && run.error === undefined) throw new Error(`${name}: ${run.stderr}`);
  }
  return null;
}
