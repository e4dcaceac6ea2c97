/** Valhalla over HTTP or in the same process: `route` and `sources_to_targets`. */

import { inputError, WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import type { UnknownFields } from '../core/input.js';
import { checkOptions, type OptionTable, OWN, readOption } from '../core/options.js';
import { zoneOutline } from '../zones/zoneOutline.js';
import {
  amountOf,
  answerList,
  answerText,
  type EngineErrorCode,
  engineError,
  fieldsOf,
} from './engineAnswer.js';
import { HTTP_OPTIONS, type HttpAnswer, type HttpOptions, httpClient } from './httpClient.js';
import { engineRefusal, osrmMatrix, osrmRoute } from './osrmEngine.js';
import {
  checkRequest,
  type EngineMatrix,
  type EngineRoute,
  type RouteRequest,
  type RoutingEngine,
  readPoints,
  routeByLeg,
} from './routingEngine.js';
import { valhallaRoute } from './valhallaRoute.js';

/** The used part of `Actor` of `@valhallajs/valhallajs`. Requests are objects. Answers are objects or JSON texts. */
export interface ValhallaActor {
  /** Valhalla's `route`, JSON in and out. */
  route(request: object): unknown;
  /** Valhalla's `sources_to_targets`, JSON in and out. */
  matrix(request: object): unknown;
}

/** The vehicle and its options. */
export interface ValhallaCosting {
  /** `auto` (the default), `truck`, `bus`, `bicycle`, … */
  readonly costing?: string | undefined;
  /** Options of the costing as Valhalla spells them, such as a truck's `{ height: 4, weight: 20 }`. */
  readonly costingOptions?: Readonly<Record<string, unknown>> | undefined;
  /** Response format to request; the results are the same. Default `osrm`. */
  readonly format?: 'osrm' | 'native' | undefined;
}

/** A server, or an actor in this process. */
export type ValhallaOptions = ValhallaCosting & (HttpOptions | { readonly actor: ValhallaActor });

const OPTIONS: OptionTable<ValhallaCosting & HttpOptions & { readonly actor: ValhallaActor }> = {
  costing: OWN,
  costingOptions: OWN,
  format: { words: ['osrm', 'native'] },
  actor: OWN,
  ...HTTP_OPTIONS,
};

/** Error codes by the numbers of Valhalla's errors (docs, "Error codes"): no way, no road near, a limit exceeded. */
const CODES: Readonly<Record<number, EngineErrorCode>> = {
  150: 'engine-limit',
  151: 'engine-limit',
  153: 'engine-limit',
  154: 'engine-limit',
  157: 'engine-limit',
  167: 'engine-limit',
  170: 'no-route',
  171: 'no-segment',
  442: 'no-route',
};

/**
 * An engine on a Valhalla server (`url`, `fetch`), or on an `Actor` in the same process (`actor`).
 *
 * `avoidZones` of a request are sent as the outer rings of their outlines (`exclude_polygons`). A server limits their total length, by default
 * to 10 km. Errors: as `osrmEngine`, also with Valhalla's numbers, and the errors of the zones on `avoidZones[i].`.
 *
 * @example
 * import { valhallaEngine } from 'wayzone/routing';
 * valhallaEngine({ url: 'https://valhalla.example', fetch, costing: 'truck' }).name; // 'valhalla'
 */
export function valhallaEngine(options: ValhallaOptions): RoutingEngine {
  checkOptions(options, OPTIONS);
  const name = 'valhalla';
  const { costing = 'auto', costingOptions } = options;
  const format = readOption(OPTIONS.format, options.format, 'options.format');
  if (typeof costing !== 'string' || costing === '') {
    throw inputError('option-value', 'options.costing', 'the name of a costing', costing);
  }
  const send = senderOf(name, options);
  const ask = async (
    service: 'route' | 'sources_to_targets',
    query: object,
    request: RouteRequest,
  ): Promise<unknown> => {
    checkRequest(request);
    const polygons = excluded(request);
    const { status, body } = await send(
      service,
      {
        ...query,
        costing,
        units: 'kilometers',
        ...(costingOptions === undefined ? {} : { costing_options: { [costing]: costingOptions } }),
        ...(polygons.length === 0 ? {} : { exclude_polygons: polygons }),
        ...(format === 'osrm' ? { format } : {}),
      },
      request.signal,
    );
    const answer = fieldsOf(body, name, 'answer');
    const code = answerText(answer['code']);
    if (status >= 200 && status < 300 && (code === null || code === 'Ok')) return answer;
    const number = answer['error_code'];
    if (typeof number !== 'number') throw engineRefusal(name, code ?? `HTTP ${status}`, answer);
    throw engineError(
      CODES[number] ?? 'engine-query',
      name,
      String(number),
      answerText(answer['error']) ?? 'no message',
    );
  };
  return {
    name,
    async route(points, request = {}) {
      return await routeByLeg(readPoints(points, 2), async (part): Promise<EngineRoute> => {
        const query = { locations: part.map(locationOf), shape_format: 'polyline6' };
        const answer = await ask('route', query, request);
        return (format === 'osrm' ? osrmRoute : valhallaRoute)(answer, part.length, 6, name);
      });
    },
    async matrix(points, request = {}) {
      const places = readPoints(points, 1);
      const locations = places.map(locationOf);
      const answer = await ask('sources_to_targets', { sources: locations, targets: locations }, request);
      return format === 'osrm'
        ? osrmMatrix(answer, places.length, name)
        : nativeMatrix(answer, places.length, name);
    },
  };
}

type Sender = (
  service: 'route' | 'sources_to_targets',
  body: object,
  signal: AbortSignal | undefined,
) => Promise<HttpAnswer>;

function senderOf(name: string, options: ValhallaOptions): Sender {
  if (!('actor' in options)) {
    const client = httpClient(name, options);
    return async (service, body, signal) => await client.ask(service, body, signal);
  }
  const { actor } = options;
  return async (service, body, signal) => {
    signal?.throwIfAborted();
    try {
      const answer = await (service === 'route' ? actor.route(body) : actor.matrix(body));
      return { status: 200, body: typeof answer === 'string' ? (JSON.parse(answer) as unknown) : answer };
    } catch (error) {
      throw actorError(name, error);
    } finally {
      // An actor cannot be stopped, so its answer after the signal is dropped.
      signal?.throwIfAborted();
    }
  };
}

/** Numbers of an actor's errors by their texts: they have no codes. */
const TEXTS: readonly (readonly [text: RegExp, number: number])[] = [
  [/no path could be found/i, 442],
  [/no suitable edges/i, 171],
  [/locations are in unconnected regions/i, 170],
  [/exceeds the max|exceeded max/i, 154],
];

function actorError(name: string, error: unknown): WayzoneError {
  const message = error instanceof Error ? error.message : 'the actor failed';
  const number = TEXTS.find(([text]) => text.test(message))?.[1];
  const code = number === undefined ? 'engine-query' : CODES[number]!;
  return engineError(code, name, number === undefined ? 'actor' : String(number), message, 'points', error);
}

const locationOf = ([lon, lat]: Position): object => ({ lon, lat });

/** The outer rings of the zones to avoid. */
function excluded({ avoidZones = [], zoneOptions = {} }: RouteRequest): Position[][] {
  return avoidZones.flatMap((zone, i) => {
    try {
      const outline = zoneOutline(zone, zoneOptions);
      return outline.type === 'Polygon'
        ? [outline.coordinates[0]!]
        : outline.coordinates.map((rings) => rings[0]!);
    } catch (error) {
      if (!(error instanceof WayzoneError)) throw error;
      throw new WayzoneError(error.code, `avoidZones[${i}].${error.field}`, error.message, { cause: error });
    }
  });
}

function nativeMatrix(answer: unknown, size: number, engine: string): EngineMatrix {
  const where = 'sources_to_targets';
  const rows = answerList(fieldsOf(answer, engine, 'answer')[where], engine, where, size).map((row, from) =>
    answerList(row, engine, `${where}[${from}]`, size).map((cell, to) =>
      fieldsOf(cell, engine, `${where}[${from}][${to}]`),
    ),
  );
  const table = (field: string, factor: number): number[][] =>
    rows.map((row, from) =>
      row.map((cell, to) => (from === to ? 0 : cost(cell, field, factor, `${where}[${from}][${to}]`))),
    );
  const cost = (cell: UnknownFields, field: string, factor: number, at: string): number =>
    cell[field] === null || cell[field] === undefined
      ? Number.POSITIVE_INFINITY
      : amountOf(cell[field], engine, `${at}.${field}`) * factor;
  return { distancesMeters: table('distance', 1000), durationsSeconds: table('time', 1) };
}
