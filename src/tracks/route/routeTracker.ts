/** A run along a route as its fixes come in. */

import { WayzoneError } from '../../core/errors.js';
import type { Fix } from '../../core/fix.js';
import { type OptionTable, valuesOf } from '../../core/options.js';
import type { StreamCounts } from '../fixIntake.js';
import { asCorrupt, corrupt } from '../stream/sealed.js';
import { type PushOptions, readReceivedAt, UnitStream } from '../stream/unitStream.js';
import type { StreamSnapshot } from '../stream/unitTracker.js';
import { openSnapshot, resumeStream, sealStream, type TrackerHead } from '../stream/unitTracker.js';
import {
  type JsonOptions,
  optionsFromJson,
  readStreamRules,
  STREAM_OPTIONS,
  type StreamOptions,
} from '../streamOptions.js';
import { textHash } from '../textHash.js';
import { type PreparedRoute, readRoute } from './prepareRoute.js';
import { RouteAnalysis, RouteEnd, type RouteEvent } from './routeAnalysis.js';
import type { RouteLine } from './routeLine.js';
import { MATCH_OPTIONS, type MatchOptions, readMatchOptions, routeRulesOf } from './routeRules.js';
import { type RouteReport, RouteRun, type RouteRunState } from './routeRun.js';

export interface RouteTrackerOptions extends MatchOptions, StreamOptions {}

/** Progress of a run after its last fix. */
export interface RouteProgress {
  /** Time of the last fix, epoch ms; `null` without a fix. */
  readonly time: number | null;
  /** Best known place of the last fix on the route, metres along the route; `null` without such a fix. */
  readonly alongMeters: number | null;
  /** Metres from the place to the end of the route; `null` without a fix on the route. */
  readonly remainingMeters: number | null;
  /** Whether the last fix is on the route. */
  readonly onRoute: boolean;
}

/** The only unit of the stream. */
const RUN = 'run';

const OPTIONS: OptionTable<RouteTrackerOptions, 'widthMeters' | 'backMeters' | 'from'> = {
  ...MATCH_OPTIONS,
  ...STREAM_OPTIONS,
};

/**
 * Follows one run along a route. After the last fix `report()` equals `matchRoute(readTrack(fixes), route, options)`, without `along`.
 *
 * Fixes are read as by `VisitTracker`: sorted within `latenessSeconds`, without duplicates and implausible fixes. `turned` is emitted as soon as
 * the best choice of places shows it, and may be `revised`. If more than 64 successive fixes have several places, it is emitted once it is
 * certain. All other events are final. Memory grows with legs, skipped parts and deviations, and with the fixes whose place is ambiguous.
 *
 * Errors: as `matchRoute`; of snapshots `state-version`, `state-corrupt`, `state-options` for another route. Cost of a fix: as `matchRoute`,
 * plus O(places of at most 64 ambiguous fixes).
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
  readonly #head: TrackerHead;
  readonly #analysis: RouteAnalysis;
  readonly #stream: UnitStream;

  constructor(route: PreparedRoute, options: RouteTrackerOptions) {
    this.#line = readRoute(route);
    const values = readMatchOptions(options, OPTIONS);
    this.#run = new RouteRun(this.#line, routeRulesOf(values));
    this.#analysis = new RouteAnalysis(this.#run);
    const all = { ...values, ...valuesOf(options, STREAM_OPTIONS), route: hashOf(this.#line) };
    this.#head = { kind: 'route', options: toJson(all) };
    this.#stream = new UnitStream([this.#analysis], readStreamRules(options));
    this.#stream.open(RUN);
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
    tracker.#stream.forget(RUN);
    resumeStream(tracker.#stream, tracker.#head.options, open);
    if (tracker.#stream.get(RUN) === null) throw corrupt('snapshot.units', 'one run', open.units.length);
    return tracker;
  }

  /** Takes a fix and returns the events that became known, in order of time. */
  push(fix: Fix, options?: PushOptions): readonly RouteEvent[] {
    this.#stream.push(RUN, fix, readReceivedAt(options));
    return this.#analysis.take();
  }

  /** Sets the clock to `time` (epoch ms) and applies the fixes that waited for the lateness. */
  advance(time: number): readonly RouteEvent[] {
    this.#stream.advance(time);
    return this.#analysis.take();
  }

  /** Progress of the run. Later fixes may correct it. */
  progress(): RouteProgress {
    const run = this.#stream.open(RUN).states[this.#analysis.name] as RouteRunState;
    const alongMeters = run.lattice.layers.length === 0 ? null : this.#run.lastPlace(run);
    return {
      time: run.hasFix ? run.time : null,
      alongMeters,
      remainingMeters: alongMeters === null ? null : this.#line.lengthMeters - alongMeters,
      onRoute: run.isOn,
    };
  }

  /** Report of the run, as if the track ended here. Waiting fixes count. */
  report(): RouteReport {
    const end = new RouteEnd(this.#run);
    this.#stream.lookAhead(RUN, end);
    return end.take()[0]!;
  }

  /** Counts of the fixes by outcome. */
  counts(): StreamCounts {
    return this.#stream.counts(RUN);
  }

  /** The state as plain JSON. A restored tracker emits the same further events. */
  snapshot(): StreamSnapshot {
    return sealStream(this.#head, this.#stream, [this.#stream.open(RUN)]);
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
