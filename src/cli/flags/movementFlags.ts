/** Settings of units: the trip detector, limits, and colours by speed. */

import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { WayzoneError } from '../../core/errors.js';
import type { TrackGradation, TripDetectorSettings } from '../../core/trackSettings.js';
import type { GapOptions, SpeedingOptions } from '../../tracks/index.js';
import { addFlags, type FlagRows, optionsOf } from './flagRows.js';
import { SETTINGS_HELP } from './options.js';

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

export interface LimitFlags {
  readonly zoneLimits?: string;
}

/** Flags of `findSpeeding`; `null` for options that come from files. */
export const LIMIT_FLAGS: FlagRows<Omit<SpeedingOptions, keyof GapOptions>> = {
  settings: null,
  index: null,
  zoneLimits: null,
  limitOf: null,
  limitKph: {
    flag: '--limit <kph>',
    text: 'limit of the units (default: advanced_speedlimit of --settings)',
  },
  overlap: {
    flag: '--overlap <which>',
    text: 'of the limits of several zones',
    words: ['lowest', 'highest'],
    default: 'lowest',
  },
  combine: {
    flag: '--combine <how>',
    text: "a zone's limit replaces that of the unit, or the lower counts",
    words: ['zone', 'lowest'],
    default: 'zone',
  },
  toleranceKph: { flag: '--tolerance <kph>', text: 'speed must exceed limit + tolerance', default: 0 },
  minSeconds: { flag: '--min-seconds <seconds>', text: 'leave out shorter speeding', default: 0 },
  trustSpeeds: {
    flag: '--trust-speeds',
    text: 'take reported speeds as they are, also where positions contradict them',
  },
};

/** Adds the flags of limits. */
export function addLimits(command: Command): Command {
  const { limitKph, ...others } = LIMIT_FLAGS;
  addFlags(command, { limitKph }).option(
    '--zone-limits <file>',
    'JSON with the limits of zones in km/h, as an object by zone id',
  );
  return addFlags(command, others);
}

/** The options of `findSpeeding`, without the index and the options of gaps. */
export async function limitOptions(flags: LimitFlags): Promise<Omit<SpeedingOptions, 'index'>> {
  const { zoneLimits: file } = flags;
  const limits = optionsOf(flags, LIMIT_FLAGS);
  return file === undefined
    ? limits
    : { ...limits, zoneLimits: (await readJson(file)) as Record<string, number> };
}

/** Whether flags, zones or the settings of the units give a limit. */
export function hasLimits(
  { limitKph, zoneLimits }: Pick<SpeedingOptions, 'limitKph' | 'zoneLimits'>,
  settings: TripDetectorSettings,
): boolean {
  const own = Array.isArray(settings)
    ? settings.find(({ key }: { readonly key: string }) => key === 'advanced_speedlimit')?.value
    : (settings as { readonly advanced_speedlimit?: unknown }).advanced_speedlimit;
  return limitKph !== undefined || zoneLimits !== undefined || Number(own ?? 0) > 0;
}

/** The gradation of a file; `null` if no file is given. */
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
