/** The companies' zones that are in memory, within a limit of bytes. */

import { bytesOf, type Held } from './zoneReads.js';

export interface HeldZones {
  /** The zones of a company, which count as used now; undefined if they are not in memory. */
  readonly use: (companyId: string) => Held | undefined;
  readonly get: (companyId: string) => Held | undefined;
  /** Keeps the zones as the last used ones, and drops the least recently used companies above the limit. */
  readonly put: (companyId: string, zones: Held) => void;
  readonly forget: (companyId: string) => void;
  readonly forgetAll: () => void;
  readonly ids: () => string[];
  readonly all: () => Held[];
  readonly bytes: () => number;
}

export function heldZones(maxBytes: number): HeldZones {
  /** The least recently used company is the first. */
  const held = new Map<string, Held>();

  const bytes = (): number => [...held.values()].reduce((sum, zones) => sum + bytesOf(zones), 0);
  const letGo = (): void => {
    let sum = bytes();
    for (const [companyId, zones] of held) {
      if (sum <= maxBytes || held.size === 1) return;
      held.delete(companyId);
      sum -= bytesOf(zones);
    }
  };
  const touch = (companyId: string, zones: Held): void => {
    held.delete(companyId);
    held.set(companyId, zones);
  };
  return {
    use(companyId) {
      const zones = held.get(companyId);
      if (zones !== undefined) touch(companyId, zones);
      return zones;
    },
    get: (companyId) => held.get(companyId),
    put(companyId, zones) {
      touch(companyId, zones);
      letGo();
    },
    forget: (companyId) => void held.delete(companyId),
    forgetAll: () => held.clear(),
    ids: () => [...held.keys()],
    all: () => [...held.values()],
    bytes,
  };
}
