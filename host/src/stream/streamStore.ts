/** What workers keep in PostgreSQL: the position of each partition, states, fixes and events. `commitSealed.ts` writes them. */

import { type Selectable, sql, type Updateable, type UpdateResult } from 'kysely';
import type { FixDays } from '../storage/fixDays.js';
import type { Storage } from '../storage/storage.js';
import type { PartitionTable, Tables } from '../storage/tables.js';
import { commitSealed, refusedUnits, type Sealed } from './commitSealed.js';
import type { StoredState } from './partitionCore.js';
import { partitionOf } from './partitionOf.js';
import { forgetRecords, prunableZones, pruneZones } from './pruneZones.js';
import { type ReceivedMessages, receivedMessages } from './receivedMessages.js';
import { type StoredHistory, storedHistory } from './storedHistory.js';

/** The stored data from which a new owner of a partition starts. */
export interface TakenOver {
  readonly epoch: number;
  readonly position: number;
  readonly clock: number;
  readonly replayFrom: number;
  readonly replayClock: number;
  readonly streamCreated: string | null;
  /** When the log received the message at `position`, epoch milliseconds; null if not known. */
  readonly stamp: number | null;
  /** Takeovers since the last commit. Above 1, the last owner ended without a commit. */
  readonly unproven: number;
  readonly trying: number | null;
  readonly tries: number;
  readonly alarm: string | null;
  /** Number that is added to the sequences of the stream. */
  readonly shift: number;
  readonly states: readonly StoredState[];
  /** Messages from `replayFrom` on that name no unit: a replay skips them, whatever became of them since. */
  readonly aside: ReadonlySet<number>;
  /** The units that are set aside, which have no state among `states`. */
  readonly asideUnits: ReadonlyMap<string, AsideUnit>;
  /** The zones' version of each company, and the message after which it applies. */
  readonly zones: ReadonlyMap<string, { readonly seq: number; readonly version: number }>;
}

export interface AsideUnit {
  readonly companyId: string;
  /** The earliest fix that its stored state may lack, epoch milliseconds. */
  readonly from: number;
}

/** The stored row of a partition: its position and its alarm. */
export type PartitionRow = Omit<TakenOver, 'states' | 'zones' | 'aside' | 'asideUnits'>;

export interface StreamStore extends StoredHistory {
  /** Reads the row of a partition without taking the partition over. */
  look(partition: number): Promise<PartitionRow>;
  /** Raises the partition's epoch, so that an earlier owner can no longer write. */
  takeOver(partition: number, owner: string): Promise<TakenOver>;
  /** Writes everything in one transaction. If this worker no longer owns some of the partitions, returns them and writes nothing. */
  commit(sealed: readonly Sealed[]): Promise<readonly number[]>;
  /** The units whose rows the database refuses, each with the reason. */
  refusedUnits(sealed: Sealed): Promise<ReadonlyMap<string, string>>;
  /** Records that a message is tried alone, and returns the number of its tries. null if the partition has another owner. */
  recordTry(partition: number, epoch: number, seq: number): Promise<number | null>;
  /** Deletes the record of a try that the worker survived, also if the partition has another owner now. */
  takeTryBack(partition: number, seq: number): Promise<void>;
  /** Stores why the partition is halted; null clears the alarm. */
  alarm(partition: number, epoch: number, code: string | null): Promise<void>;
  recordStream(partition: number, epoch: number, created: string): Promise<void>;
  /** Continues with another state of the log, and clears the alarm. Returns whether the partition still has this epoch. */
  restart(
    partition: number,
    epoch: number,
    log: { readonly created: string; readonly shift: number },
  ): Promise<boolean>;
  /** Registered units of the partition that have stored fixes from `since` (epoch milliseconds) on. */
  unitsSince(
    partition: number,
    since: number,
  ): Promise<readonly { readonly unitId: string; readonly companyId: string }[]>;
  readonly received: ReceivedMessages;
  /** Deletes the recorded versions that messages from `before` on do not need. */
  forgetRecords(partition: number, before: number): Promise<void>;
  prunableZones(): Promise<ReadonlyMap<string, number>>;
  /** Deletes zones and trips of earlier versions that no record needs. */
  pruneZones(prunable: ReadonlyMap<string, number>): Promise<unknown>;
}

type StateRow = Selectable<Tables['unit_states']>;
/** Number of states in one query, about 6 MB. */
const STATES_PAGE = 2000;

type PartitionChange = Updateable<PartitionTable>;

export function streamStore(storage: Storage, days: FixDays): StreamStore {
  const { db } = storage;
  /** Changes the row of a partition if it still has this epoch. */
  const update = (partition: number, epoch: number, values: PartitionChange): Promise<UpdateResult> =>
    db
      .updateTable('partitions')
      .set(values)
      .where('partition', '=', partition)
      .where('epoch', '=', String(epoch))
      .executeTakeFirst();
  /** All states of the partition, in pages: no single statement may take long. The raised epoch keeps other writers out. */
  const statesOf = async (partition: number) => {
    const all: Pick<StateRow, 'unit_id' | 'company_id' | 'seq' | 'state'>[] = [];
    for (;;) {
      const last = all.at(-1)?.unit_id;
      const page = await db
        .selectFrom('unit_states')
        .select(['unit_id', 'company_id', 'seq', 'state'])
        .where('partition', '=', partition)
        .$if(last !== undefined, (query) => query.where('unit_id', '>', last!))
        .orderBy('unit_id')
        .limit(STATES_PAGE)
        .execute();
      for (const row of page) all.push(row);
      if (page.length < STATES_PAGE) return all;
    }
  };
  const asideIn = async (
    partition: number,
    replayFrom: number,
  ): Promise<Pick<TakenOver, 'aside' | 'asideUnits'>> => {
    const rows = await db
      .selectFrom('set_aside')
      .select(['seq', 'unit_id', 'company_id', 'from_time'])
      .where('partition', '=', partition)
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
    async look(partition) {
      const { rows } = await sql<Columns>`select * from partitions where partition = ${partition}`.execute(
        db,
      );
      return rowOf(rows[0]!);
    },
    async takeOver(partition, owner) {
      const { rows } = await sql<Columns>`
        update partitions set epoch = epoch + 1, owner = ${owner}, unproven = unproven + 1
        where partition = ${partition} returning *`.execute(db);
      const row = rowOf(rows[0]!);
      const states = await statesOf(partition);
      const zones = await db
        .selectFrom('partition_zones')
        .distinctOn('company_id')
        .select(['company_id', 'seq', 'version'])
        .where('partition', '=', partition)
        .orderBy('company_id')
        .orderBy('seq', 'desc')
        .orderBy('version', 'desc')
        .execute();
      const { aside, asideUnits } = await asideIn(partition, row.replayFrom);
      return {
        ...row,
        aside,
        asideUnits,
        states: states.flatMap(({ unit_id: unitId, company_id: companyId, seq, state }) =>
          asideUnits.has(unitId) ? [] : [{ unitId, companyId, seq: Number(seq), state }],
        ),
        zones: new Map(
          zones.map(({ company_id: id, seq, version }) => [
            id,
            { seq: Number(seq), version: Number(version) },
          ]),
        ),
      };
    },
    commit: (sealed) => commitSealed(storage, days, sealed),
    refusedUnits: (sealed) => refusedUnits(storage, days, sealed),
    forgetRecords: (partition, before) => forgetRecords(storage, partition, before),
    prunableZones: () => prunableZones(storage),
    pruneZones: (prunable) => pruneZones(storage, prunable),
    ...storedHistory(db),
    async recordTry(partition, epoch, seq) {
      const { rows } = await sql<{ tries: number }>`
        update partitions set trying = ${seq}, tries = case when trying = ${seq} then tries + 1 else 1 end
        where partition = ${partition} and epoch = ${epoch} returning tries`.execute(db);
      return rows[0]?.tries ?? null;
    },
    async takeTryBack(partition, seq) {
      await sql`update partitions set tries = tries - 1
        where partition = ${partition} and trying = ${seq} and tries > 0`.execute(db);
    },
    async alarm(partition, epoch, code) {
      await update(partition, epoch, { alarm: code });
    },
    async recordStream(partition, epoch, created) {
      await update(partition, epoch, { stream_created: created });
    },
    async restart(partition, epoch, { created, shift }) {
      const values = { alarm: null, unproven: 0, stream_created: created, stamp: null, shift };
      return (await update(partition, epoch, values)).numUpdatedRows === 1n;
    },
    async unitsSince(partition, since) {
      const { rows } = await sql<{ unitId: string; companyId: string; partitions: number }>`
        select u.id as "unitId", u.company_id as "companyId", s.partitions from units u, stream_settings s
        where exists (select from fixes f where f.unit_id = u.id and f.time >= ${since})`.execute(db);
      return rows.filter(({ unitId, partitions }) => partitionOf(unitId, partitions) === partition);
    },
    received: receivedMessages(db),
  };
}

type Columns = Readonly<Record<string, string | number | null>>;

function rowOf(row: Columns): PartitionRow {
  return {
    epoch: Number(row['epoch']),
    position: Number(row['position']),
    clock: clockOf(row['clock']),
    replayFrom: Number(row['replay_from']),
    replayClock: clockOf(row['replay_clock']),
    streamCreated: row['stream_created'] as string | null,
    stamp: row['stamp'] !== null && row['stamp_position'] === row['position'] ? Number(row['stamp']) : null,
    unproven: Number(row['unproven']),
    trying: row['trying'] === null ? null : Number(row['trying']),
    tries: Number(row['tries']),
    alarm: row['alarm'] as string | null,
    shift: Number(row['shift']),
  };
}

function clockOf(value: unknown): number {
  return value === null || value === undefined ? Number.NEGATIVE_INFINITY : Number(value);
}
