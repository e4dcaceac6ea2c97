/** Options of the commands that evaluate trips. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { amount, instant } from './options.js';

export interface TripFlags {
  readonly timeZone?: string;
  readonly date?: readonly string[];
  readonly now?: number;
  readonly policy: 'skip' | 'wait';
  readonly finishOn: 'entry' | 'departure';
  readonly minStay: number;
  readonly maxDeviation?: number;
  readonly defaultDeviation: number;
  readonly sharedVisits?: true;
  readonly predictSpeed?: number;
  readonly windowBefore?: number;
  readonly windowAfter?: number;
  readonly hole?: number;
  readonly reachSpeed?: number;
  readonly service?: number;
  readonly stop?: number;
  readonly minMoveSpeed?: number;
  readonly leaveConfirm?: number;
  readonly predictionHold?: number;
  readonly ignoreCrossed?: true;
}

/** The flags that hold one number of an option of `evaluateTrip`, with the option. */
export const TRIP_NUMBERS = [
  [
    'windowBefore',
    'windowBeforeSeconds',
    '--window-before <seconds>',
    'the window opens this long before the first planned time (default: 3600)',
  ],
  [
    'windowAfter',
    'windowAfterSeconds',
    '--window-after <seconds>',
    'the window stays open this long after the last planned time (default: 21600)',
  ],
  [
    'hole',
    'holeSeconds',
    '--hole <seconds>',
    'a longer step between fixes hides the unit, unless it slept (default: 600)',
  ],
  [
    'reachSpeed',
    'reachSpeedKph',
    '--reach-speed <kph>',
    'speed at which a unit may have moved unseen (default: 130)',
  ],
  [
    'service',
    'serviceSeconds',
    '--service <seconds>',
    'a unit that stands this long stops, 0: every stay is a stop (default: 60)',
  ],
  [
    'stop',
    'stopMeters',
    '--stop <meters>',
    'a unit stands while it stays this near to one place (default: 50)',
  ],
  [
    'minMoveSpeed',
    'minMoveSpeedKph',
    '--min-move-speed <kph>',
    'a unit at most this fast does not move (default: 3)',
  ],
  [
    'leaveConfirm',
    'leaveConfirmSeconds',
    '--leave-confirm <seconds>',
    'a shorter absence from a point undoes the exit (default: 120)',
  ],
  [
    'predictionHold',
    'predictionHoldSeconds',
    '--prediction-hold <seconds>',
    'a prediction must hold this long to be told (default: 120)',
  ],
] as const;

/** Adds a flag for every option of `evaluateTrip`. */
export function addTripFlags(command: Command): Command {
  addMainFlags(command);
  for (const [, , flag, text] of TRIP_NUMBERS) command.option(flag, text, amount);
  return command.option('--ignore-crossed', 'visits without a fix inside do not count');
}

function addMainFlags(command: Command): void {
  command
    .optionsGroup('Trips:')
    .option('--time-zone <name>', "the company's time zone (Europe/Berlin), for the local times of trips")
    .option('--date <day...>', 'only the runs of these days (yyyy-MM-dd); default: all runs')
    .option(
      '--now <time>',
      "evaluate as of this time (ISO 8601); default: the end of each run's window",
      instant,
    )
    .addOption(
      new Option('--policy <policy>', 'strict trips: skip a point that is not visited, or wait for it')
        .choices(['skip', 'wait'])
        .default('skip'),
    )
    .addOption(
      new Option('--finish-on <what>', 'a strict trip ends on reaching its last point, or on leaving it')
        .choices(['entry', 'departure'])
        .default('entry'),
    )
    .option('--min-stay <seconds>', 'a visit serves a point only if it lasts this long', amount, 0)
    .option(
      '--max-deviation <seconds>',
      'a visit serves a point only if it is this near to the planned time',
      amount,
    )
    .option(
      '--default-deviation <minutes>',
      'allowed deviation of planned times without their own',
      amount,
      0,
    )
    .option(
      '--predict-speed <km/h>',
      'predict arrivals at pending points along straight lines at this speed (with --now)',
      speed,
    )
    .option('--shared-visits', 'one visit may serve consecutive points in the same zone');
}

function speed(text: string): number {
  const kph = amount(text);
  if (kph > 0) return kph;
  throw new InvalidArgumentError('Expected a speed above 0.');
}
