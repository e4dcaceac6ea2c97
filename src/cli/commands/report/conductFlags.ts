/** Flags of `wayzone report` for limits, hours, a route and meetings. */

import type { Command } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import type { HoursFlags } from '../../flags/hoursFlags.js';
import { addLimits, type LimitFlags } from '../../flags/movementFlags.js';

export interface ConductFlags extends LimitFlags, HoursFlags {
  readonly route?: string;
  readonly routeWidth: number;
  readonly meetingMeters?: number;
}

/** Adds the flags of limits, hours, a route and meetings. */
export function addConductFlags(command: Command): Command {
  return addLimits(command)
    .option('--hours <file>', 'JSON with the opening hours of zones, as for visits; needs --time-zone')
    .option('--holidays <file>', 'for --hours: JSON with the holidays as a list of {year, days: ["MM.dd"]}')
    .option('--route <file>', 'a file with one line: what each unit covered of it')
    .option('--route-width <meters>', 'for --route: whole width of the corridor', flagAmount, 60)
    .option('--meeting-meters <meters>', 'find meetings: two units at most this far apart', flagAmount);
}
