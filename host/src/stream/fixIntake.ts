/** Commits fixes to the history and to the order of arrival of their cells, in one statement. Requests share statements, fairly by company. */

import { sql } from 'kysely';
import { WayzoneError } from 'wayzone';
import { grouped } from '../grouped.js';
import type { UnitFix } from '../live/fixes.js';
import { columnOf } from '../storage/entryColumns.js';
import type { FixDays } from '../storage/fixDays.js';
import { PREPARED } from '../storage/prepared.js';
import type { Storage } from '../storage/storage.js';
import type { Cell, CellMap } from './cellMap.js';
import { accuracyOf, isPreferred, isUsable } from './fixOrder.js';
import { gather } from './gather.js';
import { encodeFixes } from './message.js';

export interface IntakeOptions {
  readonly storage: Storage;
  readonly days: FixDays;
  readonly cells: CellMap;
  /** Epoch milliseconds; null: the clock of the database. */
  readonly now: (() => number) | null;
  /** Called with the cells of committed fixes. */
  readonly onTaken: (cells: Iterable<number>) => void;
}

/** For each cell, the sequence number of the last message with fixes of this call. */
export type Taken = ReadonlyMap<number, number>;

/** Resolves when the fixes are committed, in their order. */
export type FixIntake = (companyId: string, fixes: readonly UnitFix[]) => Promise<Taken>;

/** Fixes of a company, and of all companies, in one statement. */
const MOST_OF_COMPANY = 1000;
const MOST_FIXES = 3000;
/** Statements at a time. */
const MOST_FLUSHES = 3;
/** Statements begin at least so far apart, so that requests with single fixes share them, milliseconds. */
const GATHER_MS = 15;
/** Cells may be divided so often while a statement is tried again. */
const MOST_TRIES = 8;
/** SQLSTATE of a fix whose day has no partition. */
const NO_DAY = '23514';

interface Item {
  readonly companyId: string;
  readonly fixes: readonly UnitFix[];
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}

export function fixIntake({ storage, days, cells, now, onTaken }: IntakeOptions): FixIntake {
  const { db, url } = storage;
  const most = url === null ? 1 : MOST_FLUSHES;
  /** Companies in the order of their turns. */
  const queues = new Map<string, Item[]>();
  /** Companies with a statement under way: the next one would not keep their order. */
  const busy = new Set<string>();
  let running = 0;
  const gathered = gather(GATHER_MS);
  let isGathering = false;

  /** Writes nothing and returns null if some cell was divided or belongs to another company. */
  const insertOnce = async (items: readonly Item[]): Promise<((item: Item) => Taken) | null> => {
    const parts: (Cell & { companyId: string; payload: Uint8Array })[] = [];
    const cellsOf = new Map<Item, Set<number>>();
    for (const [companyId, own] of grouped(items, (item) => item.companyId)) {
      const map = await cells.of(companyId);
      const byCell = new Map<Cell, UnitFix[]>();
      for (const item of own) {
        const ofItem = grouped(item.fixes, ({ unitId }) => map.of(unitId));
        for (const [cell, some] of ofItem) {
          const known = byCell.get(cell);
          if (known === undefined) byCell.set(cell, some);
          else for (const one of some) known.push(one);
        }
        cellsOf.set(item, new Set([...ofItem.keys()].map(({ cell }) => cell)));
      }
      for (const [cell, some] of byCell)
        parts.push({ ...cell, companyId, payload: encodeFixes(companyId, some) });
    }
    parts.sort((a, b) => a.cell - b.cell);
    const best = bestOf(items);
    await days.ensure(best.map(({ fix }) => fix.time));
    let start = 1;
    const starts = parts.map(({ payload }) => {
      const at = start;
      start += payload.length;
      return at;
    });
    const companyIds = parts.map(({ companyId }) => companyId);
    const { rows } = await sql<{ cell: number; seq: string }>`${PREPARED}
      with locked as materialized (
        select l.cell from unnest(${columnOf(parts.map(({ cell }) => cell))}::int[], ${companyIds}::text[],
          ${columnOf(parts.map(({ modulus }) => modulus))}::int[], ${columnOf(parts.map(({ residue }) => residue))}::int[]) as g(cell, company_id, modulus, residue)
        cross join lateral (
          select c.cell from cells c where c.cell = g.cell and c.company_id = g.company_id
            and c.modulus = g.modulus and c.residue = g.residue and c.last is null for no key update
        ) as l
      ), heads as materialized (
        update cells c set head = c.head + 1 from locked l
        where c.cell = l.cell and (select count(*) from locked) = ${parts.length}::int returning c.cell, c.company_id, c.head
      ), history as (
        insert into fixes (unit_id, time, lon, lat, is_usable, accuracy, more)
        select * from unnest(${best.map(({ unitId }) => unitId)}::text[],
          ${columnOf(best.map(({ fix }) => Math.round(fix.time)))}::bigint[],
          ${columnOf(best.map(({ fix }) => fix.lon))}::float8[], ${columnOf(best.map(({ fix }) => fix.lat))}::float8[],
          ${columnOf(best.map(({ fix }) => isUsable(fix)))}::boolean[],
          ${columnOf(best.map(({ fix }) => accuracyOf(fix)))}::float8[], ${columnOf(best.map(({ fix }) => moreOf(fix)))}::text[])
        where (select count(*) from heads) = ${parts.length}::int
        on conflict (unit_id, time) do update
        set lon = excluded.lon, lat = excluded.lat, is_usable = excluded.is_usable, accuracy = excluded.accuracy,
          more = excluded.more
        where (not excluded.is_usable, coalesce(excluded.accuracy, 'infinity'), excluded.lon, excluded.lat)
          < (not fixes.is_usable, coalesce(fixes.accuracy, 'infinity'), fixes.lon, fixes.lat)
      )
      insert into cell_messages (cell, seq, stamp, payload)
      select h.cell, h.head, coalesce(${now === null ? null : now()}::bigint, floor(1000 * extract(epoch from clock_timestamp()))::bigint),
        substring(${Buffer.concat(parts.map(({ payload }) => payload))}::bytea from g.s for g.l)
      from unnest(${columnOf(parts.map(({ cell }) => cell))}::int[], ${companyIds}::text[], ${starts}::int[], ${parts.map(({ payload }) => payload.length)}::int[]) as g(cell, company_id, s, l)
      join heads h on h.cell = g.cell and h.company_id = g.company_id
      returning cell, seq`.execute(db);
    if (rows.length < parts.length) return null;
    return (item) =>
      new Map(rows.flatMap(({ cell, seq }) => (cellsOf.get(item)!.has(cell) ? [[cell, Number(seq)]] : [])));
  };
  /** Reads cells and days again that were divided, or that a server lost with its last writes. */
  const insert = async (items: readonly Item[]): Promise<(item: Item) => Taken> => {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const taken = await insertOnce(items).catch((error: unknown) => {
        if (tries === MOST_TRIES || Object(error).code !== NO_DAY) throw error;
        return null;
      });
      if (taken !== null) return taken;
      days.forget();
      for (const { companyId } of items) cells.forget(companyId);
    }
    throw new Error('expected open cells of the company, received closed ones or those of another one');
  };
  /** The next requests: those of companies in turn. */
  const next = (): Item[] => {
    const items: Item[] = [];
    let count = 0;
    // A copy: companies whose requests are left go behind the others.
    for (const [companyId, queue] of Array.from(queues)) {
      if (busy.has(companyId)) continue;
      busy.add(companyId);
      queues.delete(companyId);
      for (
        let own = 0;
        queue.length > 0 && (own === 0 || own + queue[0]!.fixes.length <= MOST_OF_COMPANY);
      ) {
        const item = queue.shift()!;
        own += item.fixes.length;
        count += item.fixes.length;
        items.push(item);
      }
      // Behind the other companies.
      if (queue.length > 0) queues.set(companyId, queue);
      if (count >= MOST_FIXES) break;
    }
    return items;
  };
  const flush = async (items: readonly Item[]): Promise<void> => {
    try {
      const taken = await insert(items);
      for (const item of items) {
        const own = taken(item);
        item.resolve(own);
        onTaken(own.keys());
      }
    } catch (error) {
      // One request must not fail for another.
      if (items.length > 1 && isRefused(error)) for (const item of items) await flush([item]);
      else for (const { reject } of items) reject(error);
    }
  };
  const drain = async (): Promise<void> => {
    running++;
    for (;;) {
      isGathering = true;
      await gathered.begin();
      isGathering = false;
      const items = next();
      gathered.had(items.length);
      if (items.length === 0) break;
      await flush(items);
      for (const { companyId } of items) busy.delete(companyId);
      if (isGathering || queues.size === 0) break;
    }
    running--;
  };

  return async (companyId, fixes) => {
    const taken: Promise<Taken>[] = [];
    for (let from = 0; from < fixes.length; from += MOST_OF_COMPANY)
      taken.push(
        new Promise((resolve, reject) => {
          const queue = queues.get(companyId) ?? [];
          queues.set(companyId, queue);
          queue.push({ companyId, fixes: fixes.slice(from, from + MOST_OF_COMPANY), resolve, reject });
        }),
      );
    if (running < most && !isGathering && !busy.has(companyId)) void drain();
    const last = new Map<number, number>();
    for (const one of await Promise.all(taken))
      for (const [cell, seq] of one) last.set(cell, Math.max(seq, last.get(cell) ?? 0));
    return last;
  };
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation), and texts that cannot be stored. */
function isRefused(error: unknown): boolean {
  return error instanceof WayzoneError || /^2[23]/.test(String((error as { readonly code?: unknown }).code));
}

/** The preferred fix of each unit and time: one statement cannot write a row twice. */
function bestOf(items: readonly Item[]): UnitFix[] {
  const best = new Map<string, UnitFix>();
  for (const { fixes } of items)
    for (const one of fixes) {
      const key = `${Math.round(one.fix.time)} ${one.unitId}`;
      const known = best.get(key);
      if (known === undefined || isPreferred(one.fix, known.fix)) best.set(key, one);
    }
  return [...best.values()];
}

function moreOf(fix: UnitFix['fix']): string | null {
  const { time: _, lon: _lon, lat: _lat, accuracyMeters: _accuracy, ...more } = fix;
  for (const _key in more) return JSON.stringify(more);
  return null;
}
