/** Rows of cells that workers read and write: the due ones, their messages, states, and outputs. `commitSealed.ts` writes the outputs. */

import { sql } from 'kysely';
import { ownUnit } from '../live/fixes.js';
import { columnOf } from '../storage/entryColumns.js';
import { PREPARED } from '../storage/prepared.js';
import type { Storage } from '../storage/storage.js';
import type { StoredState } from './cellCore.js';
import { type CellPart, cellMap } from './cellMap.js';
import { commitSealed, refusedUnits, type Sealed } from './commitSealed.js';
import { divideCell, handOver } from './divideCell.js';
import { encodeTick, type GivenUp, type LogMessage } from './message.js';
import { forgetRecords, prunableZones, pruneZones } from './pruneZones.js';
import { type StoredHistory, storedHistory } from './storedHistory.js';

/** A cell with messages after its position, or whose clock is due. */
export interface DueCell {
  readonly cell: number;
  readonly companyId: string;
  readonly version: number;
  readonly head: number;
  readonly position: number;
  readonly isTickDue: boolean;
  /** The last message of a closed cell; null: the cell is open. */
  readonly last: number | null;
  /** When the row was asked for, milliseconds of the steady clock of this process. */
  readonly readAt: number;
}

/** The stored data of a cell from which a worker follows it. */
export interface LoadedCell {
  readonly cell: number;
  readonly part: CellPart;
  readonly companyId: string;
  readonly version: number;
  readonly position: number;
  readonly clock: number;
  readonly replayFrom: number;
  readonly replayClock: number;
  /** Workers that loaded the cell since its last commit. Above 1, a worker ended without a commit. */
  readonly unproven: number;
  /** The unit that the last worker handled alone when it ended, and how often workers ended there; null: none. A worker that loads a cell again has not ended. */
  readonly trying: { readonly seq: number; readonly unitId: string; readonly tries: number } | null;
  readonly alarm: string | null;
  readonly states: readonly StoredState[];
  /** Messages from `replayFrom` on that name no unit: a replay skips them, whatever happened to them since. */
  readonly aside: ReadonlySet<number>;
  /** The units that are set aside, which have no state among `states`. */
  readonly asideUnits: ReadonlyMap<string, AsideUnit>;
  /** The zones' version of the company, and the message after which it applies. */
  readonly zones: ReadonlyMap<string, { readonly seq: number; readonly version: number }>;
}

export interface AsideUnit {
  readonly companyId: string;
  /** The earliest fix that its stored state may lack, epoch milliseconds. */
  readonly from: number;
}

export interface CellStore extends StoredHistory {
  /** Registers the worker, and returns its place among the living workers. */
  beat(workerId: string): Promise<{ readonly place: number; readonly workers: number }>;
  retire(workerId: string): Promise<void>;
  /** The cells of a worker that are due. `now`: epoch milliseconds; null: the clock of the database. */
  due(place: number, workers: number, now: number | null): Promise<readonly DueCell[]>;
  /** Reads a cell, and records that a worker begins with it. null if its version is another one by now. */
  load(cell: number, version: number, owner: string): Promise<LoadedCell | null>;
  /** Adds a tick to each of these cells. */
  tick(cells: readonly number[], now: number | null): Promise<void>;
  /** Messages of cells after a sequence, in order; at most `limit` of each. */
  messages(
    after: ReadonlyMap<number, number>,
    limit: number,
  ): Promise<ReadonlyMap<number, readonly LogMessage[]>>;
  /** The last message of a cell; `stamp` is null if a divided cell had it. */
  head(cell: number): Promise<{ readonly seq: number; readonly stamp: number | null }>;
  /** Writes everything in one transaction. If the version of some cells is another one, or they are locked, returns them and writes nothing. */
  commit(sealed: readonly Sealed[]): Promise<readonly number[]>;
  /** The units whose rows the database refuses, each with the reason. */
  refusedUnits(sealed: Sealed): Promise<ReadonlyMap<string, string>>;
  /** Records that a unit's part of a message is handled alone. */
  recordTry(cell: number, trying: NonNullable<LoadedCell['trying']>): Promise<void>;
  /** Deletes fixes of a unit from the history. */
  forgetFixes(companyId: string, unitId: string, fixes: readonly GivenUp[]): Promise<void>;
  /** Stores why the cell is halted; null clears the alarm. */
  alarm(cell: number, version: number, code: string | null): Promise<void>;
  /** Closes an open cell, and makes so many parts of it. */
  divide(cell: number, parts: number): Promise<void>;
  /** Gives the units of a closed cell to its parts, once its messages are handled and all states written; else returns false. */
  handOver(cell: number, version: number): Promise<boolean>;
  /** Deletes messages and records of versions that no restart needs. */
  trim(cells: readonly number[]): Promise<void>;
  prunableZones(): Promise<ReadonlyMap<string, number>>;
  /** Deletes zones and trips of earlier versions that no record needs. */
  pruneZones(prunable: ReadonlyMap<string, number>): Promise<unknown>;
}

/** Number of states in one query, about 6 MB. */
const STATES_PAGE = 2000;
/** A worker that has not registered for so long counts as dead; it registers each second. */
const GONE = '3 seconds';

const clockSql = (now: number | null) =>
  now === null ? sql`floor(1000 * extract(epoch from clock_timestamp()))::bigint` : sql`${now}::bigint`;

/** Adds a message to the cell of a unit. Returns the cell. `now`: epoch milliseconds; null: the clock of the database. */
export async function addMessage(
  { db }: Pick<Storage, 'db'>,
  companyId: string,
  unitId: string,
  payload: Uint8Array,
  now: number | null = null,
): Promise<number> {
  for (;;) {
    const { cell } = (await cellMap({ db }).of(companyId)).of(unitId);
    const { rows } =
      await sql`with head as (update cells set head = head + 1 where cell = ${cell} and last is null returning head)
      insert into cell_messages (cell, seq, stamp, payload)
      select ${cell}, head, ${clockSql(now)}, ${Buffer.from(payload)}::bytea from head returning cell`.execute(
        db,
      );
    // None: the cell was divided meanwhile.
    if (rows.length > 0) return cell;
  }
}

export function cellStore(storage: Storage): CellStore {
  const { db } = storage;
  const statesOf = async (cell: number): Promise<StoredState[]> => {
    const all: StoredState[] = [];
    for (;;) {
      const page = await db
        .selectFrom('unit_states')
        .select(['unit_id', 'company_id', 'seq', 'state'])
        .where('cell', '=', cell)
        .where('unit_id', '>', all.at(-1)?.unitId ?? '')
        .orderBy('unit_id')
        .limit(STATES_PAGE)
        .execute();
      for (const { unit_id: unitId, company_id: companyId, seq, state } of page)
        all.push({ unitId, companyId, seq: Number(seq), state });
      if (page.length < STATES_PAGE) return all;
    }
  };
  const asideIn = async (
    cell: number,
    replayFrom: number,
  ): Promise<Pick<LoadedCell, 'aside' | 'asideUnits'>> => {
    const rows = await db
      .selectFrom('set_aside')
      .select(['seq', 'unit_id', 'company_id', 'from_time'])
      .where('cell', '=', cell)
      .execute();
    const aside = new Set<number>();
    const asideUnits = new Map<string, AsideUnit>();
    for (const { seq, unit_id: unitId, company_id: companyId, from_time: time } of rows)
      if (unitId !== '') {
        const from = Math.min(Number(time), asideUnits.get(unitId)?.from ?? Number.POSITIVE_INFINITY);
        asideUnits.set(unitId, { companyId: companyId!, from });
      } else if (Number(seq) >= replayFrom) aside.add(Number(seq));
    return { aside, asideUnits };
  };
  return {
    async beat(workerId) {
      const { rows } = await sql<{ id: string }>`${PREPARED}
        with own as (insert into cell_workers (id, seen) values (${workerId}, now()) on conflict (id) do update set seen = now())
        select id from cell_workers where seen > now() - ${sql.lit(GONE)}::interval and id <> ${workerId}`.execute(
        db,
      );
      const ids = [workerId, ...rows.map(({ id }) => id)].sort();
      return { place: ids.indexOf(workerId), workers: ids.length };
    },
    async retire(workerId) {
      await db.deleteFrom('cell_workers').where('id', '=', workerId).execute();
      await sql`delete from cell_workers where seen < now() - interval '1 hour'`.execute(db);
    },
    async due(place, workers, now) {
      const readAt = performance.now();
      const { rows } = await sql<
        Readonly<Record<string, string>> & { is_tick_due: boolean; last: string | null }
      >`${PREPARED}
        select c.cell, c.company_id, c.head, c.last, p.version, p.position, c.last is null and coalesce(p.due_at <= ${clockSql(now)}, false) as is_tick_due
        from cells c join cell_positions p on p.cell = c.cell
        where c.cell % ${workers}::int = ${place}::int and (c.head > p.position or p.due_at <= ${clockSql(now)} or c.last is not null)`.execute(
        db,
      );
      return rows.map((row) => ({
        cell: Number(row['cell']),
        companyId: row['company_id']!,
        version: Number(row['version']),
        head: Number(row['head']),
        position: Number(row['position']),
        isTickDue: row.is_tick_due,
        last: row.last === null ? null : Number(row.last),
        readAt,
      }));
    },
    async load(cell, version, owner) {
      const { rows } = await sql<Readonly<Record<string, string | number | null>>>`
        with before as (select owner from cell_positions where cell = ${cell})
        update cell_positions p set unproven = p.unproven + (p.owner is distinct from ${owner})::int, owner = ${owner}
        from cells c where p.cell = ${cell} and c.cell = p.cell and p.version = ${version}
        returning p.*, c.company_id, c.modulus, c.residue, (select owner from before) as owner_before`.execute(
        db,
      );
      const row = rows[0];
      if (row === undefined) return null;
      const replayFrom = Number(row['replay_from']);
      const { aside, asideUnits } = await asideIn(cell, replayFrom);
      const states = await statesOf(cell);
      const { rows: zones } = await sql<{ company_id: string; seq: string; version: string }>`
        select distinct on (company_id) company_id, seq, version from cell_zones
        where cell = ${cell} order by company_id, seq desc, version desc`.execute(db);
      // Another worker may have written states while these were read.
      const { rows: same } = await sql`
        select from cell_positions where cell = ${cell} and version = ${version}`.execute(db);
      if (same.length === 0) return null;
      return {
        cell,
        part: { modulus: Number(row['modulus']), residue: Number(row['residue']) },
        companyId: String(row['company_id']),
        version,
        position: Number(row['position']),
        clock: clockOf(row['clock']),
        replayFrom,
        replayClock: clockOf(row['replay_clock']),
        unproven: Number(row['unproven']),
        trying:
          row['trying'] === null
            ? null
            : {
                seq: Number(row['trying']),
                unitId: String(row['trying_unit']),
                tries: Number(row['tries']) - (row['owner_before'] === owner ? 1 : 0),
              },
        alarm: row['alarm'] as string | null,
        aside,
        asideUnits,
        states: states.filter(({ unitId }) => !asideUnits.has(unitId)),
        zones: new Map(
          zones.map(({ company_id: id, seq, version: own }) => [
            id,
            { seq: Number(seq), version: Number(own) },
          ]),
        ),
      };
    },
    async tick(cells, now) {
      await sql`${PREPARED}
        with locked as materialized (
          select c.cell from cells c where c.cell = any(${columnOf(cells)}::int[]) and c.last is null order by c.cell for no key update
        ), heads as (
          update cells c set head = c.head + 1 from locked l where c.cell = l.cell returning c.cell, c.head
        )
        insert into cell_messages (cell, seq, stamp, payload)
        select cell, head, ${clockSql(now)}, ${Buffer.from(encodeTick())}::bytea from heads`.execute(db);
    },
    async messages(after, limit) {
      const { rows } = await sql<{
        cell: number;
        seq: string;
        stamp: string;
        payload: Uint8Array;
      }>`${PREPARED}
        select m.cell, m.seq, m.stamp, m.payload
        from unnest(${columnOf([...after.keys()])}::int[], ${columnOf([...after.values()])}::bigint[]) as u(cell, after)
        cross join lateral (
          select * from cell_messages m where m.cell = u.cell and m.seq > u.after order by m.seq limit ${limit}
        ) as m order by m.cell, m.seq`.execute(db);
      const found = new Map<number, LogMessage[]>();
      for (const { cell, seq, stamp, payload } of rows) {
        const own = found.get(cell) ?? [];
        found.set(cell, own);
        own.push({ seq: Number(seq), stamp: Number(stamp), payload });
      }
      return found;
    },
    async head(cell) {
      const { rows } = await sql<{ seq: string; stamp: string | null }>`${PREPARED}
        select head as seq, (select stamp from cell_messages m where m.cell = c.cell and m.seq = c.head) as stamp
        from cells c where cell = ${cell}`.execute(db);
      const { seq, stamp } = rows[0]!;
      return { seq: Number(seq), stamp: stamp === null ? null : Number(stamp) };
    },
    commit: (sealed) => commitSealed(storage, sealed),
    divide: (cell, parts) => divideCell(storage, cell, parts),
    handOver: (cell, version) => handOver(storage, cell, version),
    refusedUnits: (sealed) => refusedUnits(storage, sealed),
    prunableZones: () => prunableZones(storage),
    pruneZones: (prunable) => pruneZones(storage, prunable),
    ...storedHistory(db),
    async recordTry(cell, { seq, unitId, tries }) {
      await sql`${PREPARED} update cell_positions set trying = ${seq}, trying_unit = ${unitId}, tries = ${tries}
        where cell = ${cell}`.execute(db);
    },
    async forgetFixes(companyId, unitId, fixes) {
      const column = (read: (fix: GivenUp) => number | null) => columnOf(fixes.map(read));
      await sql`delete from fixes f using unnest(${column(({ time }) => time)}::bigint[], ${column(({ lon }) => lon)}::float8[],
          ${column(({ lat }) => lat)}::float8[]) as g(time, lon, lat)
        where f.unit_id = ${ownUnit(companyId, unitId)} and f.time = g.time
          and f.lon = coalesce(g.lon, f.lon) and f.lat = coalesce(g.lat, f.lat)`.execute(db);
    },
    async alarm(cell, version, code) {
      await sql`update cell_positions set alarm = ${code} where cell = ${cell} and version = ${version}`.execute(
        db,
      );
    },
    async trim(cells) {
      if (cells.length === 0) return;
      const { rows } = await sql<{ cell: number; before: string }>`
        with bounds as materialized (
          select cell, least(replay_from, position) as before, replay_from from cell_positions where cell = any(${columnOf(cells)}::int[])
        ), gone as (
          delete from cell_messages m using bounds b where m.cell = b.cell and m.seq < b.before returning m.cell
        ) select cell, replay_from as before from bounds
        where cell in (select cell from gone) or exists (
          select from cell_zones z where z.cell = bounds.cell and z.seq < bounds.replay_from offset 1
        )`.execute(db);
      for (const { cell, before } of rows) await forgetRecords(storage, cell, Number(before));
    },
  };
}

function clockOf(value: unknown): number {
  return value === null || value === undefined ? Number.NEGATIVE_INFINITY : Number(value);
}
