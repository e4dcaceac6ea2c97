/** Settings of units from JSON files: the trip detector, and colours by speed. */

import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { WayzoneError } from '../../core/errors.js';
import type { TrackGradation, TripDetectorSettings } from '../../core/trackSettings.js';
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

/** `undefined` without a file. */
export async function zoneLimitsOf(file: string | undefined): Promise<Record<string, number> | undefined> {
  return file === undefined ? undefined : ((await readJson(file)) as Record<string, number>);
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
