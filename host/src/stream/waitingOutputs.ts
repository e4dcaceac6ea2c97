/** What a partition has computed since its last checkpoint, and the next one writes. */

import type { UnitFix } from '../live/unitFix.js';
import type { Sealed } from './commitSealed.js';
import type { FixesMessage } from './message.js';
import type { CoreEvent } from './partitionCore.js';

type Contents = Pick<Sealed, 'fixes' | 'events' | 'companyIds' | 'zones' | 'aside'>;

export interface WaitingOutputs extends Pick<Contents, 'fixes' | 'events'> {
  /** Units whose states the next checkpoint must write. */
  readonly forced: ReadonlySet<string>;
  /** Takes the fixes of a message. */
  take(message: FixesMessage): void;
  emit(events: readonly CoreEvent[]): void;
  readonly record: (zones: Sealed['zones'][number]) => void;
  setAside(message: Sealed['aside'][number]): void;
  force(unitId: string): void;
  /** Everything so far. Nothing waits from here on. */
  seal(): Contents;
}

export function waitingOutputs(): WaitingOutputs {
  let fixes: UnitFix[] = [];
  let events: CoreEvent[] = [];
  let aside: Sealed['aside'][number][] = [];
  let zones: Sealed['zones'][number][] = [];
  let forced = new Set<string>();
  let companyIds = new Set<string>();
  return {
    get fixes() {
      return fixes;
    },
    get events() {
      return events;
    },
    get forced() {
      return forced;
    },
    take(message) {
      for (const one of message.fixes) fixes.push(one);
      companyIds.add(message.companyId);
    },
    emit(added) {
      for (const one of added) events.push(one);
    },
    record: (one) => void zones.push(one),
    setAside: (one) => void aside.push(one),
    force: (unitId) => void forced.add(unitId),
    seal() {
      const sealed = { fixes, events, companyIds, zones, aside };
      [fixes, events, zones, aside] = [[], [], [], []];
      [forced, companyIds] = [new Set(), new Set()];
      return sealed;
    },
  };
}
