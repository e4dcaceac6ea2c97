/** Reads a file as complete, validated rows of geozones, with every issue. */

import { randomUUID } from 'node:crypto';
import { completeGeozone, type ForeignData, type Geozone, WayzoneError } from 'wayzone';
import {
  describeTable,
  fromCsv,
  fromKmz,
  missingContent,
  readGeoJson,
  readGpx,
  readKml,
  type TableNoteCode,
} from 'wayzone/interchange';
import { keepKeys, validateGeozone } from 'wayzone/schemas';
import { settable } from '../resources/settable.js';
import { checkText } from '../storage/checkText.js';
import { oneShape } from '../zones/oneShape.js';
import type { ImportedTable, ImportFormat, JobOptions, JobValue } from './jobTypes.js';
import type { Pipe } from './pipe.js';

type Chunks = AsyncIterable<Uint8Array>;
type Hints = NonNullable<JobOptions['import']['hints']>;
type Reader = (chunks: Chunks, hints: Hints) => Promise<Read>;

interface Read extends ForeignData {
  /** Null for files that are not tables, and for plain tables, about which nothing is assumed. */
  readonly table?: ImportedTable | null;
}

const READERS = {
  kml: (chunks) => readKml(chunks),
  kmz: async (chunks) => fromKmz(await bytesOf(chunks)),
  geojson: (chunks) => readGeoJson(chunks, { as: 'zones' }),
  json: (chunks) => readGeoJson(chunks, { as: 'zones' }),
  gpx: (chunks, { timeZone }) => readGpx(chunks, typeof timeZone === 'string' ? { timeZone } : {}),
  csv: readTable,
  tsv: readTable,
  xlsx: readTable,
} as const satisfies Record<ImportFormat, Reader>;

/** A table with what was assumed and is asked about it. */
async function readTable(chunks: Chunks, hints: Hints): Promise<Read> {
  const bytes = await bytesOf(chunks);
  const data = fromCsv(bytes, { table: hints });
  if (!data.issues.some(({ code }) => TABLE_CODES.has(code))) return data;
  const { assumptions, questions } = describeTable(bytes, hints);
  return { ...data, table: { assumptions, questions } };
}

/** Codes of issues of a table that was described before it was read. */
const TABLE_CODES: ReadonlySet<string> = new Set<TableNoteCode>([
  'table-assumed',
  'encoding-unknown',
  'columns-unknown',
  'table-kind',
  'digits-lost',
  'cells-more-than-header',
  'time-zone-missing',
  'date-order-unknown',
  'date-missing',
  'time-format-unknown',
  'coordinate-form-unknown',
  'axis-order-suspect',
  'speed-unit',
  'mileage-unit',
  'radius-unit-unknown',
  'unit-column-unknown',
  'unit-missing',
]);

/** Number of rows in a page. */
const PAGE = 500;

export async function importJob(
  pipe: Pipe,
  { format, created, isDry, hints = {} }: JobOptions['import'],
): Promise<JobValue['import']> {
  const source = pipe.pieces() as AsyncGenerator<Uint8Array>;
  const data: Read = await READERS[format](source, hints);
  const { value, table = null } = data;
  const missing = missingContent(data, 'zones');
  const issues = missing === null ? data.issues : [...data.issues, missing];
  const isRefused = issues.some(({ severity }) => severity === 'error');
  const { zones } = value;
  for (let from = 0; from < zones.length; from += PAGE) {
    const page = zones.slice(from, from + PAGE).map((zone, i) => prepared(zone, from + i, created));
    if (isDry || isRefused) continue;
    const bytes = new TextEncoder().encode(`[${page.join(',')}]`);
    if (!(await pipe.send(bytes))) break;
  }
  return { read: zones.length, issues, table };
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
    const complete = completeGeozone(oneShape(validateGeozone(rest), 'geometry'));
    const row = { ...keepKeys('geozone', complete), id: randomUUID(), created };
    const text = JSON.stringify(row);
    checkText(row, text);
    return text;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const errors = error.errors.map((one) => ({ ...one, field: `zones[${i}].${one.field}` }));
    throw new WayzoneError(error.code, `zones[${i}].${error.field}`, error.message, { errors });
  }
}
