/** A run along a route as its fixes come in. */

import { WayzoneError } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import { type OptionTable, valuesOf } from '../../core/options.js';
import type { BlindCode } from '../blindStep.js';
import { FixIntake, type StreamCounts } from '../fixIntake.js';
import type { CleanFix } from '../fixReader.js';
import { asCorrupt, corrupt } from '../stateReader.js';
import {
  type JsonOptions,
  optionsFromJson,
  readStreamRules,
  STREAM_OPTIONS,
  type StreamOptions,
  type StreamRules,
} from '../streamOptions.js';
import { openSnapshot, type StreamSnapshot } from '../streamSnapshot.js';
import { type PushOptions, StreamUnits } from '../streamUnits.js';
import { textHash } from '../textHash.js';
import type { Deviation } from './deviationWalk.js';
import { type PreparedRoute, readRoute } from './prepareRoute.js';
import type { RouteLine } from './routeLine.js';
import { MATCH_OPTIONS, type MatchOptions, readMatchOptions, rulesOf } from './routeRules.js';
import { type RouteReport, RouteRun, type RunSink, type Turn } from './routeRun.js';
import {
  copyOfRouteUnit,
  newRouteUnit,
  type RouteUnit,
  routeUnitFromJson,
  routeUnitToJson,
} from './routeUnit.js';

export interface RouteTrackerOptions extends MatchOptions, StreamOptions {}

/** News of a run. All but `turned` are final. */
export interface RouteEvent {
  /**
   * `deviated`: an absence from the corridor counts by `minSeconds` and `exitBufferMeters`. `returned`: it is over, by a return or a gap.
   * `turned`: a backward leg begins. `revised`: withdraws the `turned` of this time, since later fixes placed the unit elsewhere.
   */
  readonly type: 'deviated' | 'returned' | 'turned' | 'revised';
  /** Epoch milliseconds: the beginning of the absence, its end, or the fix at which the unit turned. */
  readonly time: number;
  /** The absence: so far for `deviated`, complete for `returned`, else `null`. */
  readonly deviation: Deviation | null;
  /** Metres along the route for `turned` and `revised`, else `null`. */
  readonly alongMeters: number | null;
}

/** Where a run is now. */
export interface RouteProgress {
  /** The last fix, epoch ms; `null` without one. */
  readonly time: number | null;
  /** Place of the last fix on the route, the best known so far; `null` without one. */
  readonly alongMeters: number | null;
  /** Metres from there to the end of the route; `null` without a fix on it. */
  readonly remainingMeters: number | null;
  /** Whether the last fix is on the route. */
  readonly onRoute: boolean;
}

/** The only unit of the stream. */
const RUN = 'run';
/** Turns are emitted before they are certain only while at most this many fixes are ambiguous. */
const MAX_AMBIGUOUS = 64;

const OPTIONS: OptionTable<RouteTrackerOptions, 'widthMeters' | 'backMeters' | 'from'> = {
  ...MATCH_OPTIONS,
  ...STREAM_OPTIONS,
};

/**
 * Follows one run along a route. After the last fix `report()` is that of `matchRoute(readTrack(fixes), route, options)`, without `along`.
 *
 * Fixes are read as by `VisitTracker`: sorted within `latenessSeconds`, duplicates and implausible ones left out. `turned` is emitted as soon
 * as the best choice of places shows it, and may be `revised`; where more than 64 fixes in a row have several places, once it is
 * certain. The other events are final. Memory grows with legs, skipped stretches and deviations, and with the fixes whose place is ambiguous.
 *
 * Errors: as `matchRoute`; of snapshots `state-version`, `state-corrupt`, `state-options` for another route.
 * Cost of a fix: as `matchRoute`, and O(places of the ambiguous fixes), of which at most 64 count.
 *
 * @example
 * ```ts
 * import { prepareRoute, RouteTracker } from 'wayzone/tracks';
 * const route = prepareRoute([[37.6, 55.7], [37.7, 55.7]]);
 * const tracker = new RouteTracker(route, { widthMeters: 60 });
 * tracker.push({ time: 1772438400000, lon: 37.6, lat: 55.7 });
 * tracker.push({ time: 1772438460000, lon: 37.61, lat: 55.7 });
 * Math.round(tracker.progress().remainingMeters); // 5659
 * tracker.push({ time: 1772438520000, lon: 37.605, lat: 55.7 }).map(({ type, time }) => [type, time]); // [['turned', 1772438460000]]
 * ```
 */
export class RouteTracker {
  readonly #line: RouteLine;
  readonly #run: RouteRun;
  readonly #streamRules: StreamRules;
  readonly #units: StreamUnits<RouteUnit>;
  #events: RouteEvent[] = [];

  constructor(route: PreparedRoute, options: RouteTrackerOptions) {
    this.#line = readRoute(route);
    const values = readMatchOptions(options, OPTIONS);
    this.#run = new RouteRun(this.#line, rulesOf(values));
    this.#streamRules = readStreamRules(options);
    const kind = {
      kind: 'route',
      create: newRouteUnit,
      toJson: routeUnitToJson,
      fromJson: routeUnitFromJson,
      apply: (unit: RouteUnit, fix: CleanFix, blind: BlindCode): void => this.#apply(unit, fix, blind),
      takeBack: (unit: RouteUnit): void => this.#run.takeBack(unit.run, unit.placeTime),
    } as const;
    const all = { ...values, ...valuesOf(options, STREAM_OPTIONS), route: hashOf(this.#line) };
    this.#units = new StreamUnits(kind, this.#streamRules, toJson(all));
    this.#units.open(RUN);
  }

  /** Restores a run from a snapshot or its JSON text, with the options of the snapshot. `route` must be the same route. */
  static restore(route: PreparedRoute, snapshot: StreamSnapshot | string): RouteTracker {
    const line = readRoute(route);
    const open = openSnapshot(snapshot, 'route');
    const { route: hash, ...options } = optionsFromJson(open.options);
    if (hash !== hashOf(line)) {
      const message = 'expected the route of the snapshot, received another';
      throw new WayzoneError('state-options', 'route', message);
    }
    const own = options as unknown as RouteTrackerOptions;
    const tracker = asCorrupt('snapshot', 'an option of a tracker', () => new RouteTracker(route, own));
    tracker.#units.forget(RUN);
    tracker.#units.load(open);
    if (tracker.#units.get(RUN) === null) throw corrupt('snapshot.units', 'one run', open.units.length);
    return tracker;
  }

  /** Takes a fix and returns the events that became known, in order of time. */
  push(fix: Fix, options?: PushOptions): readonly RouteEvent[] {
    this.#units.push(RUN, fix, options);
    return this.#take();
  }

  /** Sets the clock to `time` (epoch ms): applies the fixes that waited for the lateness. */
  advance(time: number): readonly RouteEvent[] {
    this.#units.advance(time, () => {});
    return this.#take();
  }

  /** Where the run is now. Later fixes may correct it. */
  progress(): RouteProgress {
    const { run } = this.#unit();
    const alongMeters = run.lattice.layers.length === 0 ? null : this.#run.lastPlace(run);
    return {
      time: run.hasFix ? run.time : null,
      alongMeters,
      remainingMeters: alongMeters === null ? null : this.#line.lengthMeters - alongMeters,
      onRoute: run.isOn,
    };
  }

  /** What the run has shown, as if the track ended here. Waiting fixes count. */
  report(): RouteReport {
    const unit = copyOfRouteUnit(this.#unit());
    const sink: RunSink = {
      decided: () => {},
      turned: () => {},
      deviation: (deviation) => unit.run.deviations.push(deviation),
    };
    const ahead = new FixIntake<RouteUnit>(this.#streamRules, {
      apply: ({ run }, { time, lon, lat }, blind) => this.#run.add(run, time, lon, lat, blind, sink),
      takeBack: ({ run, placeTime }) => this.#run.takeBack(run, placeTime),
    });
    ahead.finish(unit);
    return this.#run.report(unit.run);
  }

  /** Counts of the fixes by outcome. */
  counts(): StreamCounts {
    return this.#units.counts(RUN);
  }

  /** The state as plain JSON. A restored tracker emits the same further events. */
  snapshot(): StreamSnapshot {
    return this.#units.snapshot(RUN);
  }

  #unit(): RouteUnit {
    return this.#units.open(RUN);
  }

  #apply({ run }: RouteUnit, { time, lon, lat }: CleanFix, blind: BlindCode): void {
    const certain: Turn[] = [];
    this.#run.add(run, time, lon, lat, blind, {
      decided: () => {},
      turned: (time, alongMeters) => certain.push({ time, alongMeters }),
      deviation: (deviation) => this.#endDeviation(run, deviation),
    });
    if (!run.isTold) {
      const deviation = this.#run.walk.absenceUntil(run.absence, run.time);
      if (deviation !== null) {
        run.isTold = true;
        this.#emit('deviated', deviation.from, deviation, null);
      }
    }
    this.#compareTurns(run, certain);
  }

  #endDeviation(run: RouteUnit['run'], deviation: Deviation): void {
    if (!run.isTold) this.#emit('deviated', deviation.from, deviation, null);
    run.isTold = false;
    run.deviations.push(deviation);
    this.#emit('returned', deviation.to, deviation, null);
  }

  /** Emits the turns that are new, and revises those that do not hold. */
  #compareTurns(run: RouteUnit['run'], certain: readonly Turn[]): void {
    const isIn = (turns: readonly Turn[], turn: Turn): boolean =>
      turns.some(({ time, alongMeters }) => time === turn.time && alongMeters === turn.alongMeters);
    const emitted = run.turns;
    const isShort = run.lattice.layers.length <= MAX_AMBIGUOUS;
    const ahead = isShort ? this.#run.turnsAhead(run) : emitted.filter((turn) => !isIn(certain, turn));
    for (const turn of emitted) {
      if (!isIn(certain, turn) && !isIn(ahead, turn))
        this.#emit('revised', turn.time, null, turn.alongMeters);
    }
    for (const turn of [...certain, ...ahead]) {
      if (!isIn(emitted, turn)) this.#emit('turned', turn.time, null, turn.alongMeters);
    }
    run.turns = ahead;
  }

  #emit(
    type: RouteEvent['type'],
    time: number,
    deviation: Deviation | null,
    alongMeters: number | null,
  ): void {
    this.#events.push({ type, time, deviation, alongMeters });
  }

  #take(): readonly RouteEvent[] {
    const events = this.#events;
    this.#events = [];
    return events.sort((a, b) => a.time - b.time);
  }
}

/** Options of a snapshot: without `null`, and `Infinity` as a text. */
function toJson(values: Readonly<Record<string, number | string | boolean | null>>): JsonOptions {
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === Number.POSITIVE_INFINITY ? 'Infinity' : value!]),
  );
}

const hashes = new WeakMap<RouteLine, string>();

/** Once for a line: a keyed operator restores its runs at each message. */
function hashOf(line: RouteLine): string {
  const known = hashes.get(line);
  if (known !== undefined) return known;
  const hash = textHash(line.tree.coords.join());
  hashes.set(line, hash);
  return hash;
}
