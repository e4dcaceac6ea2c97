/** Reads a file as complete, validated rows of geozones, with every issue. */

import { randomUUID } from 'node:crypto';
import {
  completeGeozone,
  type ForeignData,
  type Geozone,
  type Issue,
  type IssueCode,
  WayzoneError,
} from 'wayzone';
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
import type { ImportedTable, ImportFormat, JobOptions, JobValue } from '../jobs/jobTypes.js';
import type { Pipe } from '../jobs/pipe.js';
import { checkText } from '../storage/checkText.js';
import { oneShape } from '../zones/oneShape.js';
import { settable } from './completeRow.js';

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
/** Number of issues in an answer. */
const MOST_ISSUES = 10_000;

export async function importJob(
  pipe: Pipe,
  { format, created, isDry, isPartial = false, hints = {} }: JobOptions['import'],
): Promise<JobValue['import']> {
  const source = pipe.chunks() as AsyncGenerator<Uint8Array>;
  const data: Read = await READERS[format](source, hints);
  const { value, table = null } = data;
  const missing = missingContent(data, 'zones');
  const issues = missing === null ? [...data.issues] : [...data.issues, missing];
  const hasErrors = (): boolean => issues.some(({ severity }) => severity === 'error');
  const nameless = namelessOf(hints.fileName);
  let read = 0;
  for (let from = 0; from < value.zones.length; from += PAGE) {
    const page = value.zones
      .slice(from, from + PAGE)
      .flatMap((zone, i) => prepared(zone, from + i, { created, nameless, issues }));
    read += page.length;
    if (isDry || page.length === 0 || (!isPartial && hasErrors())) continue;
    const bytes = new TextEncoder().encode(`[${page.join(',')}]`);
    if (!(await pipe.send(bytes))) break;
  }
  return { read, issues: issues.slice(0, MOST_ISSUES), isRefused: !isPartial && hasErrors(), table };
}

/** The beginning of names for zones without one: the file's name without folders and ending. */
function namelessOf(fileName: unknown): string {
  const base = typeof fileName === 'string' ? (fileName.split(/[\\/]/).at(-1) ?? '') : '';
  return base.replace(/\.[^.]*$/, '').trim() || 'Zone';
}

async function bytesOf(chunks: Chunks): Promise<Uint8Array> {
  const list: Uint8Array[] = [];
  for await (const chunk of chunks) list.push(chunk);
  return Buffer.concat(list);
}

interface Preparation {
  readonly created: string;
  readonly nameless: string;
  /** Gets each error of a zone, and each name that was made. */
  readonly issues: Issue[];
}

/**
 * The JSON of a row; none for a zone with errors. It gets a new id, so that a file can be imported twice. A file neither shares nor deletes
 * its zones.
 */
function prepared(zone: Geozone, i: number, { created, nameless, issues }: Preparation): string[] {
  try {
    const { companies: _, ...rest } = settable(zone) as Partial<Geozone>;
    const isNamed = zone.name.trim() !== '';
    const name = isNamed ? zone.name : `${nameless} ${i + 1}`;
    const complete = completeGeozone(oneShape(validateGeozone({ ...rest, name }), 'geometry'));
    const row = { ...keepKeys('geozone', complete), id: randomUUID(), created };
    const text = JSON.stringify(row);
    checkText(row, text);
    if (!isNamed)
      issues.push({
        code: 'required',
        severity: 'warning',
        field: `zones[${i}].name`,
        message: `the zone has no name; it is called ${name}`,
      });
    return [text];
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    for (const { reason, field, message } of error.errors)
      issues.push({ code: reason as IssueCode, severity: 'error', field: `zones[${i}].${field}`, message });
    return [];
  }
}
