/**
 * `npm run bench [-- --quick] [-- NAME...]`: runs the named benches, or all of them. Each runs in its own process, so that no bench warms up
 * another. Each section replaces its earlier version in bench/RESULTS.md; a bench that fails or takes more than `MOST_MS` leaves it, and the others
 * go on. `--quick` uses small data sets and writes to out/bench.md instead.
 * `npm run bench -- guard` compares the last commit with the one before it; see bench/guard.ts.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { guard } from './guard.js';
import { BENCHES } from './section.js';

const PEERS = [
  '@turf/turf',
  'cheap-ruler',
  'geographiclib-geodesic',
  'flatbush',
  'point-in-polygon-hao',
  'rbush',
  'which-polygon',
  'jsts',
  '@placemarkio/tokml',
  'xmlbuilder2',
  '@mapbox/polyline',
  'typebox',
  'temporal-polyfill',
  'geojson-vt',
  '@maplibre/vt-pbf',
];

const MOST_MS = 900_000;

const quick = process.argv.includes('--quick');
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (asked[0] === 'guard') {
  process.stdout.write(guard(asked[1], asked[2]));
  process.exit();
}
const unknown = asked.filter((name) => !(name in BENCHES));
if (unknown.length > 0)
  throw new Error(`expected ${Object.keys(BENCHES).join(', ')}, received ${unknown.join(', ')}`);

const results = new URL(quick ? '../out/bench.md' : 'RESULTS.md', import.meta.url);
mkdirSync(new URL('.', results), { recursive: true });
const place = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}.`;
const begin = Date.now();
const failed: string[] = [];
for (const name of Object.keys(BENCHES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const start = Date.now();
  try {
    const section = `## ${name}\n\n${place}\n\n${outputOf(name).trim()}\n`;
    process.stdout.write(`${section}\n`);
    writeFileSync(results, withSection(name, section));
  } catch (error) {
    failed.push(name);
    process.stderr.write(`${name}: ${String(error)}\n`);
  }
  process.stderr.write(`${name}: ${((Date.now() - start) / 1000).toFixed(0)} s\n`);
}
process.stderr.write(
  `${((Date.now() - begin) / 1000).toFixed(0)} s in all; ${fileURLToPath(results)}${quick ? '' : '. `npm run readme` copies its figures'}\n`,
);
if (failed.length > 0) {
  process.stderr.write(`not measured: ${failed.join(' ')}\n`);
  process.exitCode = 1;
}

function outputOf(name: string): string {
  const script = fileURLToPath(new URL('section.ts', import.meta.url));
  const args = [...process.execArgv, script, name, ...(quick ? ['--quick'] : [])];
  return execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
    timeout: MOST_MS,
    killSignal: 'SIGKILL',
  });
}

/** The text of the results file after one section is replaced. Sections keep the order of BENCHES. */
function withSection(name: string, section: string): string {
  const before = existsSync(results)
    ? readFileSync(results, 'utf8')
        .split(/^(?=## )/m)
        .slice(1)
    : [];
  const sections = new Map(before.map((text) => [/^## (\S+)/.exec(text)![1]!, text.trim()]));
  sections.set(name, section.trim());
  const known = Object.keys(BENCHES).flatMap((key) => sections.get(key) ?? []);
  return `${[head(), ...known].join('\n\n')}\n`;
}

function head(): string {
  return [
    `# Bench results${quick ? ', with small sets: no figures to quote' : ''}`,
    '',
    'Everything runs from `dist`, as users run it. Figures are medians of alternating runs, by processor time unless a table says wall time; each section has its own process. Before timing, all',
    'answers are compared. The machine is shared, so only ratios count. `npm run bench -- NAME` renews one section.',
    '',
    `Peers: ${PEERS.map((name) => `${name} ${versionOf(name)}`).join(', ')}, GEOS ${geosVersion()}.`,
  ].join('\n');
}

function versionOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => `${folder}/${name}/package.json`).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`expected ${name} to be installed`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function geosVersion(): string {
  try {
    return execFileSync('geos-config', ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    return 'not installed';
  }
}
