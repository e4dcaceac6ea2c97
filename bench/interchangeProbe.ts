/**
 * Does one piece of work and prints as JSON the processor time and the peak memory of the process.
 *
 * `base`: nothing. `whole WRITER COUNT`: writes polygons as one text by a writer of `WRITERS`, after a warm-up. `write COUNT`: streams
 * polygons as KML and discards the text. `make FORMAT BYTES FILE`: writes a file of about that size. `read FORMAT FILE`: reads one.
 */

import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import type { Fix } from '../src/core/fix.js';
import { readGpx, readKml, writeGpx, writeKml } from '../src/interchange/index.js';
import { WRITERS, type WriterName } from './interchangeWriters.js';
import { zonesOf } from './interchangeZones.js';

export interface Probe {
  readonly milliseconds: number;
  readonly megabytes: number;
  /** Number of Placemarks or fixes read or written, or bytes of a stream. */
  readonly count: number;
}

const [work = '', ...args] = process.argv.slice(2);
let start = process.cpuUsage();
let end: NodeJS.CpuUsage | null = null as NodeJS.CpuUsage | null;
const count = await run(work, args);
const { user, system } = end ?? process.cpuUsage(start);
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(
  JSON.stringify({ milliseconds: (user + system) / 1000, megabytes, count } satisfies Probe),
);

async function run(what: string, [first = '', second = '', third = '']: readonly string[]): Promise<number> {
  if (what === 'whole') {
    const prepare = WRITERS[first as WriterName];
    prepare([...zonesOf(3000)])();
    const write = prepare([...zonesOf(Number(second))]);
    start = process.cpuUsage();
    const text = write();
    end = process.cpuUsage(start);
    return text.split('<Placemark').length - 1;
  }
  if (what === 'write') {
    let bytes = 0;
    await writeKml(zonesOf(Number(first)), (chunk) => {
      bytes += Buffer.byteLength(chunk);
    });
    return bytes;
  }
  if (what === 'make') {
    await make(first, Number(second), third);
    return 0;
  }
  if (what === 'read') {
    const source = createReadStream(second);
    if (first === 'kml') return (await readKml(source)).value.zones.length;
    return (await readGpx(source)).value.tracks[0]?.fixes.length ?? 0;
  }
  return 0;
}

async function make(format: string, bytes: number, file: string): Promise<void> {
  const out = createWriteStream(file);
  const sink = async (chunk: string): Promise<void> => {
    if (!out.write(chunk)) await once(out, 'drain');
  };
  if (format === 'kml') await writeKml(zonesOf(Math.round(bytes / 1245)), sink);
  else {
    const fixes = Array.from(
      { length: Math.round(bytes / 96.5) },
      (_, i): Fix => ({
        time: 1_767_225_600_000 + i * 1000,
        lon: (i % 17_000) / 100 + 1e-6,
        lat: (i % 9000) / 100,
        altitudeMeters: i % 300,
      }),
    );
    await writeGpx({ tracks: [{ name: 'T', unitId: 'T', fixes }] }, sink);
  }
  out.end();
  await once(out, 'close');
}
