/** Converts routes in Valhalla's own format. Its numbered manoeuvres become those of OSRM, so that one set of texts serves both. */

import type { UnknownFields } from '../core/input.js';
import {
  amountOf,
  answerList,
  answerText,
  badAnswer,
  checkedLine,
  fieldsOf,
  geometryOf,
  numberOf,
} from './engineAnswer.js';
import type { EngineRoute, RouteLeg, RouteStep } from './routingEngine.js';

/** OSRM's type and modifier by Valhalla's number (`DirectionsLeg.Maneuver.Type`). A number that is not listed means: continue. */
const TYPES: Readonly<Record<number, readonly [type: string, modifier: string | null]>> = {
  1: ['depart', null],
  2: ['depart', 'right'],
  3: ['depart', 'left'],
  4: ['arrive', null],
  5: ['arrive', 'right'],
  6: ['arrive', 'left'],
  7: ['new name', 'straight'],
  8: ['continue', 'straight'],
  9: ['turn', 'slight right'],
  10: ['turn', 'right'],
  11: ['turn', 'sharp right'],
  12: ['continue', 'uturn'],
  13: ['continue', 'uturn'],
  14: ['turn', 'sharp left'],
  15: ['turn', 'left'],
  16: ['turn', 'slight left'],
  17: ['on ramp', 'straight'],
  18: ['on ramp', 'right'],
  19: ['on ramp', 'left'],
  20: ['off ramp', 'right'],
  21: ['off ramp', 'left'],
  22: ['fork', 'straight'],
  23: ['fork', 'slight right'],
  24: ['fork', 'slight left'],
  25: ['merge', 'straight'],
  26: ['roundabout', 'right'],
  27: ['exit roundabout', 'right'],
  28: ['continue', 'straight'],
  29: ['continue', 'straight'],
  37: ['merge', 'slight right'],
  38: ['merge', 'slight left'],
};
const ONWARD = ['continue', 'straight'] as const;

const FERRY_ENTER = 28;
const ROUNDABOUT_ENTER = 26;

/** The route of an answer in Valhalla's own format, in kilometres, with one leg between two points. */
export function valhallaRoute(
  answer: unknown,
  points: number,
  precision: 5 | 6,
  engine: string,
): EngineRoute {
  const trip = fieldsOf(fieldsOf(answer, engine, 'answer')['trip'], engine, 'trip');
  const units = trip['units'];
  if (units !== 'kilometers') throw badAnswer(engine, 'trip.units', 'kilometers', units);
  const legs = answerList(trip['legs'], engine, 'trip.legs', points - 1).map((leg, i) =>
    legOf(leg, precision, engine, `trip.legs[${i}]`),
  );
  const { length, time } = fieldsOf(trip['summary'], engine, 'trip.summary');
  return {
    distanceMeters: amountOf(length, engine, 'trip.summary.length') * 1000,
    durationSeconds: amountOf(time, engine, 'trip.summary.time'),
    legs,
  };
}

function legOf(value: unknown, precision: 5 | 6, engine: string, where: string): RouteLeg {
  const leg = fieldsOf(value, engine, where);
  const { length, time } = fieldsOf(leg['summary'], engine, `${where}.summary`);
  const geometry = geometryOf(leg['shape'], precision, engine, `${where}.shape`);
  if (geometry.length === 0) throw badAnswer(engine, `${where}.shape`, 'a line', 'nothing');
  if (geometry.length === 1) geometry.push(geometry[0]!);
  const distanceMeters = amountOf(length, engine, `${where}.summary.length`) * 1000;
  return {
    distanceMeters,
    durationSeconds: amountOf(time, engine, `${where}.summary.time`),
    geometry: checkedLine(geometry, distanceMeters, engine, `${where}.shape`),
    steps: answerList(leg['maneuvers'], engine, `${where}.maneuvers`).map((maneuver, i) =>
      stepOf(fieldsOf(maneuver, engine, `${where}.maneuvers[${i}]`), engine, `${where}.maneuvers[${i}]`),
    ),
  };
}

function stepOf(maneuver: UnknownFields, engine: string, where: string): RouteStep {
  const number = amountOf(maneuver['type'], engine, `${where}.type`);
  const [type, modifier] = TYPES[number] ?? ONWARD;
  const names = namesOf(maneuver['street_names']);
  const entersRoundabout = number === ROUNDABOUT_ENTER;
  const sign = fieldsOf(maneuver['sign'] ?? {}, engine, `${where}.sign`);
  const exit = numberOf(maneuver['roundabout_exit_count']);
  return {
    distanceMeters: amountOf(maneuver['length'], engine, `${where}.length`) * 1000,
    durationSeconds: amountOf(maneuver['time'], engine, `${where}.time`),
    // The name of a roundabout is not the name of the way after it.
    name: entersRoundabout ? '' : names,
    ref: null,
    mode: number === FERRY_ENTER ? 'ferry' : answerText(maneuver['travel_mode']),
    drivingSide: null,
    destinations: signOf(sign['exit_toward_elements']) ?? signOf(sign['exit_branch_elements']),
    exits: signOf(sign['exit_number_elements']),
    rotaryName: entersRoundabout && names !== '' ? names : null,
    maneuver: {
      type: entersRoundabout && names !== '' ? 'rotary' : type,
      modifier,
      bearingAfter: numberOf(maneuver['bearing_after']),
      exit: entersRoundabout && exit !== null && exit > 0 ? exit : null,
    },
  };
}

function namesOf(names: unknown): string {
  if (!Array.isArray(names)) return '';
  return names.filter((name): name is string => typeof name === 'string').join(' / ');
}

function signOf(elements: unknown): string | null {
  if (!Array.isArray(elements)) return null;
  const texts = elements.flatMap((element: unknown) => {
    const text = (element as { readonly text?: unknown } | null)?.text;
    return typeof text === 'string' ? [text] : [];
  });
  return texts.length === 0 ? null : texts.join(', ');
}
