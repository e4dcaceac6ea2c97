/**
 * Times whole jobs, each in a process of its own, from files to files. Beside them run the scripts that users would write instead
 * (bench/peers) and, if installed, ogr2ogr. Needs GNU time and taskset. A job gets one processor unless its row says two.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cores, runJob, type Usage } from './job.js';
import { writeFixes, writeZones } from './jobFiles.js';
import { goalsTable } from './jobGoals.js';

const PROGRAM = fileURLToPath(new URL('../src/cli/dist/main.js', import.meta.url));
const PROBE = fileURLToPath(new URL('jobProbe.mjs', import.meta.url));

interface Row {
  readonly what: string;
  /** Null for a peer that is not installed. */
  readonly usage: Usage | null;
}

/** All tables. `quick` uses small files, to check that the bench runs. */
export function jobsBench(quick: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-jobs-'));
  try {
    const bench = new Jobs(folder);
    const tables = [
      locateTable(bench, quick),
      tracksTable(bench, quick),
      zonesTable(bench, quick),
      readersTable(bench, quick),
    ];
    return [goalsTable(bench.measured), ...tables].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs jobs in one folder and keeps the measurements that goalsTable needs. */
class Jobs {
  readonly #folder: string;
  /** Measurements of the largest jobs, by the names in jobGoals.ts. */
  readonly measured: Map<string, Usage> = new Map();
  #outputs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  at(name: string): string {
    return join(this.#folder, name);
  }

  wayzone(args: readonly string[], cores: Cores = 1): { readonly usage: Usage; readonly out: string } {
    return this.node([PROGRAM, ...args], cores);
  }

  node(args: readonly string[], cores: Cores = 1): { readonly usage: Usage; readonly out: string } {
    const out = this.at(`out-${this.#outputs++}`);
    return { usage: runJob(this.#folder, [process.execPath, ...args], out, cores), out };
  }

  /** Runs bench/peers/locate.py. Null if Python lacks the library. */
  python(library: string, args: readonly string[]): { readonly usage: Usage; readonly out: string } | null {
    if (!runs('python3', ['-c', `import ${library}`])) return null;
    const out = this.at(`out-${this.#outputs++}`);
    const script = fileURLToPath(new URL('peers/locate.py', import.meta.url));
    return { usage: runJob(this.#folder, ['python3', script, library, ...args], out), out };
  }

  /** Runs ogr2ogr. Null if it is not installed. */
  ogr(args: readonly string[]): Usage | null {
    if (!runs('ogr2ogr', ['--version'])) return null;
    return runJob(this.#folder, ['ogr2ogr', ...args], this.at('ogr-out'));
  }
}

/** Whether a command ends without an error. */
function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Times `locate`, the naive script and libraries of Python. Throws if their outputs differ. */
function locateTable(bench: Jobs, quick: boolean): string {
  const rows: Row[] = [];
  const sizes = quick
    ? ([[1000, 100]] as const)
    : ([
        [10_000, 1000],
        [100_000, 10_000],
        [1_000_000, 100_000],
      ] as const);
  for (const [fixes, zones] of sizes) {
    const isLargest = fixes === sizes.at(-1)![0];
    for (const placed of isLargest ? (['spread', 'clumped'] as const) : (['spread'] as const)) {
      const zoneFile = writeZones(bench.at('zones.geojson'), zones, { placed });
      const fixFile = writeFixes(bench.at('fixes.csv'), fixes);
      const of = `${count(fixes)} fixes × ${count(zones)} zones, ${placed}`;
      const argv = ['locate', zoneFile, '--positions', fixFile, '--format', 'ndjson'];
      const own = bench.wayzone(argv);
      const script = bench.node([
        fileURLToPath(new URL('peers/naiveLocate.mjs', import.meta.url)),
        zoneFile,
        fixFile,
      ]);
      if (!readFileSync(own.out).equals(readFileSync(script.out))) {
        throw new Error(`expected the same rows of both for ${of}, received different ones`);
      }
      rows.push({ what: `${of}: \`wayzone locate\``, usage: own.usage });
      const kind = placed === 'clumped' ? ' clumped' : '';
      bench.measured.set(`locate${kind}`, own.usage).set(`naive${kind}`, script.usage);
      rows.push({ what: '… the naive script', usage: script.usage });
      if (placed === 'clumped') continue;
      for (const library of ['shapely', 'geopandas']) {
        const peer = bench.python(library, [zoneFile, fixFile]);
        rows.push({ what: `… ${library}`, usage: peer?.usage ?? null });
        if (peer !== null && !readFileSync(own.out).equals(readFileSync(peer.out)))
          throw new Error(`expected the rows of ${library} for ${of}, received different ones`);
      }
      const index = bench.at('zones.wzi');
      bench.wayzone(['index', zoneFile, '--out', index, '--force']);
      const indexed = ['locate', index, '--positions', fixFile];
      rows.push({
        what: '… `wayzone locate` of an index file (.wzi)',
        usage: bench.wayzone([...indexed, '--format', 'ndjson']).usage,
      });
      rows.push({
        what: '… to Parquet',
        usage: bench.wayzone([...indexed, '--out', bench.at('o.parquet'), '--force']).usage,
      });
    }
  }
  return table('Zones of positions, CSV and GeoJSON to NDJSON', rows);
}

function tracksTable(bench: Jobs, quick: boolean): string {
  const rows: Row[] = [];
  for (const fixes of quick ? [1000] : [10_000, 100_000, 1_000_000]) {
    const zoneFile = writeZones(bench.at('zones.geojson'), fixes / 10);
    const fixFile = writeFixes(bench.at('fixes.csv'), fixes);
    const visits = ['visits', '--zones', zoneFile, '--tracks', fixFile, '--format', 'ndjson'];
    const found = bench.wayzone(visits).usage;
    const moved = bench.wayzone(['movement', fixFile]).usage;
    bench.measured.set('visits', found).set('movement', moved);
    rows.push({ what: `${count(fixes)} fixes × ${count(fixes / 10)} zones: \`visits\``, usage: found });
    rows.push({ what: `${count(fixes)} fixes: \`movement\``, usage: moved });
  }
  return table('Visits and movement', rows);
}

function zonesTable(bench: Jobs, quick: boolean): string {
  const rows: Row[] = [];
  const zones = quick ? 100 : 100_000;
  for (const [decimals, closed] of [
    [15, true],
    [15, false],
    [6, false],
  ] as const) {
    const file = writeZones(bench.at('zones.geojson'), zones, { decimals, closed, vertices: 20 });
    const of = `${count(zones)} zones, 20 vertices, ${decimals} decimals, ${closed ? 'closed' : 'open'}`;
    const own = bench.wayzone(['convert', file, bench.at('a.kml'), '--force']).usage;
    rows.push({ what: `${of}: \`convert\` to KML`, usage: own });
    const script = fileURLToPath(new URL('peers/naiveToKml.mjs', import.meta.url));
    rows.push({
      what: '… the naive script: JSON.parse and tokml',
      usage: bench.node([script, file, bench.at('b.kml')]).usage,
    });
    if (!closed) continue;
    const ogr = bench.ogr(['-f', 'KML', bench.at('c.kml'), file]);
    if (ogr !== null) {
      rows.push({ what: '… `ogr2ogr -f KML`', usage: ogr });
      bench.measured.set('convert', own).set('ogr2ogr', ogr);
    }
    rows.push({
      what: '… and back: `convert` to GeoJSON',
      usage: bench.wayzone(['convert', bench.at('a.kml'), bench.at('d.geojson')]).usage,
    });
    const { usage } = bench.node([PROBE, 'kml', bench.at('a.kml')]);
    rows.push({ what: '… `fromKml` of it alone', usage });
    bench.measured.set('kml', usage);
    for (const name of ['a.kml', 'b.kml', 'c.kml', 'd.geojson']) rmSync(bench.at(name), { force: true });
  }
  return table('Zones, GeoJSON to KML and back', rows);
}

/** Times library calls. The first row only loads the library. */
function readersTable(bench: Jobs, quick: boolean): string {
  const rows: Row[] = [];
  const fixes = quick ? 1000 : 1_000_000;
  const probe = (what: string, ...args: string[]): void => {
    const { usage } = bench.node([PROBE, ...args]);
    rows.push({ what, usage });
    // The goals use the first shape of file, which is the usual one.
    const name = args[0]!.replace('-', ' ');
    if (!bench.measured.has(name)) bench.measured.set(name, usage);
  };
  probe('nothing but the library', 'nothing');
  const shapes = [
    ['6 decimals, ISO times', {}],
    ['all cells quoted, `;`', { quoted: true, delimiter: ';' }],
    ['15 decimals, epoch, CR LF, tabs', { decimals: 15, time: 'epoch', lineEnd: '\r\n', delimiter: '\t' }],
  ] as const;
  for (const [name, shape] of shapes) {
    const file = writeFixes(bench.at('fixes.csv'), fixes, shape);
    probe(`\`readCsv\`, ${count(fixes)} rows, ${name}: columns`, 'csv-columns', file);
    if (name === shapes[0][0]) {
      probe('… as fixes', 'csv-fixes', file);
      probe('… csv-parse alone, its rows thrown away', 'csv-parse', file);
      probe('… written as Parquet by `toParquet`', 'to-parquet', file, bench.at('fixes.parquet'));
      probe('`readParquet`, the same rows: columns', 'parquet', bench.at('fixes.parquet'));
    }
  }
  const zones = quick ? 100 : 100_000;
  for (const pretty of [false, true]) {
    const file = writeZones(bench.at('zones.geojson'), zones, { pretty });
    const of = `${count(zones)} zones${pretty ? ', pretty-printed' : ''}`;
    probe(`\`fromGeoJson\`, ${of}`, 'geojson', file);
    probe('… `readGeoJson` in chunks', 'geojson-chunks', file);
    probe('… into columns, as `locate` and `visits` read it', 'geojson-flat', file);
    probe('… `JSON.parse` alone', 'json', file);
  }
  return table('Reading in the library', rows);
}

function table(title: string, rows: readonly Row[]): string {
  const body = rows.map(({ what, usage }) => {
    if (usage === null) return `| ${what} | not installed | | | |`;
    const { cpuSeconds, wallSeconds, megabytes, outputBytes } = usage;
    const out = outputBytes === 0 ? '' : (outputBytes / 1e6).toFixed(1);
    return `| ${what} | ${cpuSeconds.toFixed(2)} | ${wallSeconds.toFixed(2)} | ${megabytes.toFixed(0)} | ${out} |`;
  });
  const head = '| | processor s | wall s | greatest memory, MB | printed, MB |';
  return [`### ${title}`, '', head, '|---|---|---|---|---|', ...body, ''].join('\n');
}

function count(value: number): string {
  return value.toLocaleString('en');
}
