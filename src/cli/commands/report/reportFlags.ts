/** Flags of `wayzone report`: the base map, limits, hours, a route and meetings. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { MeasureSystem } from '../../../report/measureSystem.js';
import { flagAmount } from '../../flags/flagRows.js';
import type { HoursFlags } from '../../flags/hoursFlags.js';
import { addLimits, type LimitFlags } from '../../flags/movementFlags.js';

export interface BasemapFlags {
  readonly tiles?: string;
  readonly basemap?: string;
  readonly attribution?: string;
  readonly basemapBytes: number;
  readonly units: MeasureSystem;
}

/** Values of `--units`. The compiler compares them with the page's systems of units. */
const UNITS: Readonly<Record<MeasureSystem, true>> = { km: true, miles: true };

/** Adds the flags of the base map, and `--units`. */
export function addBasemapFlags(command: Command): Command {
  return command
    .option(
      '--tiles <url>',
      'images of a map that browsers load when the page is open: https://host/{z}/{x}/{y}.png',
      address,
    )
    .addOption(
      new Option(
        '--basemap <file>',
        'PMTiles archive with images or vector tiles of a map: the part around zones and tracks goes into the page',
      ).conflicts('tiles'),
    )
    .option(
      '--attribution <text>',
      "who made the map (default: the archive's own text, or the host of --tiles)",
    )
    .option(
      '--basemap-bytes <count>',
      'for --basemap: most bytes of tiles in the page',
      flagAmount,
      12_000_000,
    )
    .addOption(new Option('--units <name>', 'on the page').choices(Object.keys(UNITS)).default('km'));
}

function address(text: string): string {
  const parts = /^(https?:\/\/[^{}/\s]+)\//.exec(text);
  if (parts === null || !URL.canParse(parts[1]!))
    throw new InvalidArgumentError('Expected an address: https://host/….');
  for (const part of ['{z}', '{x}', '{y}'])
    if (text.split(part).length !== 2) throw new InvalidArgumentError(`Expected ${part} once.`);
  if (/[{}]/.test(text.replace(/\{[zxy]\}/g, '')))
    throw new InvalidArgumentError('Expected no braces but {z}, {x} and {y}.');
  return text;
}

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
