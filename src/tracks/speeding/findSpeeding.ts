/** `findSpeeding`: where and when a unit exceeded the limits that hold for it. */

import type { Track } from '../../core/fix.js';
import { valuesOf } from '../../core/options.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { checkTrack } from '../checkTrack.js';
import { UNKNOWN } from '../fixReader.js';
import { noLastZones } from '../ledger/stepZones.js';
import { gapRules } from '../meter/gapRules.js';
import { meterRules } from '../meter/meterSettings.js';
import { endKph, gapSteps, type SteppedTrack, startKph } from '../meter/stepColumns.js';
import { GAP, SLEEP } from '../meter/stepMeter.js';
import { judgeSpeeds } from './judgeSpeeds.js';
import type { OpenSpeeding, Speeding } from './speeding.js';
import { SpeedingMachine, type SpeedStep } from './speedingMachine.js';
import { readUnitSettings, SPEEDING_OPTIONS, type SpeedingOptions, unitLimit } from './speedingOptions.js';
import { type LimitSources, SpeedLimits } from './speedLimits.js';

/**
 * The spans in which a unit exceeded its limit, in order of time: the longest spans with a speed over limit + `toleranceKph` at every instant.
 * The limit changes where the way crosses a zone border, not at the next fix. A reported speed that the positions contradict is ignored
 * (`trustSpeeds` turns this off). Rules: docs/rules/speeding.md.
 *
 * Errors: `track-invalid`, `index-type`, `settings-type`, `setting-value`, `option-type`, `option-unknown`, `option-value` (a limit of 0, NaN or
 * less, `index` without `zoneLimits` or the reverse), `input-unreadable` (a function of the options throws). Cost: two distances for a fix over
 * 55 km/h. One `crossing` query and one distance for a step over the lowest limit. O(1) for each limit in `zoneLimits`.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { findSpeeding, readTrack } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'village', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const track = readTrack(Array.from({ length: 9 }, (_, i) => ({ time: 1772438400000 + i * 15000, lon: 37.58 + 0.005 * i, lat: 55.7, speedKph: 75 })));
 * const [speeding] = findSpeeding(track, { limitKph: 90, index, zoneLimits: { village: 50 }, toleranceKph: 5 });
 * [speeding.parts[0].zoneId, speeding.maxOverKph, Math.round(speeding.distanceMeters)]; // ['village', 25, 1000]
 * ```
 */
export function findSpeeding(track: Track, options: SpeedingOptions): Speeding[] {
  checkRunOptions(options, SPEEDING_OPTIONS);
  const values = valuesOf(options, SPEEDING_OPTIONS);
  const settings = readUnitSettings(values.settings);
  const unitKph = unitLimit(values.limitKph, settings);
  const limits = new SpeedLimits(values as LimitSources, values);
  checkTrack(track);
  const steps = gapSteps(track, meterRules(settings, gapRules(values)));
  const { time, kind } = steps;
  const { lon, lat } = track;
  const speedKph = values.trustSpeeds ? steps.speedKph : judgeSpeeds(steps, lon, lat);
  const judged = { ...steps, speedKph };
  const found: Speeding[] = [];
  const rules = { toleranceKph: values.toleranceKph, minMs: values.minSeconds * 1000 };
  const sink = { begin: () => {}, end: (speeding: Speeding) => void found.push(speeding) };
  const machine = new SpeedingMachine(limits, rules, sink);
  const last = noLastZones();
  const step = new TrackStep(steps, unitKph);
  let open: OpenSpeeding | null = null;
  for (let i = 0; i + 1 < track.length; i++) {
    if (kind[i] === GAP || kind[i] === SLEEP) {
      open = machine.endRun(open, 'gap');
      continue;
    }
    step.index = i;
    step.startTime = time[i]!;
    step.milliseconds = time[i + 1]! - time[i]!;
    step.aLon = lon[i]!;
    step.aLat = lat[i]!;
    step.bLon = lon[i + 1]!;
    step.bLat = lat[i + 1]!;
    step.startKph = startKph(judged, i);
    step.endKph = endKph(judged, i);
    open = machine.step(open, step, last);
  }
  machine.endRun(open, 'track');
  return found;
}

/** The step that is evaluated. One object serves all. */
class TrackStep implements SpeedStep {
  startTime = 0;
  milliseconds = 0;
  aLon = 0;
  aLat = 0;
  bLon = 0;
  bLat = 0;
  startKph = UNKNOWN;
  endKph = UNKNOWN;
  index = 0;
  readonly unitKph: number;
  readonly #steps: SteppedTrack;

  constructor(steps: SteppedTrack, unitKph: number) {
    this.#steps = steps;
    this.unitKph = unitKph;
  }

  get meters(): number {
    return this.#steps.metersOf(this.index);
  }
}
