/** Reads a file as complete, validated rows of geozones, with every issue. */

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { completeGeozone, type ForeignData, type Geozone, WayzoneError } from 'wayzone';
import { fromKmz, readCsv, readGeoJson, readGpx, readKml } from 'wayzone/interchange';
import { validateGeozone } from 'wayzone/schemas';
import { settable } from '../resources/settable.js';
import { checkText } from '../storage/checkText.js';
import type { ImportFormat, JobOptions, JobValue } from './jobTypes.js';
import type { Pipe } from './pipe.js';

type Chunks = AsyncIterable<Uint8Array>;
type Reader = (chunks: Chunks) => Promise<ForeignData>;

const READERS = {
  kml: (chunks) => readKml(chunks),
  kmz: async (chunks) => fromKmz(await bytesOf(chunks)),
  geojson: (chunks) => readGeoJson(chunks),
  json: (chunks) => readGeoJson(chunks),
  gpx: (chunks) => readGpx(chunks),
  csv: (chunks) => readCsv(chunks),
} as const satisfies Record<ImportFormat, Reader>;

/** Number of rows in a page. */
const PAGE = 500;

export async function importJob(
  pipe: Pipe,
  { format, created, isDry }: JobOptions['import'],
): Promise<JobValue['import']> {
  const { value, issues } = await READERS[format](pipe.pieces() as AsyncGenerator<Uint8Array>);
  const isRefused = issues.some(({ severity }) => severity === 'error');
  const { zones } = value;
  for (let from = 0; from < zones.length; from += PAGE) {
    const page = zones.slice(from, from + PAGE).map((zone, i) => prepared(zone, from + i, created));
    // Lets other jobs of the thread run.
    await setImmediate();
    if (isDry || isRefused) continue;
    const bytes = new TextEncoder().encode(`[${page.join(',')}]`);
    if (!(await pipe.send(bytes, [bytes.buffer]))) break;
  }
  return { read: zones.length, issues };
}

async function bytesOf(chunks: Chunks): Promise<Uint8Array> {
  const list: Uint8Array[] = [];
  for await (const chunk of chunks) list.push(chunk);
  return Buffer.concat(list);
}

/** The JSON of a row. It gets a new id, so that a file can be imported twice. A file neither shares nor deletes its zones. */
function prepared(zone: Geozone, i: number, created: string): string {
  try {
    const { companies: _, ...rest } = settable(zone) as Partial<Geozone>;
    const complete = completeGeozone(validateGeozone(rest), { onIssue: () => {} });
    const row = { ...complete, id: randomUUID(), created };
    const text = JSON.stringify(row);
    checkText(row, text);
    return text;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const errors = error.errors.map((one) => ({ ...one, field: `zones[${i}].${one.field}` }));
    throw new WayzoneError(error.code, `zones[${i}].${error.field}`, error.message, { errors });
  }
}
