/** Options of `VisitTracker`, and their form in a snapshot. */

import { type BooleanRow, defaultsOf, type OptionTable, OWN, type OwnRow } from '../core/options.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { HoursOf } from '../core/zoneHours.js';
import { METER_DEFAULTS } from './meter/meterSettings.js';
import { type JsonOptions, STREAM_OPTIONS, type StreamOptions } from './streamOptions.js';
import { VISIT_OPTIONS, type VisitOptions } from './visitRules.js';

export interface VisitTrackerOptions extends VisitOptions, StreamOptions {
  /**
   * Whether visits have `measure` and `secondsSinceLast`, as by `measureVisits`. Each step is judged separately, because events are final at
   * once and a parking is known only later. Default false.
   */
  readonly measure?: boolean | undefined;
  /** The custom fields by which units are measured, as in `meterTrack`. */
  readonly settings?: TripDetectorSettings | undefined;
  /**
   * Returns the hours of a zone, as `prepareHours` of `wayzone/hours` makes them; `null`: always open. `enter` events then have `open`, and
   * `hours` events are emitted. Snapshots do not contain it: pass it to `restore` again.
   */
  readonly hoursOf?: HoursOf | undefined;
}

/** Options of `VisitTracker.restore`. */
export interface VisitRestoreOptions extends Pick<VisitTrackerOptions, 'hoursOf'> {}

export const MEASURE_OPTIONS: { readonly measure: BooleanRow; readonly settings: OwnRow } = {
  measure: { default: false },
  settings: OWN,
};

export const VISIT_RESTORE_OPTIONS: OptionTable<VisitRestoreOptions> = { hoursOf: OWN };

/** The options of streams and visits. */
export const PLAIN_OPTIONS: OptionTable<VisitOptions & StreamOptions> = {
  ...VISIT_OPTIONS,
  ...STREAM_OPTIONS,
};

export const OPTIONS_WITH_HOURS: OptionTable<VisitTrackerOptions, 'hoursOf'> = {
  ...PLAIN_OPTIONS,
  ...MEASURE_OPTIONS,
  hoursOf: OWN,
};

/** Of the options in a snapshot. */
export const DEFAULTS: JsonOptions = defaultsOf(PLAIN_OPTIONS);

/** With `measure`, the settings are among them. */
export const MEASURED_DEFAULTS: JsonOptions = { ...DEFAULTS, measure: false, ...METER_DEFAULTS };

/** The options of a snapshot, which has the settings among them. */
export function optionsOfSnapshot(options: Readonly<Record<string, unknown>>): VisitTrackerOptions {
  const entries = Object.entries(options);
  const isSetting = ([name]: [string, unknown]): boolean => Object.hasOwn(METER_DEFAULTS, name);
  const settings = Object.fromEntries(entries.filter(isSetting));
  const plain = Object.fromEntries(entries.filter((entry) => !isSetting(entry)));
  return { ...plain, settings } as VisitTrackerOptions;
}
