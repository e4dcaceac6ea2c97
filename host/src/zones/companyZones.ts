/** Each company's zones in memory: rows and index, which follow the database's version. */

import { type Geozone, ZoneIndex } from 'wayzone';
import { readPages, readVersion } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';

export interface CompanyZones {
  readonly version: number;
  /** Every zone, deleted ones too, in the order of insertion. */
  readonly rows: ReadonlyMap<string, Geozone & { readonly id: string }>;
  /** The live ones. */
  readonly index: ZoneIndex<Geozone>;
}

interface Held {
  version: number;
  readonly rows: Map<string, Geozone & { readonly id: string }>;
  readonly index: ZoneIndex<Geozone>;
  bytes: number;
  usedAt: number;
}

export interface ZoneCache {
  /** The company's zones: those in memory where there are any (other processes' writes arrive within a second), else read now. */
  zonesOf(companyId: string): Promise<CompanyZones>;
  /** Waits until the company's zones in memory are at least at this version: an answer after a write sees the write. */
  reach(companyId: string, version: number): Promise<void>;
  /** Zones in memory, of all companies. */
  size(): number;
  close(): void;
}

const POLL_MS = 1000;
/** Bytes of a row in memory, beside what the index says of itself: an estimate from 20 vertices as arrays of numbers. */
const ROW_BYTES = 3000;

/** Zones of the least recently used companies are let go beyond `maxBytes`. */
export async function zoneCache(storage: Storage, maxBytes: number = 2e9): Promise<ZoneCache> {
  const held = new Map<string, Held>();
  const underWay = new Map<string, Promise<Held>>();
  let clock = 0;

  const refresh = (companyId: string): Promise<Held> => {
    const running = underWay.get(companyId);
    // A read that began before this call may have missed what was committed since: it is waited for, then read again.
    const next = (running ?? Promise.resolve()).catch(() => {}).then(() => load(companyId));
    const shared = next.finally(() => {
      if (underWay.get(companyId) === shared) underWay.delete(companyId);
    });
    underWay.set(companyId, shared);
    return shared;
  };

  const load = async (companyId: string): Promise<Held> => {
    const known = held.get(companyId);
    const version = await readVersion(storage.db, companyId);
    const zones = known ?? {
      version: -1,
      rows: new Map(),
      index: new ZoneIndex<Geozone>([]),
      bytes: 0,
      usedAt: 0,
    };
    if (version !== null && version > zones.version) {
      const pages = readPages<Geozone & { id: string; name: string }>(
        storage.db,
        'geozones',
        companyId,
        zones.version,
      );
      const changed: (Geozone & { id: string })[] = [];
      for await (const page of pages) {
        // Nobody sees zones that are being read for the first time; a change of known ones is seen at once or not at all.
        if (known === undefined) for (const row of page) apply(zones, row);
        else changed.push(...page);
      }
      for (const row of changed) apply(zones, row);
      // Not that of the latest row: one that was written between two pages may be in an earlier one, which is read again then.
      zones.version = version;
      zones.bytes = zones.rows.size * ROW_BYTES;
    }
    zones.usedAt = ++clock;
    held.set(companyId, zones);
    letGo();
    return zones;
  };

  const letGo = (): void => {
    let sum = [...held.values()].reduce((bytes, zones) => bytes + zones.bytes, 0);
    for (const [companyId, { bytes }] of [...held].sort(([, a], [, b]) => a.usedAt - b.usedAt)) {
      if (sum <= maxBytes || held.size === 1) return;
      held.delete(companyId);
      sum -= bytes;
    }
  };

  const hint = (companyId: string, version: number): void => {
    const zones = held.get(companyId);
    if (zones !== undefined && zones.version < version) void refresh(companyId).catch(() => {});
  };

  await storage.listen('wayzone_versions', ({ companyId, version }) => hint(companyId, version));
  // Hints may be lost: versions are compared each second too.
  const timer = setInterval(() => void poll().catch(() => {}), POLL_MS);
  timer.unref();
  const poll = async (): Promise<void> => {
    if (held.size === 0) return;
    const versions = await storage.db
      .selectFrom('companies')
      .select(['id', 'zones_version'])
      .where('id', 'in', [...held.keys()])
      .execute();
    for (const { id, zones_version: version } of versions) hint(id, Number(version));
  };

  return {
    async zonesOf(companyId) {
      const zones = held.get(companyId) ?? (await refresh(companyId));
      zones.usedAt = ++clock;
      return zones;
    },
    async reach(companyId, version) {
      const zones = held.get(companyId);
      if (zones !== undefined && zones.version < version) await refresh(companyId);
    },
    size: () => [...held.values()].reduce((sum, { rows }) => sum + rows.size, 0),
    close: () => clearInterval(timer),
  };
}

function apply({ rows, index }: Held, row: Geozone & { id: string }): void {
  rows.set(row.id, row);
  const isLive = row.is_delete !== true;
  if (!isLive) index.remove(row.id);
  else if (index.has(row.id)) index.update(row);
  else index.add(row);
}
