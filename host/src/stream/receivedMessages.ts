/**
 * Messages that were accepted and that no checkpoint holds yet. They are committed before they are published, and deleted by the checkpoint with their
 * outputs: a message that the log loses is still here.
 */

import { type Kysely, sql } from 'kysely';
import { inGroups } from '../storage/inGroups.js';
import { PREPARED } from '../storage/prepared.js';
import type { Tables } from '../storage/tables.js';
import type { Log, Outgoing } from './log.js';

/** A range of ids, both included. */
export interface IdRange {
  readonly first: number;
  readonly last: number;
}

export interface ReceivedMessages {
  /** Resolves with the messages, which carry their ids from here on, when they are committed. Callers share transactions. */
  readonly add: (messages: readonly Outgoing[]) => Promise<readonly Outgoing[]>;
  /** Deletes messages that `add` returned. */
  remove(messages: readonly Outgoing[]): Promise<void>;
  /** The ids of the messages of these partitions. Partitions without messages are left out. */
  ranges(partitions: readonly number[]): Promise<ReadonlyMap<number, IdRange>>;
  /** Publishes the messages of a partition up to id `last` again, in their order. Returns their number. */
  publish(log: Pick<Log, 'publish'>, partition: number, last?: number): Promise<number>;
}

/** Number of messages that are read at once, up to some 100 kB each. */
const PAGE = 50;
const NAME = /,"received":(\d+)\}$/;

/** The id of a message that `add` returned; null for others, such as those of earlier versions. */
export function receivedIdOf(payload: Uint8Array): number | null {
  const end = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString(
    'latin1',
    payload.length - 40,
  );
  const found = NAME.exec(end);
  return found === null ? null : Number(found[1]);
}

function withId({ partition, payload }: Outgoing, id: number): Outgoing {
  // The payload is a JSON object with members.
  const open = payload.subarray(0, payload.length - 1);
  return { partition, payload: Buffer.concat([open, Buffer.from(`,"received":${id}}`)]) };
}

export function receivedMessages(db: Kysely<Tables>): ReceivedMessages {
  const insert = async (messages: readonly Outgoing[]): Promise<readonly Outgoing[]> => {
    let at = 1;
    const starts = messages.map(({ payload }) => {
      const start = at;
      at += payload.length;
      return start;
    });
    // All payloads are one parameter, which is sent as it is.
    const { rows } = await sql<{ id: string }>`${PREPARED} insert into received (partition, payload)
      select p, substring(${Buffer.concat(messages.map(({ payload }) => payload))}::bytea from s for l)
      from unnest(${messages.map(({ partition }) => partition)}::int[], ${starts}::int[],
        ${messages.map(({ payload }) => payload.length)}::int[]) with ordinality as g(p, s, l, i) order by i
      returning id`.execute(db);
    const ids = rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
    return messages.map((message, i) => withId(message, ids[i]!));
  };
  return {
    add: inGroups(insert),
    async remove(messages) {
      await sql`delete from received where (partition, id) in (
        select * from unnest(${messages.map(({ partition }) => partition)}::int[],
          ${messages.map(({ payload }) => receivedIdOf(payload))}::bigint[]))`.execute(db);
    },
    async ranges(partitions) {
      const { rows } = await sql<{ partition: number; first: string | null; last: string | null }>`
        ${PREPARED} select p as partition, (select min(id) from received where partition = p) as first,
          (select max(id) from received where partition = p) as last
        from unnest(${partitions}::int[]) as p`.execute(db);
      return new Map(
        rows.flatMap(({ partition, first, last }) =>
          first === null || last === null ? [] : [[partition, { first: Number(first), last: Number(last) }]],
        ),
      );
    },
    async publish(log, partition, last = Number.MAX_SAFE_INTEGER) {
      let count = 0;
      for (let after = 0; ; ) {
        const rows = await db
          .selectFrom('received')
          .select(['id', 'payload'])
          .where('partition', '=', partition)
          .where('id', '>', String(after))
          .where('id', '<=', String(last))
          .orderBy('id')
          .limit(PAGE)
          .execute();
        await log.publish(rows.map(({ id, payload }) => withId({ partition, payload }, Number(id))));
        count += rows.length;
        if (rows.length < PAGE) return count;
        after = Number(rows.at(-1)!.id);
      }
    },
  };
}
