/** Options of the commands that evaluate trips. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { amount } from './options.js';

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
}

/** Adds `--time-zone` to `--shared-visits`. */
export function addTripFlags(command: Command): Command {
  return command
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

function instant(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw new InvalidArgumentError('Expected a time with its offset: 2026-03-02T08:00Z.');
  return time;
}
