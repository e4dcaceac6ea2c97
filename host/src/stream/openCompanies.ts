/** The companies that a cell follows, each opened with the zones and trips of the version that the cell has recorded. */

import type { ZoneIndex } from 'wayzone';
import { grouped } from '../grouped.js';
import type { CellCore } from './cellCore.js';
import type { LoadedCell } from './cellStore.js';
import type { Sealed } from './commitSealed.js';
import type { TripRuns } from './tripRuns.js';
import type { TripSource } from './tripSource.js';
import type { VersionedZones, ZoneSource } from './zoneSource.js';

export interface CompaniesOptions {
  readonly from: Pick<LoadedCell, 'states' | 'zones'>;
  readonly core: CellCore;
  readonly runs: readonly TripRuns[];
  readonly zones: ZoneSource;
  readonly trips: TripSource;
  /** Called with the version of a company that had none. */
  readonly record: (record: Sealed['zones'][number]) => void;
}

export interface Companies {
  /** The open ones. */
  ids(): string[];
  /** Opens a company with its newest version before message `next`; false for an unknown company. */
  open(companyId: string, next: number): Promise<boolean>;
  /** Whether the company waits, because its states include later messages than the replay has reached. */
  waits(companyId: string): boolean;
  /** Opens the companies whose states were complete before message `next`. */
  openUntil(next: number): Promise<void>;
  /** Companies with another index than the worker's, as after a restart at an older version. */
  withOwnIndex(): Promise<string[]>;
  exchange(companyId: string, next: VersionedZones): void;
}

/** Stands for the newest version. */
const NEWEST = -1;

export function openCompanies({ from, core, runs, zones, trips, record }: CompaniesOptions): Companies {
  const states = grouped(from.states, ({ companyId }) => companyId);
  const waiting = new Map(from.zones);
  // States from before the log, or of a company without a record, use the newest zones.
  for (const companyId of states.keys())
    if (!waiting.has(companyId)) waiting.set(companyId, { seq: 0, version: NEWEST });
  const indexes = new Map<string, ZoneIndex>();

  const open = async (companyId: string, version: number, next: number): Promise<boolean> => {
    const found = version === NEWEST ? await zones.current(companyId) : await zones.at(companyId, version);
    if (found === null) return false;
    const followed = await trips.at(companyId, found.version);
    core.open(companyId, found, states.get(companyId) ?? [], next);
    states.delete(companyId);
    for (const one of runs) one.open(companyId, followed);
    indexes.set(companyId, found.index);
    if (version === NEWEST) record({ companyId, seq: next - 1, version: found.version });
    return true;
  };

  return {
    ids: () => [...indexes.keys()],
    open: (companyId, next) => open(companyId, NEWEST, next),
    waits: (companyId) => waiting.has(companyId),
    async openUntil(next) {
      for (const [companyId, { seq, version }] of waiting) {
        if (seq >= next) continue;
        waiting.delete(companyId);
        await open(companyId, version, next);
      }
    },
    async withOwnIndex() {
      const own: string[] = [];
      for (const [companyId, index] of indexes)
        if ((await zones.current(companyId))?.index !== index) own.push(companyId);
      return own;
    },
    exchange(companyId, next) {
      core.exchange(companyId, next);
      indexes.set(companyId, next.index);
    },
  };
}
