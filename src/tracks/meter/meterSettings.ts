/** The custom fields of a unit that the meter uses. */

import { MOVEMENT_DEFAULTS, type MovementRules, movementRules, readMovement } from '../movementRules.js';
import type { JsonOptions } from '../streamOptions.js';
import type { GapRules } from './gapRules.js';
import type { MeterRules } from './stepMeter.js';

const NAMES = [
  'tripdetector_mileagedetect',
  'advanced_mileagecoeff',
  'tripdetector_minmovespeed',
  'key_tripdetector_movedetect',
  'tripdetector_gpscorrect',
] as const;

/** Their values; plain JSON, which `readMeterSettings` reads again. */
export type MeterSettings = JsonOptions;

export const METER_DEFAULTS: MeterSettings = picked(MOVEMENT_DEFAULTS);

/** All settings are checked, those of the meter are returned. Errors: `settings-type`, `setting-value`. */
export function readMeterSettings(settings: unknown): MeterSettings {
  return picked(readMovement(settings, undefined));
}

/** The rules of settings that were read, and of gaps. */
export function meterRules(settings: MeterSettings, gaps: GapRules): MeterRules {
  return meterRulesOf(movementRules({ ...MOVEMENT_DEFAULTS, ...settings }), gaps);
}

/** Settings of the rules of movement, and of gaps. */
export function meterRulesOf(movement: MovementRules, gaps: GapRules): MeterRules {
  const { minSpeedKph, needsIgnition, pinsParked, mileage, mileageFactor } = movement;
  return { ...gaps, minSpeedKph, needsIgnition, pinsParked, mileage, mileageFactor };
}

function picked(values: JsonOptions): MeterSettings {
  return Object.fromEntries(NAMES.map((name) => [name, values[name]!]));
}
