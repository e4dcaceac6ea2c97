/** The settings of units before their first fix. One query asks for those of many waiting messages: new units often come one in a message. */

import { WayzoneError } from 'wayzone';
import type { TripDetectorSettings } from 'wayzone/tracks';
import type { CellCore } from './cellCore.js';
import type { CellStore } from './cellStore.js';
import type { UnitOfCompany } from './eachUnit.js';
import { decodeMessage, type LogMessage } from './message.js';

/** Maximum number of waiting messages that are looked at for one query. */
const MOST_MESSAGES = 300;

/** Message that names units of a company. */
type Naming = Parameters<CellCore['unknown']>[0];

/** Gives the units of message `seq` their settings, if these are not known. `ahead`: the messages after it that wait. */
export type ConfigureUnits = (message: Naming, seq: number, ahead?: readonly LogMessage[]) => Promise<void>;

export function settingsAhead(core: CellCore, store: Pick<CellStore, 'settingsOf'>): ConfigureUnits {
  /** By unit, the settings that the last query read and no message has needed yet; null: the unit is not registered. */
  const read = new Map<string, TripDetectorSettings | null>();
  return async (message, seq, ahead = []) => {
    const { companyId } = message;
    const unknown = core.unknown(message, seq);
    if (!unknown.every((unitId) => read.has(unitId))) {
      const later = ahead.slice(0, MOST_MESSAGES).flatMap((one) => newUnits(core, one, seq));
      const all = [...unknown.map((unitId) => ({ companyId, unitId })), ...later];
      const asked = [...new Map(all.map((unit) => [unit.unitId, unit])).values()];
      const settings = await store.settingsOf(asked);
      read.clear();
      for (const { unitId } of asked) read.set(unitId, settings.get(unitId) ?? null);
    }
    for (const unitId of unknown) {
      core.configure(companyId, unitId, read.get(unitId) ?? null);
      read.delete(unitId);
    }
  };
}

/**
 * The units of a waiting message that have no settings yet, of any company: messages of many companies come in turn. None if it cannot be read:
 * its turn comes. By `seq`, that of the present message, the core adopts no stored state of a later one.
 */
function newUnits(core: CellCore, { payload, stamp }: LogMessage, seq: number): UnitOfCompany[] {
  try {
    const message = decodeMessage(payload, stamp);
    if (message.kind !== 'fixes') return [];
    const { companyId, fixes } = message;
    const unitIds = core.has(companyId) ? core.unknown(message, seq) : fixes.map(({ unitId }) => unitId);
    return unitIds.map((unitId) => ({ companyId, unitId }));
  } catch (error) {
    if (error instanceof WayzoneError) return [];
    throw error;
  }
}
