/** Filters and sorts geozones by their heads, which a process keeps from one list to the next. */

import { ZoneIndex } from 'wayzone';
import { type FilterQuery, filterGeozones, selectForExport } from 'wayzone/listing';
import {
  type ComputeInput,
  type JobOptions,
  type JobValue,
  rowsOf,
  type StoredZone,
} from '../jobs/jobTypes.js';
import { type Pipe, sendBytes } from '../jobs/pipe.js';
import { type HeadCells, headReader, readZoneFile, writeZoneFile, type ZoneHead } from '../jobs/zoneFile.js';

/** Minimum number of rows for a file. Smaller companies are read from the database as fast as from a file. */
const LEAST_SAVED = 2000;

export interface ListedZones {
  readonly heads: Map<string, ZoneHead>;
  /** Sorted heads by sort request. */
  readonly orders: Map<string, readonly ZoneHead[]>;
  /** The changes that the heads have beside the base, as text. */
  changes: string;
  /** The heads that these changes replaced, by id. */
  readonly replaced: Map<string, ZoneHead | undefined>;
}

/** Sorts kept per company; 0.8 MB each at 100,000 zones. */
const MOST_ORDERS = 12;
const LINE_FEED = 10;
/** Size of the parts in which heads are parsed, bytes: V8 allows no text of any size. */
const PART_BYTES = 4_000_000;

/** The listed zones of each base that this process keeps. */
const known = new WeakMap<Uint8Array, ListedZones>();

/** The geozones of a base (lines of heads as JSON texts joined with commas) with all `changes` since: pages of such texts. */
export function listedZones(base: Uint8Array, changes: readonly string[]): ListedZones {
  const zones = known.get(base) ?? {
    heads: parsed(base),
    orders: new Map(),
    changes: '',
    replaced: new Map(),
  };
  known.set(base, zones);
  const text = changes.join(',');
  if (text !== zones.changes) {
    change(zones, headsOf(text, headReader()));
    zones.changes = text;
  }
  return zones;
}

/** Replaces the changes of a question by those of the next one, which may be of an earlier version. */
function change({ heads, orders, replaced }: ListedZones, changed: readonly ZoneHead[]): void {
  for (const [id, head] of replaced) {
    if (head === undefined) heads.delete(id);
    else heads.set(id, head);
  }
  replaced.clear();
  for (const head of changed) {
    if (!replaced.has(head.id)) replaced.set(head.id, heads.get(head.id));
    heads.set(head.id, head);
  }
  orders.clear();
}

const headsOf = (list: string, headOf: (cells: HeadCells) => ZoneHead): ZoneHead[] =>
  (JSON.parse(`[${list}]`) as HeadCells[]).map(headOf);

function parsed(base: Uint8Array): Map<string, ZoneHead> {
  const heads = new Map<string, ZoneHead>();
  const headOf = headReader();
  const bytes = Buffer.from(base.buffer, base.byteOffset, base.length);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, Math.min(from + PART_BYTES, bytes.length - 1));
    const list = bytes.toString('utf8', from, end).replaceAll('\n', ',');
    for (const head of headsOf(list, headOf)) heads.set(head.id, head);
    from = end + 1;
  }
  return heads;
}

/** The requested page. Filtering keeps the order, so the heads are sorted once and later requests only filter them. */
export function zonePage(
  { heads, orders }: ListedZones,
  { query, language, timeZone }: ComputeInput['zoneList'],
): { readonly max: number; readonly ids: readonly string[] } {
  const options = { language, timeZone };
  // Throws all field errors of the request.
  filterGeozones([], query, options);
  const { sortField = null, sortDesc, ...rest } = { ...query };
  let rows: readonly ZoneHead[] | undefined;
  if (sortField === null) rows = [...heads.values()];
  else {
    const key = JSON.stringify([sortField, sortDesc, options]);
    rows = orders.get(key);
    if (rows === undefined) {
      rows = sorted(heads, { sortField, ...(sortDesc === undefined ? {} : { sortDesc }) }, options);
      if (orders.size >= MOST_ORDERS) orders.delete(orders.keys().next().value!);
      orders.set(key, rows);
    }
  }
  const conditions = [...(rest.conditions ?? [])];
  // The sort request also says which rows are listed.
  if (sortField === 'is_delete' && !conditions.some(({ field }) => field === 'is_delete'))
    conditions.push({ field: 'is_delete', value: 'all' });
  const { max, list } = filterGeozones(rows, { ...rest, conditions }, options);
  return { max, ids: list.map(({ id }) => id) };
}

function sorted(
  heads: ReadonlyMap<string, ZoneHead>,
  sort: FilterQuery,
  options: { readonly language: string; readonly timeZone: string },
): readonly ZoneHead[] {
  const all = { ...sort, conditions: [{ field: 'is_delete', value: 'all' }] };
  return filterGeozones([...heads.values()], all, options).list;
}

/** Ids of the geozones that an export request names by themselves or by their groups, and the requested ids that no geozone has. */
export function selectedZones(
  { heads }: ListedZones,
  { groups, request }: ComputeInput['zoneSelection'],
): { readonly ids: readonly string[]; readonly unknown: readonly string[] } {
  const ids = selectForExport([...heads.values()], groups, request).map(({ id }) => id);
  return { ids, unknown: request.geozones.filter((id) => !heads.has(id)) };
}

export async function indexJob(pipe: Pipe, save: JobOptions['index']): Promise<JobValue['index']> {
  const rows: StoredZone[] = [];
  for await (const row of rowsOf(pipe)) rows.push(row);
  const buffer = new ZoneIndex(rows).toBuffer();
  await sendBytes(pipe, new Uint8Array(buffer));
  if (save === null || rows.length < LEAST_SAVED) return false;
  const { path, token, version } = save;
  return writeZoneFile(path, { token, version, buffer });
}

export async function openJob(pipe: Pipe, { path }: JobOptions['open']): Promise<JobValue['open']> {
  const file = readZoneFile(path);
  if (file === null) return null;
  const { token, version, buffer } = file;
  try {
    // Verifies the checksum: a damaged file is not used.
    ZoneIndex.fromBuffer(buffer);
  } catch {
    return null;
  }
  await sendBytes(pipe, new Uint8Array(buffer));
  return { token, version };
}
