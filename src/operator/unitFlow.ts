/** One unit while a message is applied: its trackers, its runs, and its outputs. */

import type { Fix } from '../core/fix.js';
import type { UnitSettings } from '../core/trackSettings.js';
import { otherUnitOf } from './chargesOf.js';
import { inTrackOrder } from './inTrackOrder.js';
import type { OperatorPlaces } from './operatorPlaces.js';
import type { OperatorSettings } from './operatorSettings.js';
import { eventsOfPart } from './partOf.js';
import type { ReadMessage } from './readMessage.js';
import type { Moment, RunFollower, RunPart, UnitScope } from './runFollower.js';
import type { RunWindows } from './runWindows.js';
import type { RebuildDemand } from './unitMessage.js';
import type { UnitEvents, UnitOutput, UnitPart } from './unitOutput.js';
import { RUN_ROWS } from './unitRows.js';
import type { OpenUnitState } from './unitState.js';
import { type TrackedEvent, UnitTrackers } from './unitTrackers.js';

interface Runs {
  readonly name: RunPart;
  follower: RunFollower<RunPart>;
}

export interface FlowScope extends OperatorSettings {
  readonly unitId: string;
  readonly places: OperatorPlaces;
  readonly windows: RunWindows;
}

/** Outputs and state come from one flow; each message has its own. */
export interface UnitFlow {
  readonly outputs: readonly UnitOutput[];
  readonly demand: RebuildDemand | null;
  readonly wakeAt: number | null;
  push(fix: Fix, receivedAt: number | undefined): void;
  advance(time: number): void;
  /** Ends the visits in zones that are not as they were. */
  compareZones(): void;
  configure(settings: UnitSettings | null): void;
  rebuild(history: Extract<ReadMessage['input'], { kind: 'rebuild' }>): void;
  /** The fields of the state that messages change. */
  state(): Pick<OpenUnitState, 'clock' | 'outputs' | 'lateFrom' | 'settings'> & {
    readonly parts: Partial<Record<UnitPart, object>>;
  };
}

/** `known`: the state before the message; `null` for a new unit. */
export function unitFlow(given: FlowScope, known: OpenUnitState | null): UnitFlow {
  const { unitId, places, options, latenessMs, fixRules, windows } = given;
  const trackers = new UnitTrackers(places, options, known?.clock ?? Number.NEGATIVE_INFINITY);
  if (known !== null) trackers.adopt(unitId, known.parts, known);
  const before = known?.outputs ?? 0;
  const outputs: UnitOutput[] = [];
  const reachedBy = (): number => Math.max(trackers.clock, trackers.watermark(unitId) + latenessMs);
  const scope = (): UnitScope => ({ unitId, options, latenessMs, places, windows, reached: reachedBy() });
  const opened = scope();
  const runs: readonly Runs[] = RUN_ROWS.map((row) => ({
    name: row.name,
    follower: row.open(opened, known?.parts[row.name] ?? null),
  }));
  /** History that was given but is too short: where it must begin. */
  let earlier: RebuildDemand | null = null;

  const emit = (of: UnitPart, events: readonly UnitEvents[UnitPart][]): void => {
    for (const event of events)
      outputs.push({ unitId, number: before + outputs.length + 1, of, event } as UnitOutput);
  };
  const emitAll = (events: readonly TrackedEvent[]): void => {
    for (const { of, event } of events) emit(of, [event]);
  };
  /** Where the fixes begin of runs that wait, and of those that late fixes change. */
  const runsFrom = (): number => {
    const late = trackers.lateFrom(unitId) ?? Number.POSITIVE_INFINITY;
    return Math.min(
      ...runs.flatMap(({ follower }) => [follower.demand?.from ?? late, follower.spanFrom(late)]),
    );
  };

  return {
    outputs,
    get demand(): RebuildDemand | null {
      if (earlier !== null) return earlier;
      if (trackers.lateFrom(unitId) !== null)
        return { of: 'all', from: trackers.demandFrom(unitId, runsFrom()) };
      return runs.map(({ follower }) => follower.demand).find((one) => one !== null) ?? null;
    },
    get wakeAt() {
      const reached = reachedBy();
      const times = [trackers.wakeAt(unitId), ...runs.map(({ follower }) => follower.wakeAt(reached))];
      const known = times.filter((time) => time !== null);
      return known.length === 0 ? null : Math.min(...known);
    },
    push(fix, receivedAt) {
      if (otherUnitOf(fix, unitId) !== null) {
        for (const { name, follower } of runs) emit(name, follower.take(fix, receivedAt, reachedBy()));
        return;
      }
      const moment = { before: reachedBy(), reached: 0 };
      const late = trackers.lateCount(unitId);
      emitAll(trackers.push(unitId, fix, receivedAt));
      if (trackers.lateCount(unitId) > late) return;
      moment.reached = reachedBy();
      for (const { name, follower } of runs) emit(name, follower.push(fix, receivedAt, moment));
    },
    advance(time) {
      const moment: Moment = { before: reachedBy(), reached: Math.max(reachedBy(), time) };
      emitAll(trackers.advance(time));
      for (const { name, follower } of runs) emit(name, follower.advance(moment));
    },
    compareZones: () => emitAll(trackers.compareZones(unitId)),
    configure: (settings) => trackers.configure(unitId, settings),
    rebuild({ of, from, fixes: given, outputs: all, receivedAt }) {
      const fixes = inTrackOrder(given, fixRules);
      const events = all.map(({ event }) => event);
      let lateFrom: number | null = null;
      if (of === 'trips' && from !== null && runsFrom() < from) return;
      if (of === 'all') {
        // Without a late fix only the whole history holds more than is known.
        if (from !== null && trackers.lateFrom(unitId) === null) return;
        const span = trackers.span(unitId, { from, events }, runsFrom());
        if ('demand' in span) {
          earlier = { of, from: span.demand };
          return;
        }
        lateFrom = trackers.lateFrom(unitId) ?? Number.NEGATIVE_INFINITY;
        const own = fixes.filter((fix) => otherUnitOf(fix, unitId) === null);
        const steps = trackers.rebuild(unitId, span, { from, events, fixes: own, receivedAt });
        let step = steps.next();
        while (step.done !== true) step = steps.next();
        emitAll(step.value);
      }
      const present = scope();
      for (const one of runs) {
        const history = { fixes, lateFrom, receivedAt, events: eventsOfPart(one.name, events) };
        const rebuilt = one.follower.rebuild(present, history);
        one.follower = rebuilt.follower;
        emit(one.name, rebuilt.events);
      }
    },
    state() {
      const parts: Partial<Record<UnitPart, object>> = trackers.state(unitId);
      for (const { name, follower } of runs) {
        const state = follower.state();
        if (state !== null) parts[name] = state;
      }
      const { clock } = trackers;
      return {
        clock: Number.isFinite(clock) ? clock : null,
        outputs: before + outputs.length,
        lateFrom: trackers.lateFrom(unitId),
        settings: trackers.settings(unitId),
        parts,
      };
    },
  };
}
