/** Zones that a unit was in, over its whole track. */

import type { Track } from '../../core/fix.js';
import { type OptionTable, OWN, valuesOf } from '../../core/options.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { checkTrack } from '../checkTrack.js';
import { GAP_OPTIONS, gapRules, type MeteredOptions } from '../meter/gapRules.js';
import { meterRules, readMeterSettings } from '../meter/meterSettings.js';
import { gapSteps } from '../meter/stepColumns.js';
import { GAP } from '../meter/stepMeter.js';
import { checkIndex, type ZoneIndexLike } from '../zoneIndexLike.js';
import { noLastZones, StepZones } from './stepZones.js';

/** A span in which a unit was in one zone, or in none. */
export interface ZoneRun {
  /** Id of the zone; null outside all zones and in gaps. */
  readonly zoneId: string | null;
  /** Epoch milliseconds. */
  readonly from: number;
  /** Epoch milliseconds; the run is `[from, to)`. */
  readonly to: number;
}

export const METERED_OPTIONS: OptionTable<MeteredOptions> = { ...GAP_OPTIONS, settings: OWN };

/**
 * The runs of a track by zone, from its first to its last fix, without hole or overlap: for mileage by region (toll, tax). Rules of borders and
 * gaps: docs/rules/meter.md.
 *
 * `zoneId` is the zone that contains the unit. If several zones contain the unit, the first zone in the order of the index counts. Outside all
 * zones and in gaps `zoneId` is null. The distances `meter.between(from, to)` of all runs sum to `meter.total()`. If distances do not come from
 * positions, pass the `settings` of the meter.
 *
 * An empty track and a lone fix give `[]`; an index without zones gives one run with null. Errors: `track-invalid`, `index-type`,
 * `settings-type`, `setting-value`, `option-type`, `option-unknown`, `option-value`. Cost: one `crossing` query a fix.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { meterTrack, readTrack, splitByZone } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const track = readTrack([0, 60, 120].map((s, i) => ({ time: 1772438400000 + s * 1000, lon: 37.58 + 0.02 * i, lat: 55.7 })));
 * const meter = meterTrack(track);
 * const metersOf = ({ from, to }) => Math.round(meter.between(from, to).distanceMeters);
 * splitByZone(track, index).map((run) => [run.zoneId, metersOf(run)]); // [[null, 757], ['depot', 1000], [null, 757]]
 * ```
 */
export function splitByZone(track: Track, index: ZoneIndexLike, options: MeteredOptions = {}): ZoneRun[] {
  checkRunOptions(options, METERED_OPTIONS);
  const values = valuesOf(options, METERED_OPTIONS);
  const rules = meterRules(readMeterSettings(values.settings), gapRules(values));
  checkTrack(track);
  checkIndex(index);
  const { kind, time } = gapSteps(track, rules);
  const { lon, lat } = track;
  const zones = new StepZones(index);
  const last = noLastZones();
  const runs: { zoneId: string | null; from: number; to: number }[] = [];
  let until = time[0] ?? 0;
  const extend = (zoneId: string | null, to: number): void => {
    const run = runs.at(-1);
    if (to <= until) return;
    if (run !== undefined && run.zoneId === zoneId) run.to = to;
    else runs.push({ zoneId, from: until, to });
    until = to;
  };
  for (let i = 0; i + 1 < track.length; i++) {
    const [start, end] = [time[i]!, time[i + 1]!];
    if (kind[i] === GAP) {
      extend(null, end);
      continue;
    }
    zones.divide(last, lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!, end - start);
    for (let k = 0; k < zones.count; k++) {
      const first = zones.zones[k]![0];
      const to = start + Math.round(zones.bounds[k + 1]! * (end - start));
      extend(first === undefined ? null : zones.idOf(first), to);
    }
  }
  return runs;
}
