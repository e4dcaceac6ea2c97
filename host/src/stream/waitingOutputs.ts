/** Outputs of a cell since its last checkpoint, which the next one writes. */

import type { CoreEvent } from './cellCore.js';
import type { AsideRow, Sealed } from './commitSealed.js';

type Contents = Pick<
  Sealed,
  'fixCount' | 'events' | 'companyIds' | 'zones' | 'aside' | 'resumed' | 'earlier'
>;

export interface WaitingOutputs extends Pick<Contents, 'fixCount' | 'events'> {
  /** Units whose states the next checkpoint must write. */
  readonly forced: ReadonlySet<string>;
  /** Counts fixes of a company. */
  take(companyId: string, count: number): void;
  emit(events: readonly CoreEvent[]): void;
  /** Removes the unit's events from number `from` on. */
  retract(unitId: string, from: number): void;
  readonly record: (zones: Sealed['zones'][number]) => void;
  /** A unit, or a message, is set aside. A later call for the same unit and message changes nothing. */
  setAside(row: AsideRow): void;
  /** Whether the unit's part of the message is set aside. */
  isAside(unitId: string, seq: number): boolean;
  /** A unit is followed again. Returns its rows that no checkpoint has written. */
  resume(unitId: string): AsideRow[];
  /** Records that a unit that is set aside has a fix of this time, earlier than its fixes so far. */
  lower(unitId: string, time: number): void;
  force(unitId: string): void;
  /** Everything so far. Nothing waits from here on. */
  seal(): Contents;
}

interface Waiting extends Contents {
  fixCount: number;
  events: CoreEvent[];
  readonly forced: Set<string>;
  readonly companyIds: Set<string>;
  readonly zones: Sealed['zones'][number][];
  aside: AsideRow[];
  readonly resumed: Set<string>;
  readonly earlier: Map<string, number>;
}

function nothing(): Waiting {
  return {
    fixCount: 0,
    events: [],
    forced: new Set(),
    companyIds: new Set(),
    zones: [],
    aside: [],
    resumed: new Set(),
    earlier: new Map(),
  };
}

export function waitingOutputs(): WaitingOutputs {
  let waiting = nothing();
  const isAside = (unitId: string, seq: number): boolean =>
    waiting.aside.some((row) => row.unitId === unitId && row.seq === seq);
  return {
    get fixCount() {
      return waiting.fixCount;
    },
    get events() {
      return waiting.events;
    },
    get forced() {
      return waiting.forced;
    },
    take(companyId, count) {
      waiting.fixCount += count;
      if (count > 0) waiting.companyIds.add(companyId);
    },
    emit(added) {
      for (const one of added) waiting.events.push(one);
    },
    retract(unitId, from) {
      waiting.events = waiting.events.filter(({ event }, i) => i < from || event.unitId !== unitId);
    },
    record: (one) => void waiting.zones.push(one),
    setAside(row) {
      if (!isAside(row.unitId, row.seq)) waiting.aside.push(row);
    },
    isAside,
    resume(unitId) {
      const rows = waiting.aside.filter((row) => row.unitId === unitId);
      waiting.aside = waiting.aside.filter((row) => row.unitId !== unitId);
      waiting.resumed.add(unitId);
      return rows;
    },
    lower: (unitId, time) =>
      void waiting.earlier.set(unitId, Math.min(time, waiting.earlier.get(unitId) ?? time)),
    force: (unitId) => void waiting.forced.add(unitId),
    seal() {
      const { forced: _, ...sealed } = waiting;
      waiting = nothing();
      return sealed;
    },
  };
}
