/** Filters and sorts geozones by their heads, which a process keeps from one list to the next. */

import { type FilterQuery, filterGeozones, selectForExport } from 'wayzone/listing';
import type { ComputeInput } from './computeTypes.js';
import type { ZoneHead } from './zoneHead.js';

export interface ListedZones {
  readonly heads: Map<string, ZoneHead>;
  /** Sorted heads by sort request. */
  readonly orders: Map<string, readonly ZoneHead[]>;
  /** The changes that the heads have beside the base, as text. */
  changes: string;
}

/** Sorts kept per company; 0.8 MB each at 100,000 zones. */
const MOST_ORDERS = 12;
const LINE_FEED = 10;
/** Size of the parts in which heads are parsed, bytes: V8 allows no text of any size. */
const PART_BYTES = 4_000_000;

/** Those of each base that this process keeps. */
const known = new WeakMap<Uint8Array, ListedZones>();

/**
 * The geozones of a base (heads as JSON texts, each with a line feed) with the `changes` since: heads as pages of JSON texts joined with commas.
 * The same base must come with all changes each time.
 */
export function listedZones(base: Uint8Array, changes: readonly string[]): ListedZones {
  const zones = known.get(base) ?? { heads: parsed(base), orders: new Map(), changes: '' };
  known.set(base, zones);
  const text = changes.join(',');
  if (text !== zones.changes) {
    for (const head of JSON.parse(`[${text}]`) as ZoneHead[]) zones.heads.set(head.id, head);
    zones.orders.clear();
    zones.changes = text;
  }
  return zones;
}

function parsed(base: Uint8Array): Map<string, ZoneHead> {
  const heads = new Map<string, ZoneHead>();
  const bytes = Buffer.from(base.buffer, base.byteOffset, base.length);
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, Math.min(from + PART_BYTES, bytes.length - 1));
    const list = bytes.toString('utf8', from, end).replaceAll('\n', ',');
    for (const head of JSON.parse(`[${list}]`) as ZoneHead[]) heads.set(head.id, head);
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
  const { max, list } = filterGeozones(rows, rest, options);
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

/** Ids of the geozones that an export request names. */
export function selectedZones(
  { heads }: ListedZones,
  { groups, request }: ComputeInput['zoneSelection'],
): string[] {
  return selectForExport([...heads.values()], groups, request).map(({ id }) => id);
}
