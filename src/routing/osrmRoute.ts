/** Reads routes and tables in the format of OSRM's HTTP API v5, which Valhalla offers too. */

import type { Position } from '../core/geometry.js';
import type { UnknownFields } from '../core/input.js';
import {
  amountOf,
  answerList,
  answerText,
  checkedLine,
  fieldsOf,
  geometryOf,
  numberOf,
  tableOf,
} from './engineAnswer.js';
import { badAnswer } from './engineError.js';
import type { EngineMatrix, EngineRoute, RouteLeg, RouteStep } from './routingEngine.js';

/** The first route of an answer, with one leg between consecutive points. */
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
