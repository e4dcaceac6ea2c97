/** The units of a company and their trailers, as pairs whose meetings are followed. */

import { sql } from 'kysely';
import { timeZoneOf } from '../storage/companyOf.js';
import type { Storage } from '../storage/storage.js';
import { type CellPart, isOf } from './cellMap.js';

/** A unit and one of its trailers, which is a unit as well. */
export interface Pair {
  readonly unitId: string;
  readonly trailerId: string;
  /** The pair is together up to this distance, metres. */
  readonly meters: number;
  /** Local dates `yyyy-MM-dd` on which the assignment begins and ends, both included; null: not bounded. */
  readonly fromDate: string | null;
  readonly toDate: string | null;
}

export interface PairSource {
  /** The pairs whose first unit belongs to the part, sorted by ids. Those of a change are used within a minute. */
  of(companyId: string, part: CellPart): Promise<readonly Pair[]>;
  /** The company's local date `yyyy-MM-dd` at a time, epoch milliseconds. */
  dateOf(companyId: string, time: number): Promise<string>;
}

/** Distance of a trailer that names none, metres. */
export const TRAILER_METERS = 50;
/** Milliseconds for which the pairs of a company are remembered. */
const KNOWN_MS = 60_000;

interface Known {
  readonly until: number;
  readonly pairs: readonly Pair[];
  readonly dates: Intl.DateTimeFormat;
}

/** `now`: a clock in milliseconds. */
export function pairSource(
  { db }: Pick<Storage, 'db'>,
  now: () => number = () => performance.now(),
): PairSource {
  const known = new Map<string, Promise<Known>>();
  const read = async (companyId: string): Promise<Known> => {
    const { rows } = await sql<{ id: string; trailers: unknown }>`
      select id, row->'trailers' as trailers from units
      where company_id = ${companyId} and not is_delete and row ? 'trailers'`.execute(db);
    const named = rows.flatMap(({ id, trailers }) => pairsOf(id, trailers));
    // Rows from before the check of trailers may name units of others.
    const { rows: own } = await sql<{ id: string }>`
      select id from units where company_id = ${companyId}
        and id in (select jsonb_array_elements_text(${JSON.stringify(named.map(({ trailerId }) => trailerId))}::jsonb))`.execute(
      db,
    );
    const ids = new Set(own.map(({ id }) => id));
    const timeZone = await timeZoneOf({ db }, companyId);
    return {
      until: now() + KNOWN_MS,
      pairs: named.filter(({ trailerId }) => ids.has(trailerId)).sort(byIds),
      dates: new Intl.DateTimeFormat('en-CA', { timeZone }),
    };
  };
  const knownOf = async (companyId: string): Promise<Known> => {
    const before = await known.get(companyId);
    if (before !== undefined && before.until > now()) return before;
    const reading = read(companyId);
    known.set(companyId, reading);
    // A failed read is tried again.
    reading.catch(() => known.delete(companyId));
    return reading;
  };
  return {
    async of(companyId, part) {
      const { pairs } = await knownOf(companyId);
      return pairs.filter(({ unitId }) => isOf(part, unitId));
    },
    dateOf: async (companyId, time) => (await knownOf(companyId)).dates.format(time),
  };
}

/** Reads the field `trailers` of a unit: `{trailer: {id}, date_from, date_to, meters}`. Entries without the id of another unit are left out. */
export function pairsOf(unitId: string, trailers: unknown): Pair[] {
  if (!Array.isArray(trailers)) return [];
  return trailers.flatMap((entry: unknown): Pair[] => {
    const { trailer, date_from: from, date_to: to, meters } = Object(entry) as Record<string, unknown>;
    const { id } = Object(trailer) as { readonly id?: unknown };
    if (typeof id !== 'string' || id === unitId) return [];
    const isDistance = typeof meters === 'number' && Number.isFinite(meters) && meters > 0;
    return [
      {
        unitId,
        trailerId: id,
        meters: isDistance ? meters : TRAILER_METERS,
        fromDate: dateOf(from),
        toDate: dateOf(to),
      },
    ];
  });
}

function dateOf(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? value.slice(0, 10) : null;
}

function byIds(a: Pair, b: Pair): number {
  return a.unitId === b.unitId ? (a.trailerId < b.trailerId ? -1 : 1) : a.unitId < b.unitId ? -1 : 1;
}
