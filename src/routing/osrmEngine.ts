/** OSRM over HTTP, API v5: `route` and `table`. */

import { inputError, type WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import type { UnknownFields } from '../core/input.js';
import { checkOptions, type OptionTable, OWN, readOption } from '../core/options.js';
import {
  amountOf,
  answerList,
  answerText,
  badAnswer,
  checkedLine,
  type EngineErrorCode,
  engineError,
  fieldsOf,
  geometryOf,
  numberOf,
  tableOf,
} from './engineAnswer.js';
import { HTTP_OPTIONS, type HttpOptions, httpClient } from './httpClient.js';
import {
  type EngineMatrix,
  type EngineRoute,
  type RouteLeg,
  type RouteRequest,
  type RouteStep,
  type RoutingEngine,
  readPoints,
  refuseAvoidance,
  routeByLeg,
} from './routingEngine.js';

export interface OsrmOptions extends HttpOptions {
  /** Default `driving`. */
  readonly profile?: string | undefined;
  /** Format of the geometries in answers. Default `polyline6`. */
  readonly geometries?: 'polyline' | 'polyline6' | 'geojson' | undefined;
}

const OPTIONS: OptionTable<OsrmOptions> = {
  profile: OWN,
  geometries: { words: ['polyline6', 'polyline', 'geojson'] },
  ...HTTP_OPTIONS,
};

const CODES: Readonly<Record<string, EngineErrorCode>> = {
  NoRoute: 'no-route',
  NoTable: 'no-route',
  NoSegment: 'no-segment',
  TooBig: 'engine-limit',
};

/**
 * An engine on an OSRM server; the caller passes `fetch`.
 *
 * Errors of the server, with its code and message: `no-route` (field `legs[i]`), `no-segment` (`points[i]`: no road near), `engine-limit` (too
 * many points), `engine-query`, `engine-timeout`, `engine-unreachable`, `engine-busy` (429 or 503, after the retries), `engine-response` (no
 * JSON, requested fields are missing, or a line is five times longer or shorter than its leg). OSRM cannot avoid zones: `option-value`.
 *
 * @example
 * import { osrmEngine } from 'wayzone/routing';
 * osrmEngine({ url: 'https://osrm.example', fetch }).name; // 'osrm'
 */
export function osrmEngine(options: OsrmOptions): RoutingEngine {
  checkOptions(options, OPTIONS);
  const name = 'osrm';
  const { profile = 'driving' } = options;
  const geometries = readOption(OPTIONS.geometries, options.geometries, 'options.geometries');
  if (typeof profile !== 'string' || !/^[\w-]+$/.test(profile)) {
    throw inputError('option-value', 'options.profile', 'the name of a profile', profile);
  }
  const client = httpClient(name, options);
  const ask = async (service: string, points: readonly Position[], query: string, request: RouteRequest) => {
    refuseAvoidance(name, request);
    const places = points.map(([lon, lat]) => `${lon.toFixed(6)},${lat.toFixed(6)}`).join(';');
    const path = `${service}/v1/${profile}/${places}?${query}`;
    const { status, body } = await client.ask(path, null, request.signal);
    const code = answerText(fieldsOf(body, name, 'answer')['code']);
    if (code !== 'Ok') throw engineRefusal(name, code ?? `HTTP ${status}`, body);
    return body;
  };
  return {
    name,
    async route(points, request = {}) {
      const query = `overview=false&steps=true&geometries=${geometries}`;
      return await routeByLeg(readPoints(points, 2), async (part): Promise<EngineRoute> => {
        const answer = await ask('route', part, query, request);
        return osrmRoute(answer, part.length, geometries === 'polyline' ? 5 : 6, name);
      });
    },
    async matrix(points, request = {}) {
      const places = readPoints(points, 1);
      // OSRM rejects a table of one place.
      if (places.length === 1) return { distancesMeters: [[0]], durationsSeconds: [[0]] };
      const answer = await ask('table', places, 'annotations=duration,distance', request);
      return osrmMatrix(answer, places.length, name);
    },
  };
}

/** The error for a refusal of an OSRM-like engine, with the point that its message names. */
export function engineRefusal(engine: string, own: string, body: unknown): WayzoneError {
  const message = answerText(fieldsOf(body, engine, 'answer')['message']) ?? 'no message';
  const known = Object.hasOwn(CODES, own) ? CODES[own] : undefined;
  const code = known ?? (own.startsWith('HTTP 5') ? 'engine-response' : 'engine-query');
  const at = code === 'no-segment' ? /coordinate (\d+)/.exec(message) : null;
  return engineError(code, engine, own, message, at === null ? 'points' : `points[${at[1]}]`);
}

/** The first route of an answer in the format of OSRM's HTTP API v5, which Valhalla offers too, with one leg between consecutive points. */
export function osrmRoute(answer: unknown, points: number, precision: 5 | 6, engine: string): EngineRoute {
  const routes = answerList(fieldsOf(answer, engine, 'answer')['routes'], engine, 'routes');
  const route = fieldsOf(routes[0], engine, 'routes[0]');
  const legs = answerList(route['legs'], engine, 'routes[0].legs', points - 1);
  return {
    distanceMeters: amountOf(route['distance'], engine, 'routes[0].distance'),
    durationSeconds: amountOf(route['duration'], engine, 'routes[0].duration'),
    legs: legs.map((leg, i) => legOf(leg, precision, engine, `routes[0].legs[${i}]`)),
  };
}

/** The tables of an answer. */
export function osrmMatrix(answer: unknown, size: number, engine: string): EngineMatrix {
  const fields = fieldsOf(answer, engine, 'answer');
  return {
    distancesMeters: tableOf(fields['distances'], size, engine, 'distances'),
    durationsSeconds: tableOf(fields['durations'], size, engine, 'durations'),
  };
}

function legOf(value: unknown, precision: 5 | 6, engine: string, where: string): RouteLeg {
  const leg = fieldsOf(value, engine, where);
  const geometry: Position[] = [];
  const steps = answerList(leg['steps'], engine, `${where}.steps`).map((item, i) => {
    const at = `${where}.steps[${i}]`;
    const step = fieldsOf(item, engine, at);
    for (const position of geometryOf(step['geometry'], precision, engine, `${at}.geometry`)) {
      const last = geometry.at(-1);
      // A step begins where the one before ended; the arrival is a line of one position, written twice.
      if (last === undefined || last[0] !== position[0] || last[1] !== position[1]) geometry.push(position);
    }
    return stepOf(step, engine, at);
  });
  if (geometry.length === 0) throw badAnswer(engine, `${where}.steps`, 'steps with a geometry', 'none');
  if (geometry.length === 1) geometry.push(geometry[0]!);
  const distanceMeters = amountOf(leg['distance'], engine, `${where}.distance`);
  return {
    distanceMeters,
    durationSeconds: amountOf(leg['duration'], engine, `${where}.duration`),
    geometry: checkedLine(geometry, distanceMeters, engine, `${where}.steps`),
    steps,
  };
}

function stepOf(step: UnknownFields, engine: string, where: string): RouteStep {
  const maneuver = fieldsOf(step['maneuver'], engine, `${where}.maneuver`);
  const type = answerText(maneuver['type']);
  if (type === null) throw badAnswer(engine, `${where}.maneuver.type`, 'a type', maneuver['type']);
  const side = step['driving_side'];
  return {
    distanceMeters: amountOf(step['distance'], engine, `${where}.distance`),
    durationSeconds: amountOf(step['duration'], engine, `${where}.duration`),
    name: answerText(step['name']) ?? '',
    ref: answerText(step['ref']),
    mode: answerText(step['mode']),
    drivingSide: side === 'left' || side === 'right' ? side : null,
    destinations: answerText(step['destinations']),
    exits: answerText(step['exits']),
    rotaryName: answerText(step['rotary_name']),
    maneuver: {
      type,
      modifier: answerText(maneuver['modifier']),
      bearingAfter: numberOf(maneuver['bearing_after']),
      exit: numberOf(maneuver['exit']),
    },
  };
}
