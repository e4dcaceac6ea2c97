/** The metrics that `/metrics` exposes to Prometheus. */

import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { clockOffset } from './storage/databaseClock.js';
import type { Storage } from './storage/storage.js';
import type { LiveStream } from './stream/liveStream.js';
import type { ZoneCache } from './zones/zoneCache.js';

/** Limit for a reading, so that `/metrics` answers without the database. */
const ANSWER_MS = 2000;

export interface Metrics {
  readonly registry: Registry;
  readonly fixes: Counter;
  readonly events: Counter<'type'>;
  readonly streams: Gauge<'kind'>;
  /** Attempts to deliver events to sinks, by kind and result. */
  readonly deliveries: Counter<'kind' | 'result'>;
  /** Processes that jobs ended, by job and reason. */
  readonly processes: Counter<'job' | 'reason'>;
  /** 1 while the stream's worker waits for the database or the log, else 0. */
  readonly paused: Gauge;
}

export function hostMetrics(zonesInMemory: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({
    name: 'wayzone_zones_in_memory',
    help: 'Geozones of all companies that are held in memory',
    registers,
    collect() {
      this.set(zonesInMemory());
    },
  });
  return {
    registry,
    fixes: new Counter({ name: 'wayzone_fixes_total', help: 'Fixes that were stored', registers }),
    events: new Counter({
      name: 'wayzone_events_total',
      help: 'Events that were stored',
      labelNames: ['type'],
      registers,
    }),
    deliveries: new Counter({
      name: 'wayzone_deliveries_total',
      help: 'Attempts to deliver events to sinks',
      labelNames: ['kind', 'result'],
      registers,
    }),
    processes: new Counter({
      name: 'wayzone_jobs_ended_total',
      help: 'Jobs that ended their process, by reason: memory, time, other',
      labelNames: ['job', 'reason'],
      registers,
    }),
    paused: new Gauge({
      name: 'wayzone_worker_paused',
      help: 'Whether the worker waits for the database or the log',
      registers,
    }),
    streams: new Gauge({
      name: 'wayzone_open_streams',
      help: 'Streams that are open',
      labelNames: ['kind'],
      registers,
    }),
  };
}

/** `GET /metrics`, and the durations of all requests by operation (the document's `operationId`), route, method and status. */
export function serveMetrics(app: FastifyInstance, { registry }: Metrics): void {
  const durations = new Histogram({
    name: 'wayzone_http_request_seconds',
    help: 'Time from the request to the last byte of its answer',
    labelNames: ['operation', 'method', 'route', 'status'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  });
  const observers = new Map<string, (seconds: number) => void>();
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const { statusCode: status } = reply;
    // Uses the route's pattern: with the address, each zone would have its own label.
    const route = request.routeOptions.url ?? 'unknown';
    const key = `${method} ${status} ${route}`;
    let observe = observers.get(key);
    if (observe === undefined) {
      const { operationId: operation = 'none' } = Object(request.routeOptions.schema) as {
        operationId?: string;
      };
      const child = durations.labels({ operation, method, route, status });
      observe = (seconds) => child.observe(seconds);
      observers.set(key, observe);
    }
    observe(reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', { schema: { hide: true } }, async (_, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

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
