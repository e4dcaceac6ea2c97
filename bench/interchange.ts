/** Times writing KML beside @placemarkio/tokml and xmlbuilder2, the memory of streams, and the rejection of bombs and traps. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTraps } from '../test/interchange/runTraps.js';
import type { Probe } from './interchangeProbe.js';

/** Runs `interchangeProbe` with these arguments in a process of its own. */
function probe(...args: readonly (string | number)[]): Probe {
  const script = fileURLToPath(new URL('interchangeProbe.ts', import.meta.url));
  const text = execFileSync(process.execPath, [...process.execArgv, script, ...args.map(String)], {
    encoding: 'utf8',
  });
  return JSON.parse(text) as Probe;
}

function rows(title: string, head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [`### ${title}`, '', line(head), line(head.map(() => '---')), ...body.map(line), ''].join('\n');
}

function seconds({ milliseconds }: Probe): string {
  return (milliseconds / 1000).toFixed(2);
}

/** Runs each stream in a process of its own, so that the measured memory is that of the stream. The first row is Node with the code loaded. */
function probes(quick: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-bench-'));
  try {
    const bytes = quick ? 5_000_000 : 50_000_000;
    const body = [['nothing', '', probe('base').megabytes.toFixed(0)]];
    for (const count of quick ? [1000, 10_000] : [10_000, 100_000, 400_000]) {
      const written = probe('write', count);
      const what = `writeKml, ${count.toLocaleString('en')} polygons (${(written.count / 1e6).toFixed(0)} MB)`;
      body.push([what, seconds(written), written.megabytes.toFixed(0)]);
    }
    for (const [format, things] of [
      ['kml', 'polygons'],
      ['gpx', 'fixes'],
    ] as const) {
      const file = join(folder, `a.${format}`);
      probe('make', format, bytes, file);
      const read = probe('read', format, file);
      const size = `${(statSync(file).size / 1e6).toFixed(0)} MB, ${read.count.toLocaleString('en')} ${things}`;
      body.push([
        `read${format === 'kml' ? 'Kml' : 'Gpx'}, ${size}`,
        seconds(read),
        read.megabytes.toFixed(0),
      ]);
    }
    const title = 'Streams: processor seconds and the greatest memory of the whole process, MB';
    return rows(title, ['', 's', 'MB'], body);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Time and memory to refuse each bomb and trap of the tests. Throws if one takes more than 64 MiB above its input. */
function traps(): string {
  const results = runTraps(process.execArgv).sort((a, b) => b.milliseconds - a.milliseconds);
  const bytes = Math.max(...results.map(({ bytesOver }) => bytesOver));
  if (bytes > 64 * 1_048_576)
    throw new Error(`expected at most 64 MiB over the input, received ${bytes} bytes`);
  const body = results
    .slice(0, 5)
    .map(({ what, milliseconds, bytesOver }) => [
      what,
      milliseconds.toFixed(1),
      (bytesOver / 1_048_576).toFixed(1),
    ]);
  const title = `${results.length} bombs and traps refused, cold, one after another: the slowest five (none takes more than ${Math.ceil(bytes / 1_048_576)} MiB)`;
  return rows(title, ['', 'processor ms', 'MiB over the input'], body);
}

/** Runs each writer in a process of its own. Throws if one did not write every Placemark. */
function writers(count: number): string {
  const names = {
    toKml: 'toKml (styles and every field)',
    tokml: '@placemarkio/tokml (no styles)',
    xmlbuilder2: 'xmlbuilder2 create() (no styles)',
  };
  const results = Object.entries(names).map(([writer, name]) => ({ name, ...probe('whole', writer, count) }));
  const first = results[0]!.milliseconds;
  const body = results.map(({ name, milliseconds, megabytes, count: written }) => {
    if (written !== count) throw new Error(`${name} wrote ${written} Placemarks of ${count}`);
    return [name, (milliseconds / 1000).toFixed(2), (milliseconds / first).toFixed(2), megabytes.toFixed(0)];
  });
  const title = `Zones written as KML text, ${count.toLocaleString('en')} polygons of 11 positions: processor seconds`;
  return rows(title, ['', 's', 'times the first', 'greatest memory, MB'], body);
}

export function interchangeBench(quick: boolean): string {
  return [writers(quick ? 5000 : 100_000), probes(quick), traps()].join('\n');
}
