/** The units of a cell that are set aside: nothing of theirs is applied, and their later fixes are stored for their return. */

import type { UnitFix } from '../live/fixes.js';
import { type CellCore, FIRST, reasonOf, type UnitFault } from './cellCore.js';
import type { AsideUnit } from './cellStore.js';
import type { EachUnit } from './eachUnit.js';
import { type LogMessage, partOfUnit } from './message.js';
import type { WaitingOutputs } from './waitingOutputs.js';

export interface UnitsAsideOptions {
  readonly asideUnits: ReadonlyMap<string, AsideUnit>;
  readonly core: CellCore;
  readonly outputs: WaitingOutputs;
  readonly latenessSeconds: number;
  /** Called with a unit that is followed no more. */
  readonly onForgotten: (unitId: string) => void;
  /** Whether a failure is one of the database or the log. */
  readonly isTheirs: (error: unknown) => boolean;
  /** Awaited before the work on each unit, in a trial. */
  readonly onUnit?: (unitId: string) => Promise<void>;
}

/** The message that is being handled. */
export interface Handled extends Pick<LogMessage, 'seq' | 'stamp'> {
  /** Messages with fixes whose outputs are not committed. */
  readonly payloads: readonly Uint8Array[];
}

export interface UnitsAside {
  readonly units: ReadonlyMap<string, AsideUnit>;
  /** Number of units and runs that were computed by `each`. */
  readonly computed: number;
  /** Begins a message: what fails from here on, fails in it. */
  begin(message: Handled): void;
  /** Sets a unit aside, with its part of the message. */
  put(fault: UnitFault): void;
  /** Whether the unit was set aside with this message. */
  hasFailed(unitId: string): boolean;
  /** Sets the units aside whose states could not be read. */
  putUnread(): void;
  /** The unit is followed again. Returns it as it was, and its parts of messages that no checkpoint has written; null if it is not set aside. */
  take(
    unitId: string,
  ): { readonly unit: AsideUnit; readonly rows: ReturnType<WaitingOutputs['resume']> } | null;
  /** The fixes of units that are followed. */
  followed<One extends { readonly unitId: string }>(fixes: readonly One[]): readonly One[];
  /** Notes the fixes of units that are set aside: their return needs the history from the earliest one on. */
  lower(fixes: readonly UnitFix[]): void;
  readonly each: EachUnit;
}

export function unitsAside(options: UnitsAsideOptions): UnitsAside {
  const { core, outputs, latenessSeconds, onForgotten, isTheirs, onUnit } = options;
  const units = new Map(options.asideUnits);
  let now: Handled = { seq: 0, stamp: 0, payloads: [] };
  /** Number of waiting events before the message. */
  let before = 0;
  let computed = 0;

  const put = ({ companyId, unitId, reason }: UnitFault): void => {
    const { seq, stamp, payloads } = now;
    outputs.retract(unitId, before);
    onForgotten(unitId);
    const lacking = Math.max(FIRST, Math.min(core.forget(unitId), stamp) - latenessSeconds * 1000);
    const from = Math.min(lacking, units.get(unitId)?.from ?? lacking);
    units.set(unitId, { companyId, from });
    const payload = partOfUnit(companyId, unitId, payloads);
    outputs.setAside({ seq, unitId, companyId, reason, payload, from });
  };

  return {
    units,
    get computed() {
      return computed;
    },
    begin(message) {
      now = message;
      before = outputs.events.length;
    },
    put,
    hasFailed: (unitId) => outputs.isAside(unitId, now.seq),
    putUnread() {
      for (const fault of core.takeFaults()) put(fault);
    },
    take(unitId) {
      const unit = units.get(unitId);
      if (unit === undefined) return null;
      units.delete(unitId);
      return { unit, rows: outputs.resume(unitId) };
    },
    followed: (fixes) => (units.size === 0 ? fixes : fixes.filter(({ unitId }) => !units.has(unitId))),
    lower(fixes) {
      for (const { unitId, fix } of fixes) {
        const unit = units.get(unitId);
        const time = Math.round(fix.time);
        if (unit === undefined || time >= unit.from) continue;
        units.set(unitId, { ...unit, from: time });
        outputs.lower(unitId, time);
      }
    },
    async each({ companyId, unitId }, work) {
      if (units.has(unitId)) return;
      await onUnit?.(unitId);
      try {
        await work();
      } catch (error) {
        if (isTheirs(error)) throw error;
        put({ companyId, unitId, reason: reasonOf(error) });
      }
      computed++;
    },
  };
}
