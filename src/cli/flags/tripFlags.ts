/** The options of commands that judge trips. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { amount } from './options.js';

export interface TripFlags {
  readonly timeZone?: string;
  readonly date?: readonly string[];
  readonly now?: number;
  readonly policy: 'skip' | 'wait';
  readonly finishOn: 'arrival' | 'departure';
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
    .option('--time-zone <name>', "the company's zone (Europe/Berlin), in which trips say their times")
    .option('--date <day...>', 'only the runs of these days (yyyy-MM-dd); else all of each trip')
    .option(
      '--now <time>',
      'as things stood then (ISO 8601); else when the window of each run ended',
      instant,
    )
    .addOption(
      new Option(
        '--policy <policy>',
        'of strict trips: a point that is not visited is skipped, or waited for',
      )
        .choices(['skip', 'wait'])
        .default('skip'),
    )
    .addOption(
      new Option(
        '--finish-on <what>',
        'a strict trip is finished on reaching its last point, or on leaving it',
      )
        .choices(['arrival', 'departure'])
        .default('arrival'),
    )
    .option('--min-stay <seconds>', 'a shorter visit serves no point', amount, 0)
    .option('--max-deviation <seconds>', 'a visit farther from the plan serves no point', amount)
    .option('--default-deviation <minutes>', 'that a planned time allows where it says nothing', amount, 0)
    .option(
      '--predict-speed <km/h>',
      'foretell arrivals at pending points, the straight way (with --now)',
      speed,
    )
    .option('--shared-visits', 'one stay may serve neighbours of the list that are one zone');
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
