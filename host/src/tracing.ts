/**
 * Traces in the protocol of OpenTelemetry: a span for each request and each turn of a worker, and within it one for each statement and computation. A span names
 * operations, never addresses or headers, which may contain tickets, tokens and keys.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { LogEvent } from 'kysely';
import type { Logger } from 'pino';
import { WayzoneError } from 'wayzone';
import type { Compute } from './jobs/compute.js';
import type { Settings } from './settings.js';
import type { OnTurn } from './stream/cellWorker.js';

/** Installed only by hosts that send traces. */
const PACKAGES = [
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
] as const;
/** Time limit for one message to the collector, and so for the last spans at the end. */
const SEND_MS = 5000;
/** Characters of a statement. */
const MOST_SQL = 2000;

export interface Tracing {
  /** Starts and ends the spans of requests. */
  addTo(app: FastifyInstance): void;
  /** For the option `log` of a database. Statements outside of requests and turns have no span. */
  readonly onStatement: (event: LogEvent) => void;
  traced(compute: Compute): Compute;
  /** For the worker of a stream. */
  readonly turns: TurnTraces;
  /** Sends what is left. */
  close(): Promise<void>;
}

export interface TurnTraces {
  /** Runs a turn within a span. */
  readonly run: OnTurn;
  /** Adds the contents of a commit to the span of the turn. */
  readonly committed: (fixes: number, events: number) => void;
  /** Marks the turn as failed with the code. */
  readonly failed: (code: string) => void;
}

/** The used part of the packages. */
interface Sdk {
  readonly BasicTracerProvider: new (
    options: object,
  ) => {
    getTracer(name: string): Tracer;
    shutdown(): Promise<void>;
  };
  readonly BatchSpanProcessor: new (exporter: object) => object;
  readonly resourceFromAttributes: (attributes: object) => object;
  readonly OTLPTraceExporter: new (
    options: object,
  ) => {
    export(spans: readonly object[], done: (result: { readonly error?: Error }) => void): void;
  };
}

/** Throws `tracing-missing` without the packages. */
export async function startTracing(
  { tracesUrl, serviceName }: Pick<Settings, 'serviceName'> & { readonly tracesUrl: string },
  log: Pick<Logger, 'warn'>,
): Promise<Tracing> {
  const sdk = await loaded();
  const exporter = new sdk.OTLPTraceExporter({ url: `${tracesUrl}/v1/traces`, timeoutMillis: SEND_MS });
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error !== undefined)
        log.warn({ spans: spans.length, reason: result.error.message }, 'traces were not sent');
      done(result);
    });
  const provider = new sdk.BasicTracerProvider({
    resource: sdk.resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  return tracingBy(provider.getTracer('wayzone-host'), () =>
    // The log has said it.
    provider.shutdown().catch(() => {}),
  );
}

async function loaded(): Promise<Sdk> {
  try {
    // Names that the compiler does not know: a build needs no package.
    const modules = await Promise.all(PACKAGES.map((name: string) => import(name)));
    return Object.assign({}, ...modules) as Sdk;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new WayzoneError(
      'tracing-missing',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      `expected the packages of traces, received none: npm install ${PACKAGES.join(' ')}`,
    );
  }
}

function tracingBy(tracer: Tracer, close: () => Promise<void>): Tracing {
  const current = new AsyncLocalStorage<Span>();
  const spans = new WeakMap<object, Span>();
  /** Contents of the commits of turns. */
  const counts = new WeakMap<object, { fixes: number; events: number }>();
  const fail = (span: Span, code: string): void =>
    void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code);
  const inside = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);
  return {
    addTo(app) {
      app.addHook('onRequest', (request, _, done) => {
        const route = request.routeOptions.url;
        const span = tracer.startSpan(
          route === undefined ? request.method : `${request.method} ${route}`,
          {
            kind: SpanKind.SERVER,
            attributes: {
              'http.request.method': request.method,
              'wayzone.request_id': request.id,
              ...(route === undefined ? {} : { 'http.route': route }),
            },
          },
          parentOf(request.headers['traceparent']),
        );
        spans.set(request, span);
        current.run(span, done);
      });
      // The body's events come from outside.
      app.addHook('preValidation', (request, _, done) => current.run(spans.get(request)!, done));
      app.addHook('onResponse', (request, { statusCode }, done) => {
        const span = spans.get(request)!;
        span.setAttribute('http.response.status_code', statusCode);
        if (request.access !== null) span.setAttribute('wayzone.company', request.access.companyId);
        if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        done();
      });
    },
    onStatement({ level, query, queryDurationMillis }) {
      const parent = current.getStore();
      if (parent === undefined) return;
      const now = Date.now();
      const [verb = 'sql'] = /[a-z]+/i.exec(query.sql.replaceAll(/\/\*.*?\*\//gs, '')) ?? [];
      const span = tracer.startSpan(
        verb.toLowerCase(),
        {
          kind: SpanKind.CLIENT,
          startTime: now - queryDurationMillis,
          attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql.slice(0, MOST_SQL) },
        },
        inside(parent),
      );
      if (level === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(now);
    },
    traced: (compute) => ({
      async run(companyId, name, input, given) {
        const parent = current.getStore();
        if (parent === undefined) return compute.run(companyId, name, input, given);
        const span = tracer.startSpan(`compute ${name}`, {}, inside(parent));
        try {
          return await compute.run(companyId, name, input, given);
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          if (error instanceof WayzoneError) span.setAttribute('error.type', error.code);
          throw error;
        } finally {
          span.end();
        }
      },
      close: () => compute.close(),
    }),
    turns: {
      async run(companyId, cells, turn) {
        const attributes = { 'wayzone.company': companyId, 'wayzone.cells': cells };
        const span = tracer.startSpan('turn', { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT);
        counts.set(span, { fixes: 0, events: 0 });
        try {
          return await current.run(span, turn);
        } catch (error) {
          fail(span, error instanceof WayzoneError ? error.code : 'internal');
          throw error;
        } finally {
          const { fixes, events } = counts.get(span)!;
          span.setAttributes({ 'wayzone.fixes': fixes, 'wayzone.events': events }).end();
        }
      },
      committed(fixes, events) {
        const count = counts.get(current.getStore() ?? tracer);
        if (count === undefined) return;
        count.fixes += fixes;
        count.events += events;
      },
      failed(code) {
        const span = current.getStore();
        if (span !== undefined) fail(span, code);
      },
    },
    close,
  };
}

/** The caller's span, in the form of W3C Trace Context. */
function parentOf(header: string | readonly string[] | undefined): Context {
  const [, traceId, spanId, flags] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? [];
  if (traceId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags!, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: spanId!, traceFlags, isRemote: true });
}
