/** Processor time of a start: importing each subpath, running commands, and querying 1,000 zones from a new process. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SUBPATHS = [
  '',
  '/algebra',
  '/hours',
  '/interchange',
  '/listing',
  '/operator',
  '/parallel',
  '/routing',
  '/schemas',
  '/tiles',
  '/tracks',
  '/trips',
];
const COMMANDS = [
  '--version',
  '--help',
  'measure --help',
  'measure fixtures/city-zones.geojson',
  'validate fixtures/city-zones.kml',
  'locate --help',
  'route --help',
  'report --help',
];

/** Arguments of startAsk.mjs and the names of their rows. */
const ASKS = {
  wayzone: '1,000 zones and the zones of 1,000 positions: wayzone',
  flatbush: '… flatbush + point-in-polygon-hao',
};

/** Module that prints the process's processor time at exit. */
const PRINT_USAGE =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('\\n'+JSON.stringify(process.cpuUsage())))";

/** Least processor time in ms of each command, since other work on the machine only adds to it. The commands alternate. */
function leastTimes(runs: readonly (readonly string[])[], rounds: number): number[] {
  const times = runs.map(() => Infinity);
  for (let round = 0; round < rounds; round++)
    for (const [i, args] of runs.entries()) times[i] = Math.min(times[i]!, processorMs(args));
  return times;
}

/** A difference of least times may be below 0 by chance. */
const milliseconds = (more: number): string => (more < 1 ? '< 1' : more.toFixed(0));

function processorMs(args: readonly string[]): number {
  const { status, stderr } = spawnSync(process.execPath, ['--import', PRINT_USAGE, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ends with ${status}: ${stderr}`);
  const { user, system } = JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as NodeJS.CpuUsage;
  return (user + system) / 1000;
}

export function startBench(quick: boolean): string {
  const evaluated = (code: string): string[] => ['--input-type=module', '-e', code];
  const importOf = (path: string): string => `import 'wayzone${path}';`;
  const imports = [...SUBPATHS.map(importOf), SUBPATHS.map(importOf).join('')].map(evaluated);
  const commands = COMMANDS.map((command) => ['src/cli/dist/main.js', ...command.split(' ')]);
  const asks = Object.keys(ASKS).map((way) => ['bench/startAsk.mjs', way]);
  const hits = asks.map((args) => spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).stdout);
  if (!(Number(hits[0]) > 0) || new Set(hits).size !== 1)
    throw new Error(`expected equal hits, received ${hits.join(', ')}`);
  const [empty, ...times] = leastTimes([evaluated(''), ...imports, ...commands, ...asks], quick ? 3 : 7);
  const names = [
    ...SUBPATHS.map((path) => `import 'wayzone${path}'`),
    'import of all subpaths',
    ...COMMANDS.map((c) => `wayzone ${c}`),
  ].map((code) => `\`${code}\``);
  const rows = [...names, ...Object.values(ASKS)].map(
    (name, i) => `| ${name} | ${milliseconds(times[i]! - empty!)} |`,
  );
  return [
    `### Starting: processor time over an empty Node, which takes ${empty!.toFixed(0)} ms`,
    '',
    '| | ms |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}
