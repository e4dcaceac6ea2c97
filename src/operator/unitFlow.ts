/** One unit while a message is applied: its followers, its clock, and its outputs. */

import type { Fix } from '../core/fix.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { RebuildDemand } from './unitMessage.js';
import type { UnitEvents, UnitOutput, UnitPart } from './unitOutput.js';
import type { History, Moment, UnitFollower, UnitRow, UnitScope } from './unitRow.js';
import { LATER_ROWS } from './unitRows.js';
import type { OpenUnitState } from './unitState.js';
import { VISIT_ROW, type VisitFollower } from './visitRow.js';

interface Later {
  readonly row: UnitRow<UnitPart>;
  follower: UnitFollower<UnitPart>;
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
  configure(settings: TripDetectorSettings | null): void;
  rebuild(fixes: readonly Fix[], outputs: readonly UnitOutput[], of: RebuildDemand['of']): void;
  /** The fields of the state that messages change. */
  state(): Pick<OpenUnitState, 'clock' | 'outputs' | 'lateFrom' | 'settings'> & {
    readonly parts: Partial<Record<UnitPart, object>>;
  };
}

/** `known`: the state before the message; `null` for a new unit. */
export function unitFlow(
  given: Omit<UnitScope, 'clock' | 'reached' | 'settings'>,
  known: OpenUnitState | null,
): UnitFlow {
  const { unitId, latenessMs } = given;
  let clock = known?.clock ?? Number.NEGATIVE_INFINITY;
  let settings = known?.settings ?? null;
  let lateFrom = known?.lateFrom ?? null;
  const before = known?.outputs ?? 0;
  const outputs: UnitOutput[] = [];

  const scopeAt = (reached: number): UnitScope => ({ ...given, clock, reached, settings });
  let visits: VisitFollower = VISIT_ROW.open(scopeAt(0), known?.parts.visits ?? null);
  const reachedBy = (): number => Math.max(clock, visits.watermark + latenessMs);
  const opened = scopeAt(reachedBy());
  const later: readonly Later[] = LATER_ROWS.map((row) => ({
    row,
    follower: row.open(opened, known?.parts[row.name] ?? null),
  }));

  const emit = (of: UnitPart, events: readonly UnitEvents[UnitPart][]): void => {
    for (const event of events)
      outputs.push({ unitId, number: before + outputs.length + 1, of, event } as UnitOutput);
  };
  const historyOf = (
    history: Omit<History, 'events'>,
    all: readonly UnitOutput[],
    part: UnitPart,
  ): History => ({
    ...history,
    events: all.filter(({ of }) => of === part).map(({ event }) => event),
  });

  return {
    outputs,
    get demand(): RebuildDemand | null {
      if (lateFrom !== null) return { of: 'all', from: null };
      return later.map(({ follower }) => follower.demand).find((one) => one !== null) ?? null;
    },
    get wakeAt() {
      const reached = reachedBy();
      const times = [visits, ...later.map(({ follower }) => follower)].flatMap(
        (one) => one.wakeAt(reached) ?? [],
      );
      return times.length === 0 ? null : Math.min(...times);
    },
    push(fix, receivedAt) {
      const moment = { before: reachedBy(), reached: 0 };
      const { late } = visits;
      emit('visits', visits.push(fix, receivedAt, moment));
      if (visits.late > late) {
        const time = Math.round(fix.time);
        lateFrom = Math.min(lateFrom ?? time, time);
        return;
      }
      moment.reached = reachedBy();
      for (const { row, follower } of later) emit(row.name, follower.push(fix, receivedAt, moment));
    },
    advance(time) {
      const moment: Moment = { before: reachedBy(), reached: Math.max(reachedBy(), time) };
      clock = Math.max(clock, time);
      emit('visits', visits.advance(time, moment));
      for (const { row, follower } of later) emit(row.name, follower.advance(time, moment));
    },
    compareZones: () => emit('visits', visits.compareZones()),
    configure(changed) {
      for (const { follower } of later) follower.configure?.(changed);
      settings = changed;
    },
    rebuild(fixes, all, of) {
      const history = { fixes, of };
      if (of === 'all') {
        const rebuilt = VISIT_ROW.rebuild(scopeAt(0), visits, historyOf(history, all, 'visits'));
        visits = rebuilt.follower;
        emit('visits', rebuilt.events);
        lateFrom = null;
      }
      const scope = scopeAt(reachedBy());
      for (const one of later) {
        if (of === 'trips' && one.follower.demand === null) continue;
        const rebuilt = one.row.rebuild(scope, one.follower, historyOf(history, all, one.row.name));
        one.follower = rebuilt.follower;
        emit(one.row.name, rebuilt.events);
      }
    },
    state() {
      const parts: Partial<Record<UnitPart, object>> = {};
      const add = (name: UnitPart, state: object | null): void => {
        if (state !== null) parts[name] = state;
      };
      add('visits', visits.state());
      for (const { row, follower } of later) add(row.name, follower.state());
      return {
        clock: Number.isFinite(clock) ? clock : null,
        outputs: before + outputs.length,
        lateFrom,
        settings,
        parts,
      };
    },
  };
}
