/** Visits of many units as their fixes come in. */

import { guarded } from '../core/input.js';
import {
  type BooleanRow,
  defaultsOf,
  type OptionTable,
  OWN,
  type OwnRow,
  readOptions,
  valuesOf,
} from '../core/options.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { HoursOf } from '../core/zoneHours.js';
import { checkRunOptions } from './checkRunOptions.js';
import { visitsInOrder } from './findVisits.js';
import { VisitLedger } from './ledger/visitLedger.js';
import { METER_DEFAULTS, meterRules, readMeterSettings } from './meter/meterSettings.js';
import type { Analysis } from './stream/analysis.js';
import { asCorrupt } from './stream/sealed.js';
import { openSnapshot, type StreamSnapshot, UnitTracker } from './stream/unitTracker.js';
import {
  type JsonOptions,
  optionsFromJson,
  optionsToJson,
  readStreamRules,
  STREAM_OPTIONS,
  type StreamOptions,
} from './streamOptions.js';
import type { Visit } from './visit.js';
import { OpenVisits, VisitAnalysis, type VisitRun, type VisitState } from './visitAnalysis.js';
import type { HoursEvent, VisitEvent } from './visitEvent.js';
import { readVisitRules, VISIT_OPTIONS, type VisitOptions } from './visitRules.js';
import { checkIndex, type ZoneIndexLike } from './zoneIndexLike.js';

/**
 * Follows many units and emits the events of their visits to the zones of an index. The visits equal `findVisits(readTrack(fixes))`, in any
 * order of arrival within `latenessSeconds`. Events are final. Rules: docs/rules/visits.md.
 *
 * All times are fix times. The watermark of a unit is its greatest fix time or the last `advance`, minus the lateness. Fixes after the watermark
 * wait until it passes them. Older fixes are `late`. Every `exit` has the whole `visit`.
 *
 * Errors: `index-type`, `option-type`, `option-unknown`, `option-value`, `settings-type`, `setting-value`, `unit-id`, `limit-units`,
 * `input-unreadable`; of snapshots `state-version`, `state-corrupt`, `state-options`, `unit-known`. Cost per fix: one `crossing` query, and O(1)
 * for each zone that contains the unit. Memory per unit: 0.3 KiB, plus 0.4 KiB for each zone that contains the unit and 0.1 KiB for each waiting
 * fix.
 *
 * @example
 * ```ts
 * import { ZoneIndex } from 'wayzone';
 * import { VisitTracker } from 'wayzone/tracks';
 * const index = new ZoneIndex([{ id: 'depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }]);
 * const tracker = new VisitTracker(index);
 * const fix = (seconds, lon) => ({ time: 1772438400000 + seconds * 1000, lon, lat: 55.7 });
 * tracker.push('truck', fix(0, 37.58)).length; // 0
 * tracker.push('truck', fix(60, 37.6)).map(({ type, zoneId, reason }) => [type, zoneId, reason]); // [['enter', 'depot', 'inside']]
 * tracker.push('truck', fix(120, 37.62)).map(({ type, visit }) => [type, visit.end]); // [['exit', 'left']]
 * ```
 */
export class VisitTracker<Event extends VisitEvent | HoursEvent = VisitEvent> extends UnitTracker<Event> {
  readonly #run: VisitRun;
  readonly #analysis: VisitAnalysis;

  constructor(index: ZoneIndexLike, options: VisitTrackerOptions = {}) {
    checkRunOptions(options, OPTIONS_WITH_HOURS);
    checkIndex(index);
    const rules = readVisitRules(options);
    const streamRules = readStreamRules(options);
    const hoursOf = guarded('options.hoursOf', () => options.hoursOf);
    const { measure, settings } = valuesOf(options, MEASURE_OPTIONS);
    const fields = readMeterSettings(settings);
    const values = { ...valuesOf(options, PLAIN_OPTIONS), measure, ...(measure && fields) };
    const run = { index, rules, ledger: measure ? new VisitLedger(meterRules(fields, rules)) : null };
    const analysis = new VisitAnalysis(run, hoursOf);
    const head = {
      kind: 'visits',
      options: optionsToJson(values, measure ? MEASURED_DEFAULTS : DEFAULTS),
    } as const;
    super(head, streamRules, analysis as unknown as Analysis<object, Event>);
    this.#run = run;
    this.#analysis = analysis;
  }

  /** The tracker of a snapshot, with the options stored in it. `snapshot` may be JSON text. */
  static restore<Event extends VisitEvent | HoursEvent = VisitEvent>(
    index: ZoneIndexLike,
    snapshot: StreamSnapshot | string,
    options?: VisitRestoreOptions,
  ): VisitTracker<Event> {
    checkIndex(index);
    const { hoursOf } = readOptions(options, VISIT_RESTORE_OPTIONS);
    const open = openSnapshot(snapshot, 'visits');
    const hours = hoursOf === undefined ? {} : { hoursOf: hoursOf as HoursOf };
    const stored = optionsOfSnapshot(optionsFromJson(open.options));
    const tracker = asCorrupt(
      'snapshot',
      'an option of a tracker',
      () => new VisitTracker<Event>(index, { ...stored, ...hours }),
    );
    tracker.resume(open);
    return tracker;
  }

  /** Ends the unit's visits in changed or removed zones, as its next `push` or `advance` would. Returns the events. */
  applyEdits(unitId: string): readonly Event[] {
    const unit = this.stream.get(unitId);
    if (unit !== null) this.#analysis.compareZones(unit.states['visits'] as VisitState, unit);
    return this.#analysis.take() as readonly Event[];
  }

  /** The visits without an `exit` event so far, as if the unit's track ended here. Sorted by `enter`, then by the order of the index. */
  openVisits(unitId: string): Visit[] {
    const ahead = new OpenVisits(this.#run, this.#analysis);
    this.stream.lookAhead(unitId, ahead);
    return visitsInOrder([...ahead.take()], this.#run.index);
  }

  /** The unit's watermark, epoch milliseconds. Fixes before it are late. Null before the unit's first fix. */
  watermark(unitId: string): number | null {
    const watermark = this.stream.watermark(unitId);
    return Number.isFinite(watermark) ? watermark : null;
  }
}

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

const MEASURE_OPTIONS: { readonly measure: BooleanRow; readonly settings: OwnRow } = {
  measure: { default: false },
  settings: OWN,
};
const VISIT_RESTORE_OPTIONS: OptionTable<VisitRestoreOptions> = { hoursOf: OWN };
/** The options of streams and visits. */
const PLAIN_OPTIONS: OptionTable<VisitOptions & StreamOptions> = {
  ...VISIT_OPTIONS,
  ...STREAM_OPTIONS,
};
const OPTIONS_WITH_HOURS: OptionTable<VisitTrackerOptions, 'hoursOf'> = {
  ...PLAIN_OPTIONS,
  ...MEASURE_OPTIONS,
  hoursOf: OWN,
};
/** Of the options in a snapshot. */
const DEFAULTS: JsonOptions = defaultsOf(PLAIN_OPTIONS);
/** With `measure`, the settings are among them. */
const MEASURED_DEFAULTS: JsonOptions = { ...DEFAULTS, measure: false, ...METER_DEFAULTS };

/** The options of a snapshot, which has the settings among them. */
function optionsOfSnapshot(options: Readonly<Record<string, unknown>>): VisitTrackerOptions {
  const entries = Object.entries(options);
  const isSetting = ([name]: [string, unknown]): boolean => Object.hasOwn(METER_DEFAULTS, name);
  const settings = Object.fromEntries(entries.filter(isSetting));
  const plain = Object.fromEntries(entries.filter((entry) => !isSetting(entry)));
  return { ...plain, settings } as VisitTrackerOptions;
}
