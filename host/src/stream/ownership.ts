/** Decides which partitions this process may work on: all of them if it is the only one, else those whose advisory lock it holds. */

import { randomInt } from 'node:crypto';
import type pg from 'pg';

export interface Ownership {
  /** Partitions that this process owns at the moment. */
  owned(): ReadonlySet<number>;
  /** Owned partitions beyond the fair share: `release` them after a checkpoint. */
  surplus(): readonly number[];
  release(partitions: readonly number[]): Promise<void>;
  /** Gives back a partition that this process cannot read, and never takes it again. */
  refuse(partition: number): Promise<void>;
  /**
   * Gives back a partition on which this process makes no progress. The others may take it at once; this process takes it again after 30 s, or after 2 s
   * in which nobody took it. Returns false, and keeps it, if there is no other process.
   */
  yieldUp(partition: number): Promise<boolean>;
  /** Stops taking partitions and leaves the share of this process to others. Call it before the process ends. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

/** Ownership of all partitions: an embedded database has one process. */
export function soleOwnership(partitions: number): Ownership {
  const owned = new Set(Array.from({ length: partitions }, (_, i) => i));
  return {
    owned: () => owned,
    surplus: () => [],
    async release(partitions) {
      for (const partition of partitions) owned.delete(partition);
    },
    // No other process could take the partition.
    refuse: async () => {},
    yieldUp: async () => false,
    retire: async () => {},
    close: async () => owned.clear(),
  };
}

/** First key of the advisory locks; the second is the partition. */
const LOCK_CLASS = 0x77617a;
const BEAT_MS = 1000;
/** The server ends a session that sends nothing for this long, because its process was stopped. Its locks are then released. Milliseconds. */
const SILENT_MS = 3000;
/** First key of the locks that mark live workers; the second key is a random number. A killed process loses its lock at once. */
const LIFE_CLASS = LOCK_CLASS + 1;

/** Announces that partitions are free, or that the number of workers has changed: each worker then looks at once. */
const CHANNEL = 'wayzone_partitions';

/** How long a partition is left to others after this process made no progress on it. */
const YIELD_MS = 30_000;
/** A partition that was given back and is free for so long is taken again: the others have no progress either, as while the database fails all. */
const LEFT_MS = 2000;
/** Wait after a failure: the least, and what is added at random. Milliseconds. */
const FAILED_MS = 200;
const JITTER_MS = 300;
/** A partition that was free for longer is taken beyond the fair share: the other workers cannot read it. Milliseconds. */
const ORPHAN_MS = 3000;

export interface OwnershipOptions {
  readonly url: string;
  readonly workerId: string;
  readonly partitions: number;
  /** Called when the owned partitions have changed. */
  readonly onChange: () => void;
  /** Called each second: with null after the locks were checked, with the error if the database did not allow it. */
  readonly onBeat: (error: unknown) => void;
  /** Epoch milliseconds. Default: the time of the system. */
  readonly now?: () => number;
  /** How long the server waits for a silent session, and the session for an answer, milliseconds. Default 3000. */
  readonly silentMs?: number;
}

/**
 * Holds advisory locks in a session of its own. A process that is stopped (SIGSTOP) would keep them for ever, so the server ends a session
 * that sends nothing for 3 s. The locks only distribute the work: `partitions.epoch` ensures that nobody else writes.
 */
export function lockOwnership(options: OwnershipOptions): Ownership {
  const { url, workerId, partitions, onChange, onBeat, now = Date.now, silentMs = SILENT_MS } = options;
  const owned = new Set<number>();
  let surplus: number[] = [];
  const refused = new Set<number>();
  /** Partitions that were given back without progress, each with the time until which they are not taken again. */
  const yielded = new Map<number, number>();
  /** Partitions taken beyond the share; cleared when the number of live `workers` changes. */
  let orphans = new Set<number>();
  let workers = 0;
  /** Partitions that others have given back without progress. */
  const offered = new Set<number>();
  /** When each partition was first found free, epoch milliseconds. */
  let freeSince = new Map<number, number>();
  let client: pg.Client | null = null;
  let isClosed = false;
  let isRetired = false;
  /** Second key of the lock that marks this process as live. */
  const life = randomInt(2 ** 31 - 1);
  let timer: NodeJS.Timeout | undefined;
  let beating: Promise<void> = Promise.resolve();
  let isBeating = false;
  /** Another worker announced something during a beat. */
  let isDue = false;

  const lose = (): void => {
    client = null;
    surplus = [];
    freeSince = new Map();
    if (owned.size === 0) return;
    owned.clear();
    onChange();
  };
  const connect = async (): Promise<pg.Client> => {
    const { default: postgres } = await import('pg');
    const opened = new postgres.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: silentMs,
      query_timeout: silentMs,
    });
    opened.on('error', () => {});
    opened.on('end', () => {
      if (client === opened) lose();
    });
    await opened.connect();
    await opened.query(`set idle_session_timeout = ${silentMs}`);
    await opened.query(`set idle_in_transaction_session_timeout = ${silentMs}`);
    opened.on('notification', lookNow);
    await opened.query(`listen ${CHANNEL}`);
    if (!isRetired)
      await opened.query('select pg_advisory_lock($1, $2), pg_notify($3, $4)', [
        LIFE_CLASS,
        life,
        CHANNEL,
        workerId,
      ]);
    return opened;
  };
  /** Records that this worker is live, and returns its fair share: a number of partitions. */
  const shareOf = async (session: pg.Client): Promise<number> => {
    const { rows } = await session.query(
      `with own as (
        insert into workers (id, seen) values ($1, now()) on conflict (id) do update set seen = now() returning id
      ), gone as (delete from workers where seen < now() - interval '1 hour')
      select count(*)::int as alive from pg_locks where locktype = 'advisory' and classid = $2 and granted
        and database = (select oid from pg_database where datname = current_database())`,
      [workerId, LIFE_CLASS],
    );
    const { alive } = rows[0] as { alive: number };
    if (alive !== workers) orphans = new Set();
    workers = alive;
    return Math.ceil(partitions / Math.max(1, alive));
  };
  const beat = async (): Promise<void> => {
    client ??= await connect();
    const session = client;
    const share = await shareOf(session);
    if (isRetired) return;
    surplus = [...owned].filter((p) => !orphans.has(p)).slice(share);
    const { rows } = await session.query(
      // The partitions are locked one after the other below: in one query the planner may take more locks than it returns.
      `select p from unnest($1::int[]) as p
       where not exists (
         select from pg_locks l where l.locktype = 'advisory' and l.classid = $2 and l.objid = p and l.granted
           and l.database = (select oid from pg_database where datname = current_database())
       )`,
      [
        Array.from({ length: partitions }, (_, i) => i).filter((p) => !owned.has(p) && !refused.has(p)),
        LOCK_CLASS,
      ],
    );
    const all = (rows as { p: number }[]).map(({ p }) => p).sort(() => Math.random() - 0.5);
    const time = now();
    freeSince = new Map(all.map((p) => [p, freeSince.get(p) ?? time]));
    const isFreeFor = (p: number, ms: number): boolean => time - freeSince.get(p)! >= ms;
    const free = all.filter((p) => (yielded.get(p) ?? 0) <= time || isFreeFor(p, LEFT_MS));
    const wanted = free.splice(0, Math.max(0, share - owned.size));
    const left = free.filter((p) => offered.has(p) || isFreeFor(p, ORPHAN_MS));
    for (const p of all) offered.delete(p);
    for (const p of left) orphans.add(p);
    let hasMore = false;
    for (const p of [...wanted, ...left]) {
      const answer = await session.query('select pg_try_advisory_lock($1, $2) as got', [LOCK_CLASS, p]);
      if ((answer.rows[0] as { got: boolean }).got && client === session && !isRetired) {
        owned.add(p);
        hasMore = true;
      }
    }
    if (hasMore) onChange();
  };
  const schedule = (): void => {
    if (isClosed) return;
    const from = performance.now();
    let wait = BEAT_MS;
    isBeating = true;
    isDue = false;
    beating = beat()
      .then(() => onBeat(null))
      .catch((error: unknown) => {
        const broken = client;
        lose();
        wait = FAILED_MS + JITTER_MS * Math.random();
        void broken?.end().catch(() => {});
        if (!isClosed) onBeat(error);
      })
      .then(() => {
        isBeating = false;
        if (!isClosed)
          timer = setTimeout(schedule, isDue ? 0 : Math.max(50, wait - (performance.now() - from)));
      });
  };
  const lookNow = ({ payload = '' }: pg.Notification): void => {
    const [sender, partition] = payload.split(' ');
    if (sender === workerId) return;
    // Its owner makes no progress: it is taken beyond the share as well.
    if (partition !== undefined) offered.add(Number(partition));
    isDue = true;
    if (isBeating) return;
    clearTimeout(timer);
    schedule();
  };
  schedule();
  const release = async (partitions: readonly number[], message = workerId): Promise<void> => {
    for (const partition of partitions) owned.delete(partition);
    surplus = surplus.filter((one) => !partitions.includes(one));
    await client
      ?.query('select pg_notify($3, $4), pg_advisory_unlock($1, p) from unnest($2::int[]) as p', [
        LOCK_CLASS,
        partitions,
        CHANNEL,
        message,
      ])
      .catch(() => {});
  };

  return {
    owned: () => owned,
    surplus: () => surplus,
    release,
    async refuse(partition) {
      refused.add(partition);
      await release([partition]);
    },
    async yieldUp(partition) {
      if (workers < 2) return false;
      yielded.set(partition, now() + YIELD_MS);
      await release([partition], `${workerId} ${partition}`);
      return true;
    },
    async retire() {
      isRetired = true;
      surplus = [];
      await beating;
      await client
        ?.query('select pg_advisory_unlock($1, $2), pg_notify($3, $4)', [LIFE_CLASS, life, CHANNEL, workerId])
        .catch(() => {});
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await beating;
      const session = client;
      client = null;
      owned.clear();
      await session?.query('delete from workers where id = $1', [workerId]).catch(() => {});
      await session?.end().catch(() => {});
    },
  };
}
