/** Metrics that are read when `/metrics` is asked for: indexes in memory, how far the stream and the deliveries are behind. */

import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { clockOffset } from './storage/databaseClock.js';
import type { Storage } from './storage/storage.js';
import type { LiveStream } from './stream/liveStream.js';
import type { ZoneCache } from './zones/zoneCache.js';

/** Limit for a reading, so that `/metrics` answers without the database. */
const ANSWER_MS = 2000;

interface Given {
  readonly storage: Pick<Storage, 'db'>;
  readonly live: Pick<LiveStream, 'unread'>;
  readonly zones: Pick<ZoneCache, 'bytes'>;
  readonly now: () => number;
}

interface Reading {
  readonly clockOffset: number;
  /** Cells with messages that no worker has handled, and the number of these messages. */
  readonly lag: { readonly cells: number; readonly messages: number };
  readonly deliveries: readonly DeliveryState[];
}

interface DeliveryState {
  readonly kind: string;
  readonly waiting: number;
  readonly dead: number;
  readonly oldest: number;
}

/** Registers the gauges. While the database is away, gauges that need it are absent. */
export function stateMetrics(registry: Registry, { storage, live, zones, now }: Given): void {
  const registers = [registry];
  let reading: Promise<Reading | null> | null = null;

  const read = (): Promise<Reading | null> => {
    if (reading === null) {
      const parts = [lagOf(storage), deliveriesOf(storage, now()), clockOffset(storage)] as const;
      reading = within(ANSWER_MS, Promise.all(parts)).then(
        ([lag, deliveries, offset]) => ({ lag, deliveries, clockOffset: offset }),
        () => null,
      );
      // All gauges of one answer share a reading.
      void reading.finally(() => {
        reading = null;
      });
    }
    return reading;
  };
  const gauge = (
    name: string,
    help: string,
    labelNames: string[],
    fill: (gauge: Gauge, found: Reading) => void,
  ): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const found = await read();
        this.reset();
        if (found !== null) fill(this, found);
        else if (labelNames.length === 0) this.remove();
      },
    });
  };

  new Gauge({
    name: 'wayzone_index_bytes',
    help: 'Memory of the geozones of all companies',
    registers,
    collect() {
      this.set(zones.bytes());
    },
  });
  new Gauge({
    name: 'wayzone_cells_unread',
    help: 'Cells that no worker follows',
    registers,
    collect() {
      this.set(live.unread().length);
    },
  });
  gauge(
    'wayzone_clock_offset_seconds',
    'How far the clock of this process is ahead of the database’s',
    [],
    (own, found) => own.set(found.clockOffset),
  );
  gauge('wayzone_stream_lag_messages', 'Messages of cells that no worker has handled', [], (own, { lag }) =>
    own.set(lag.messages),
  );
  gauge('wayzone_stream_lag_cells', 'Cells with messages that no worker has handled', [], (own, { lag }) =>
    own.set(lag.cells),
  );
  const ofKind =
    (figureOf: (state: DeliveryState) => number) =>
    (own: Gauge, { deliveries }: Reading): void => {
      for (const state of deliveries) own.set({ kind: state.kind }, figureOf(state));
    };
  gauge(
    'wayzone_deliveries_waiting',
    'Events that sinks have not taken',
    ['kind'],
    ofKind(({ waiting }) => waiting),
  );
  gauge(
    'wayzone_deliveries_dead',
    'Events that sinks refused too often',
    ['kind'],
    ofKind(({ dead }) => dead),
  );
  gauge(
    'wayzone_deliveries_lag_seconds',
    'Age of the oldest event that is due',
    ['kind'],
    ofKind(({ oldest }) => oldest),
  );
}

async function lagOf({ db }: Given['storage']): Promise<Reading['lag']> {
  const { rows } = await sql<{ cells: string; messages: string }>`
    select count(*) filter (where c.head > p.position) as cells, coalesce(sum(c.head - p.position), 0) as messages
    from cells c join cell_positions p on p.cell = c.cell`.execute(db);
  return { cells: Number(rows[0]!.cells), messages: Number(rows[0]!.messages) };
}

async function deliveriesOf({ db }: Given['storage'], now: number): Promise<DeliveryState[]> {
  const { rows } = await sql<{ kind: string; waiting: string; dead: string; oldest: string | null }>`
    select s.kind, count(d.ordinal) filter (where not d.is_dead) as waiting,
      count(d.ordinal) filter (where d.is_dead) as dead,
      min(d.created) filter (where not d.is_dead and (d.attempts > 0 or d.due <= ${now})) as oldest
    from event_sinks s left join deliveries d on d.sink_id = s.id group by s.kind order by s.kind`.execute(
    db,
  );
  return rows.map(({ kind, waiting, dead, oldest }) => ({
    kind,
    waiting: Number(waiting),
    dead: Number(dead),
    oldest: oldest === null ? 0 : Math.max(0, (now - Number(oldest)) / 1000),
  }));
}

async function within<Value>(ms: number, value: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ms);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
