/** The thread behind `zoneLists.ts`: holds the heads of companies' geozones, filters and sorts them. */

import { parentPort } from 'node:worker_threads';
import { type FilterQuery, filterGeozones, selectForExport } from 'wayzone/listing';
import { lowerPriority } from './lowerPriority.js';
import { type SentError, sentError } from './sentError.js';
import type { ZoneHead } from './zoneHead.js';
import type { Question, QuestionName } from './zoneLists.js';

lowerPriority('thread');

interface Company {
  readonly heads: Map<string, ZoneHead>;
  /** Sorted heads by sort request. Cleared when a head changes. */
  readonly orders: Map<string, readonly ZoneHead[]>;
}

/** Sorts kept per company; 0.8 MB each at 100,000 zones. */
const MOST_ORDERS = 12;

const companies = new Map<string, Company>();
/** Companies that are being read again; `commit` moves them to `companies`. */
const coming = new Map<string, Company>();

const fresh = (): Company => ({ heads: new Map(), orders: new Map() });

const ANSWERS: { readonly [Name in QuestionName]: (question: Question[Name]) => unknown } = {
  begin: ({ companyId }) => void coming.set(companyId, fresh()),
  add: ({ companyId, heads }) => {
    const company = coming.get(companyId);
    for (const head of JSON.parse(heads) as ZoneHead[]) company?.heads.set(head.id, head);
  },
  commit: ({ companyId }) => {
    const company = coming.get(companyId);
    if (company !== undefined) companies.set(companyId, company);
    coming.delete(companyId);
  },
  change: ({ companyId, heads }) => {
    const company = companies.get(companyId);
    for (const head of heads) company?.heads.set(head.id, head);
    company?.orders.clear();
  },
  drop: ({ companyId }) => {
    companies.delete(companyId);
    coming.delete(companyId);
  },
  filter: ({ companyId, query, language, timeZone }) => {
    const company = companies.get(companyId);
    return company === undefined ? null : pageOf(company, query, { language, timeZone });
  },
  select: ({ companyId, groups, request }) => {
    const company = companies.get(companyId);
    if (company === undefined) return null;
    return selectForExport([...company.heads.values()], groups, request).map(({ id }) => id);
  },
};

/** The requested page. Filtering keeps the order, so the heads are sorted once and later requests only filter them. */
function pageOf(
  { heads, orders }: Company,
  query: FilterQuery,
  options: { readonly language: string; readonly timeZone: string },
): { max: number; ids: string[] } {
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

parentPort!.on(
  'message',
  <Name extends QuestionName>({
    number,
    name,
    question,
  }: {
    number: number;
    name: Name;
    question: Question[Name];
  }) => {
    let answer: { readonly value: unknown } | { readonly error: SentError };
    try {
      answer = { value: ANSWERS[name](question) };
    } catch (error) {
      answer = { error: sentError(error) };
    }
    parentPort!.postMessage({ number, ...answer });
  },
);
