/** Settings of units: the trip detector, limits, and colours by speed. */

import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { WayzoneError } from '../../core/errors.js';
import type { TrackGradation, TripDetectorSettings } from '../../core/trackSettings.js';
import type { SpeedingOptions } from '../../tracks/index.js';
import { amount, SETTINGS_HELP } from './options.js';

export interface MovementFlags {
  readonly settings?: string;
  readonly jump: 'distance' | 'speed';
}

/** Adds `--settings` and `--jump`. */
export function addMovementFlags(command: Command): Command {
  return command
    .option('--settings <file>', SETTINGS_HELP)
    .addOption(
      new Option('--jump <by>', 'cut a trip at a step that is too long, or too fast')
        .choices(['distance', 'speed'])
        .default('distance'),
    );
}

export async function settingsOf(file: string | undefined): Promise<TripDetectorSettings> {
  return file === undefined ? {} : ((await readJson(file)) as TripDetectorSettings);
}

/** `undefined` without a file. */
async function zoneLimitsOf(file: string | undefined): Promise<Record<string, number> | undefined> {
  return file === undefined ? undefined : ((await readJson(file)) as Record<string, number>);
}

export interface LimitFlags {
  readonly limit?: number;
  readonly zoneLimits?: string;
  readonly overlap: 'lowest' | 'highest';
  readonly combine: 'zone' | 'lowest';
  readonly tolerance: number;
  readonly minSeconds: number;
  readonly trustSpeeds?: boolean;
}

/** Adds the flags of limits. */
export function addLimits(command: Command): Command {
  return command
    .option('--limit <kph>', 'limit of the units (default: advanced_speedlimit of --settings)', amount)
    .option('--zone-limits <file>', 'JSON with the limits of zones in km/h, as an object by zone id')
    .addOption(
      new Option('--overlap <which>', 'of the limits of several zones')
        .choices(['lowest', 'highest'])
        .default('lowest'),
    )
    .addOption(
      new Option('--combine <how>', "a zone's limit replaces that of the unit, or the lower counts")
        .choices(['zone', 'lowest'])
        .default('zone'),
    )
    .option('--tolerance <kph>', 'speed must exceed limit + tolerance', amount, 0)
    .option('--min-seconds <seconds>', 'leave out shorter speeding', amount, 0)
    .option('--trust-speeds', 'take reported speeds as they are, also where positions contradict them');
}

/** The options of `findSpeeding` but the index and those of gaps. */
export async function limitOptions(flags: LimitFlags): Promise<Omit<SpeedingOptions, 'index'>> {
  const zoneLimits = await zoneLimitsOf(flags.zoneLimits);
  return {
    ...(flags.limit !== undefined && { limitKph: flags.limit }),
    ...(zoneLimits !== undefined && { zoneLimits }),
    overlap: flags.overlap,
    combine: flags.combine,
    toleranceKph: flags.tolerance,
    minSeconds: flags.minSeconds,
    trustSpeeds: flags.trustSpeeds ?? false,
  };
}

/** `null` without a file. */
export async function gradationOf(file: string | undefined): Promise<TrackGradation | null> {
  return file === undefined ? null : ((await readJson(file)) as TrackGradation);
}

/** The content of a JSON file. Errors have the file as field. */
export async function readJson(file: string): Promise<unknown> {
  const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  // Loaded on first use, since every command imports this module.
  const { parseJson } = await import('../../interchange/json/parseJson.js');
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    throw new WayzoneError(error.code, file, error.message, { cause: error });
  }
}
