/** Options of the commands that evaluate trips. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ZoneOptions } from '../../core/wire.js';
import type { VisitOptions } from '../../tracks/index.js';
import type { TripOptions } from '../../trips/index.js';
import { addFlags, addOnce, type FlagRows, flagAmount, instant } from './flagRows.js';

export interface TripFlags {
  readonly timeZone?: string;
  readonly date?: readonly string[];
  readonly predictSpeed?: number;
}

/** Flags of `evaluateTrip`; those of zones and visits have their own tables. `null`: no flag, or a flag that is read separately. */
export const TRIP_FLAGS: FlagRows<Omit<TripOptions, keyof VisitOptions | keyof ZoneOptions>> = {
  timeZone: null,
  changes: null,
  predict: null,
  now: {
    flag: '--now <time>',
    text: "evaluate as of this time (ISO 8601); default: the end of each run's window",
    read: instant,
  },
  policy: {
    flag: '--policy <policy>',
    text: 'strict trips: skip a point that is not visited, or wait for it',
    words: ['skip', 'wait'],
    default: 'skip',
  },
  finishOn: {
    flag: '--finish-on <what>',
    text: 'a strict trip ends on reaching its last point, or on leaving it',
    words: ['entry', 'departure'],
    default: 'entry',
  },
  minStaySeconds: {
    flag: '--min-stay <seconds>',
    text: 'a visit serves a point only if it lasts this long',
    default: 0,
  },
  defaultDeviationMinutes: {
    flag: '--default-deviation <minutes>',
    text: 'allowed deviation of planned times without their own',
    default: 0,
  },
  allowSharedVisit: {
    flag: '--separate-visits',
    text: 'one visit serves one point, also where consecutive points have one zone',
    value: false,
  },
  windowAfterSeconds: {
    flag: '--window-after <seconds>',
    text: 'the window stays open this long after the last planned time',
    default: 21_600,
  },
  holeSeconds: {
    flag: '--hole <seconds>',
    text: 'a longer step between fixes hides the unit, unless it slept',
    default: 600,
  },
  reachSpeedKph: {
    flag: '--reach-speed <kph>',
    text: 'speed at which a unit may have moved unseen',
    default: 130,
  },
  serviceSeconds: {
    flag: '--service <seconds>',
    text: 'a unit that stands this long stops, 0: every stay is a stop',
    default: 60,
  },
  leaveConfirmSeconds: {
    flag: '--leave-confirm <seconds>',
    text: 'a shorter absence from a point undoes the exit',
    default: 120,
  },
  predictionHoldSeconds: {
    flag: '--prediction-hold <seconds>',
    text: 'a prediction must hold this long to be told',
    default: 120,
  },
};

/** Adds the flags of `evaluateTrip`, but those of zones and visits. */
export function addTripFlags(command: Command): Command {
  addOnce(
    command.optionsGroup('Trips:'),
    new Option('--time-zone <name>', "the company's time zone (Europe/Berlin), for the local times of trips"),
  );
  command
    .option('--date <day...>', 'only the runs of these days (yyyy-MM-dd); default: all runs')
    .option(
      '--predict-speed <km/h>',
      'predict arrivals at pending points along straight lines at this speed (with --now)',
      speed,
    );
  return addFlags(command, TRIP_FLAGS);
}

function speed(text: string): number {
  const kph = flagAmount(text);
  if (kph > 0) return kph;
  throw new InvalidArgumentError('Expected a speed above 0.');
}
