/** Speeding of many units as their fixes come in. */

import { inputError, WayzoneError } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import { guarded } from '../../core/input.js';
import { checkOptions, pickOptions, valuesOf } from '../../core/options.js';
import type { UnitSettings } from '../../core/trackSettings.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { gapRules } from '../meter/gapRules.js';
import { asCorrupt } from '../stream/sealed.js';
import type { StreamSnapshot } from '../stream/unitTracker.js';
import { openSnapshot, UnitTracker } from '../stream/unitTracker.js';
import { optionsFromJson, optionsToJson, readStreamRules } from '../streamOptions.js';
import type { Speeding } from './speeding.js';
import {
  SpeedingAnalysis,
  type SpeedingEvent,
  type SpeedingRun,
  type SpeedingState,
} from './speedingAnalysis.js';
import {
  copiedLimits,
  PUSH_OPTIONS,
  readUnitSettings,
  SOURCES,
  type SpeedingPushOptions,
  type SpeedingSources,
  type SpeedingTrackerOptions,
  TRACKER_DEFAULTS,
  TRACKER_OPTIONS,
  UNIT_ROWS,
} from './speedingOptions.js';
import { type LimitSources, readLimit, SpeedLimits } from './speedLimits.js';

/**
 * Follows many units and emits their speeding. The `end` events, with `current(unitId)`, equal `findSpeeding(readTrack(fixes), options)`. Events
 * are final. Rules: docs/rules/speeding.md.
 *
 * Time, lateness, counts and snapshots: as `VisitTracker`. A `begin` is emitted once the event has lasted `minSeconds` and no speed in it waits
 * for evidence. `thresholdsOf` and `configure` give a unit thresholds and settings of its own. A snapshot has the options and settings, but no
 * functions and no index: pass these to `restore`.
 *
 * Errors: as `findSpeeding` and `VisitTracker`. Cost of a fix: as `findSpeeding`. Memory of a unit: its fixes of the last 10 s and the parts of
 * its event.
 *
 * @example
 * ```ts
 * import { SpeedingTracker } from 'wayzone/tracks';
 * const tracker = new SpeedingTracker({ limitKph: 90 });
 * const fix = (seconds, lat, speedKph) => ({ time: 1772438400000 + seconds * 1000, lon: 37.6, lat, speedKph });
 * tracker.push('truck', fix(0, 55.7, 80)).length; // 0
 * tracker.push('truck', fix(20, 55.705, 110)).map(({ type, time }) => [type, time]); // [['begin', 1772438406667]]
 * tracker.push('truck', fix(40, 55.71, 80)).map(({ type, speeding }) => [type, speeding.maxKph]); // [['end', 110]]
 * ```
 */
export class SpeedingTracker extends UnitTracker<SpeedingEvent> {
  readonly #run: SpeedingRun;
  readonly #analysis: SpeedingAnalysis;

  constructor(options: SpeedingTrackerOptions) {
    checkRunOptions(options, TRACKER_OPTIONS);
    const run = speedingRun(options);
    const analysis = new SpeedingAnalysis(run);
    const head = {
      kind: 'speeding',
      options: optionsToJson(jsonOf(options, run), TRACKER_DEFAULTS),
    } as const;
    super(head, readStreamRules(options), analysis);
    this.#run = run;
    this.#analysis = analysis;
  }

  /** Restores a tracker from a snapshot or its JSON text, with its options. `sources` are the same functions and index as before. */
  static restore(snapshot: StreamSnapshot | string, sources: SpeedingSources = {}): SpeedingTracker {
    checkOptions(sources, SOURCES, 'sources');
    const open = openSnapshot(snapshot, 'speeding');
    const { index, zoneLimits, limitOf, limitKph, ...options } = optionsFromJson(open.options);
    const had = { index, zoneLimits, limitOf };
    for (const name of ['index', 'zoneLimits', 'limitOf'] as const) {
      const has = guarded(`sources.${name}`, () => sources[name] !== undefined);
      if (has !== had[name]) {
        throw new WayzoneError(
          'option-value',
          `sources.${name}`,
          `expected ${had[name] ? 'the one' : 'none, as'} of the tracker that wrote the snapshot, received ${has ? 'one' : 'none'}`,
        );
      }
    }
    const limit = Number(limitKph) > 0 ? { limitKph } : {};
    // An unusable source is the caller's mistake, not one of the snapshot.
    const { thresholdsOf, ...limits } = pickOptions(sources, SOURCES);
    new SpeedLimits(limits as LimitSources, { overlap: 'lowest', combine: 'zone' });
    readThresholds(thresholdsOf);
    const tracker = withOptions(options, { ...limit, ...pickOptions(sources, SOURCES) });
    tracker.resume(open);
    return tracker;
  }

  /** Gives a unit its own settings from its next fix on. `null`: the settings of the tracker. */
  configure(unitId: string, settings: UnitSettings | null): void {
    this.stream.configure(unitId, settings);
  }

  /** Processes a fix and returns the new events. `limitKph` is the unit's own limit from this fix to its next fix. */
  override push(unitId: string, fix: Fix, options?: SpeedingPushOptions): readonly SpeedingEvent[] {
    if (options === undefined) return super.push(unitId, fix);
    checkOptions(options, PUSH_OPTIONS);
    const { receivedAt, limitKph } = guarded('options', () => ({ ...options }));
    if (limitKph !== undefined) this.#give(unitId, fix, readLimit(limitKph, 'options.limitKph'));
    return super.push(unitId, fix, { receivedAt });
  }

  /** Events without an `end` event so far, as if the unit's track ended here. Waiting fixes count. */
  current(unitId: string): Speeding[] {
    const ahead = new SpeedingAnalysis(this.#run);
    this.stream.lookAhead(unitId, ahead);
    return ahead.take().flatMap(({ type, speeding }) => (type === 'end' ? [speeding] : []));
  }

  #give(unitId: string, fix: Fix, limitKph: number): void {
    const unit = this.stream.open(unitId);
    const time = guarded('fix', () => Math.round(fix?.time));
    if (!Number.isFinite(time)) return;
    this.#analysis.give(unit.states['speeding'] as SpeedingState, unit, time, limitKph);
  }
}

/** Reads and checks the options of a tracker. */
export function speedingRun(options: SpeedingTrackerOptions): SpeedingRun {
  const values = valuesOf(options, TRACKER_OPTIONS);
  const settings = readUnitSettings(values.settings);
  readLimit(values.limitKph, 'options.limitKph');
  return {
    settings,
    limitKph: values.limitKph ?? undefined,
    gaps: gapRules(values),
    trustSpeeds: values.trustSpeeds,
    rules: { toleranceKph: values.toleranceKph, minMs: values.minSeconds * 1000 },
    thresholdsOf: readThresholds(values.thresholdsOf),
    limits: new SpeedLimits(copiedLimits(values as LimitSources), values),
  };
}

/** The options as a snapshot has them. */
function jsonOf(
  options: SpeedingTrackerOptions,
  { settings, limitKph }: SpeedingRun,
): Record<string, number | string | boolean> {
  const values = valuesOf(options, TRACKER_OPTIONS);
  const { settings: _, index, zoneLimits, limitOf, limitKph: __, thresholdsOf: ___, ...plain } = values;
  return {
    ...plain,
    ...settings,
    limitKph: readLimit(limitKph, 'options.limitKph'),
    index: index !== undefined,
    zoneLimits: zoneLimits !== undefined,
    limitOf: limitOf !== undefined,
  };
}

/** Errors: `option-type`. */
function readThresholds(given: unknown): SpeedingSources['thresholdsOf'] {
  if (given === undefined || typeof given === 'function') return given as SpeedingSources['thresholdsOf'];
  throw inputError('option-type', 'options.thresholdsOf', 'a function', given);
}

/** The tracker of a snapshot, which has the settings among the options. */
function withOptions(options: Record<string, unknown>, own: object): SpeedingTracker {
  const settings = pickOptions(options, UNIT_ROWS) as UnitSettings;
  const plain = pickOptions(options, TRACKER_OPTIONS);
  return asCorrupt(
    'snapshot',
    'a setting of a tracker',
    () => new SpeedingTracker({ ...plain, ...own, settings }),
  );
}
