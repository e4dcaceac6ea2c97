/** Holds companies' geozones in memory, and keeps them at the database's version. */

import { WayzoneError } from 'wayzone';
import { every } from '../every.js';
import { hostJobs, type Jobs, type JobsOptions } from '../jobs/jobs.js';
import type { Storage } from '../storage/storage.js';
import { versionedCache } from './versionedCache.js';
import { changeHeads, readHeads, type ZoneHeads } from './zoneHeads.js';
import { type CompanyZones, type HeldZones, type ZoneBase, zoneReads } from './zoneReads.js';

export interface ZoneCache {
  /** The company's zones from memory, else from the database. Writes of other processes reach the memory within a second. */
  zonesOf(companyId: string): Promise<CompanyZones>;
  /** The heads of the zones for lists, of one moment: reads again the rows written meanwhile. Throws `zones-changing` (503). */
  headsOf(companyId: string): Promise<ZoneHeads>;
  /** Waits until what is in memory has at least this version, so that later reads see the write. */
  reach(companyId: string, version: number): Promise<void>;
  /** The company's zones as they were read; null if they are not in memory. */
  readonly baseOf: (companyId: string) => ZoneBase | null;
  /** Processes for long work. */
  readonly jobs: Jobs;
  /** The newest version of the company's zones that this process has seen; 0 if it has seen none. */
  version(companyId: string): number;
  /** Number of zones in memory, of all companies. */
  size(): number;
  /** Their memory, bytes: indexes, and what lists read. */
  bytes(): number;
  close(): Promise<void>;
}

const POLL_MS = 1000;
/** Share of the memory for the heads of zones that lists read. */
const OF_HEADS = 0.25;

export interface ZoneCacheOptions {
  /** Limit of the memory, bytes. Above it the least recently used companies are dropped. Default 2e9. */
  readonly maxBytes?: number;
  /** Folder in which large companies are saved for the next start. Default null: none. */
  readonly folder?: string | null;
  /** Of the processes for long work. */
  readonly jobs?: Pick<JobsOptions, 'onEnd' | 'exportFolder' | 'exportBytes'>;
}

function changing(companyId: string): WayzoneError {
  const text = 'expected geozones that can be read before many others are written, received more writes';
  return new WayzoneError('zones-changing', `company ${companyId}`, text, { status: 503, wireCode: 503 });
}

export async function zoneCache(
  storage: Storage,
  { maxBytes = 2e9, folder = null, jobs: jobsOptions = {} }: ZoneCacheOptions = {},
): Promise<ZoneCache> {
  const jobs = hostJobs(jobsOptions);
  const zones = await versionedCache<HeldZones>({
    storage,
    maxBytes: (1 - OF_HEADS) * maxBytes,
    bytesOf: ({ base }) => base.index.length,
    changesOf: ({ changes }) => changes,
    ...zoneReads({ storage, folder, jobs }),
  });
  const heads = await versionedCache<ZoneHeads>({
    storage,
    maxBytes: OF_HEADS * maxBytes,
    bytesOf: ({ base }) => base.length,
    changesOf: ({ later }) => later.size,
    read: (companyId) => readHeads(storage, companyId),
    change: (companyId, held) => changeHeads(storage, companyId, held),
  });
  const both = [zones, heads];
  const heard = new Map<string, number>();

  const hear = (companyId: string, version: number): void =>
    void heard.set(companyId, Math.max(heard.get(companyId) ?? 0, version));
  const hint = (companyId: string, version: number): void => {
    hear(companyId, version);
    for (const cache of both)
      if ((cache.known(companyId)?.version ?? version) < version)
        void cache.refresh(companyId).catch(() => {});
  };

  await storage.listen('wayzone_versions', ({ companyId, version }) => hint(companyId, version));
  // Hints may be lost, so versions are also compared each second.
  const timer = every(POLL_MS, () => poll());
  timer.unref();
  const idsHeld = (): string[] => [...new Set([...zones.all().keys(), ...heads.all().keys()])];
  const poll = async (): Promise<void> => {
    if (idsHeld().length === 0) return;
    for (const cache of both) if (await cache.checkEpoch()) heard.clear();
    const ids = idsHeld();
    if (ids.length === 0) return;
    const versions = await storage.db
      .selectFrom('companies')
      .select(['id', 'zones_version'])
      .where('id', 'in', ids)
      .execute();
    for (const { id, zones_version: version } of versions) hint(id, Number(version));
  };

  return {
    jobs,
    zonesOf: zones.of,
    baseOf: (companyId) => zones.known(companyId)?.base ?? null,
    async headsOf(companyId) {
      const known = await heads.of(companyId);
      const now = known.version === known.upTo ? known : await heads.refresh(companyId);
      if (now.version < now.upTo) throw changing(companyId);
      return now;
    },
    async reach(companyId, version) {
      hear(companyId, version);
      for (const cache of both)
        if ((cache.known(companyId)?.version ?? version) < version) await cache.refresh(companyId);
    },
    bytes: () => zones.bytes() + heads.bytes(),
    size: () => [...zones.all().values()].reduce((sum, { index }) => sum + index.size, 0),
    async close() {
      clearInterval(timer);
      jobs.close();
    },
    version: (companyId) => Math.max(heard.get(companyId) ?? 0, zones.known(companyId)?.version ?? 0),
  };
}
