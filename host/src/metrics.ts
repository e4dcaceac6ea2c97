/** The metrics that `/metrics` exposes to Prometheus. */

import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

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
