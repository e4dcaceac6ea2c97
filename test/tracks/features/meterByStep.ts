/** The meter of streams, which know a parking too late: each step is judged by itself. */

import type { Track } from '../../../src/core/fix.js';
import { valuesOf } from '../../../src/core/options.js';
import type { TripDetectorFields } from '../../../src/core/trackSettings.js';
import type { GapOptions, TrackMeter } from '../../../src/tracks/index.js';
import { GAP_OPTIONS, gapRules } from '../../../src/tracks/meter/gapRules.js';
import { meterRules, readMeterSettings } from '../../../src/tracks/meter/meterSettings.js';
import { stepsOf } from '../../../src/tracks/meter/stepColumns.js';
import { meterOf } from '../../../src/tracks/meter/trackMeter.js';

export function meterByStep(
  track: Track,
  settings: TripDetectorFields = {},
  gaps: GapOptions = {},
): TrackMeter {
  const rules = meterRules(readMeterSettings(settings), gapRules(valuesOf(gaps, GAP_OPTIONS)));
  return meterOf(stepsOf(track, rules, null));
}
