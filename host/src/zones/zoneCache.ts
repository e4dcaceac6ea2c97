/** Holds companies' geozones in memory, and keeps them at the database's version. */

import { WayzoneError } from 'wayzone';
import { every } from '../every.js';
import { hostJobs, type Jobs, type JobsOptions } from '../jobs/jobs.js';
import { databaseEpoch } from '../storage/databaseEpoch.js';
import type { Storage } from '../storage/storage.js';
import { heldZones } from './heldZones.js';
import { type CompanyZones, type Held, MOST_CHANGES, type ZoneBase, zoneReads } from './zoneReads.js';

export interface ZoneCache {
  /** The company's zones from memory, else from the database. Writes of other processes reach the memory within a second. */
  zonesOf(companyId: string): Promise<CompanyZones>;
  /** Those zones as they were at one moment: reads again what was written while they were read. Throws `zones-changing` (503). */
  nowOf(companyId: string): Promise<CompanyZones>;
  /** Waits until zones that are in memory have at least this version, so that later reads see the write. */
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
/** Attempts at reading a company's zones of one moment. */
const MOST_READS = 3;

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
  const underWay = new Map<string, Promise<Held>>();
  /** Those whose base is read anew now. */
  const renewed = new Set<Held>();
  const jobs = hostJobs(jobsOptions);
  const held = heldZones(maxBytes);
  const { change, readAnew, openFile, readBase } = zoneReads({ storage, folder, jobs });
  const heard = new Map<string, number>();
  let epoch = await databaseEpoch(storage.db);

  /** Forgets everything that was read under another epoch: its versions do not compare with those of the new one. */
  const checkEpoch = async (): Promise<void> => {
    const current = await databaseEpoch(storage.db);
    if (current === epoch) return;
    epoch = current;
    heard.clear();
    held.forgetAll();
  };

  const refresh = (companyId: string): Promise<Held> => {
    const running = underWay.get(companyId);
    // A read that is under way may miss later commits: waits for it, then reads again.
    const next = (running ?? Promise.resolve()).catch(() => {}).then(() => load(companyId));
    const shared = next.finally(() => {
      if (underWay.get(companyId) === shared) underWay.delete(companyId);
    });
    underWay.set(companyId, shared);
    return shared;
  };

  const load = async (companyId: string): Promise<Held> => {
    await checkEpoch();
    const readIn = epoch;
    const zones = await loadNow(companyId);
    if (readIn !== epoch) held.forget(companyId);
    return zones;
  };

  const loadNow = async (companyId: string): Promise<Held> => {
    const inMemory = held.get(companyId);
    let zones = inMemory ?? (await openFile(companyId)) ?? (await readAnew(companyId));
    if (zones !== inMemory) held.put(companyId, zones);
    // Many rows may be written while all are read. Such zones are those of no one moment until they are read again.
    for (let i = 0; i < MOST_READS && !(await change(companyId, zones)); i++) {
      zones = await readAnew(companyId);
      held.put(companyId, zones);
    }
    if (zones.changes > MOST_CHANGES) void renewBase(companyId, zones).catch(() => {});
    return zones;
  };

  /** Reads a new base beside the old one: computations read the changes since the base with each question, so these must stay few. */
  const renewBase = async (companyId: string, zones: Held): Promise<void> => {
    if (renewed.has(zones)) return;
    renewed.add(zones);
    try {
      const [applied, readIn, earlier] = [zones.changes, epoch, [...zones.later]];
      const base = await readBase(companyId);
      // The new base may have rows that the zones do not have yet.
      while (zones.version < base.upTo && held.get(companyId) === zones) await refresh(companyId);
      if (readIn !== epoch || zones.version < base.upTo) return;
      zones.base = base;
      zones.changes -= applied;
      for (const [id, text] of earlier) if (zones.later.get(id) === text) zones.later.delete(id);
    } finally {
      renewed.delete(zones);
    }
  };

  const hear = (companyId: string, version: number): void =>
    void heard.set(companyId, Math.max(heard.get(companyId) ?? 0, version));
  const hint = (companyId: string, version: number): void => {
    hear(companyId, version);
    const zones = held.get(companyId);
    if (zones !== undefined && zones.version < version) void refresh(companyId).catch(() => {});
  };

  await storage.listen('wayzone_versions', ({ companyId, version }) => hint(companyId, version));
  // Hints may be lost, so versions are also compared each second.
  const timer = every(POLL_MS, () => poll());
  timer.unref();
  const poll = async (): Promise<void> => {
    if (held.ids().length === 0) return;
    await checkEpoch();
    const ids = held.ids();
    if (ids.length === 0) return;
    const versions = await storage.db
      .selectFrom('companies')
      .select(['id', 'zones_version'])
      .where('id', 'in', ids)
      .execute();
    for (const { id, zones_version: version } of versions) hint(id, Number(version));
  };

  const zonesOf = async (companyId: string): Promise<Held> => held.use(companyId) ?? refresh(companyId);

  return {
    jobs,
    zonesOf,
    baseOf: (companyId) => held.get(companyId)?.base ?? null,
    async nowOf(companyId) {
      const known = await zonesOf(companyId);
      const zones = known.version === known.upTo ? known : await refresh(companyId);
      if (zones.version < zones.upTo) throw changing(companyId);
      return zones;
    },
    async reach(companyId, version) {
      hear(companyId, version);
      const zones = held.get(companyId);
      if (zones !== undefined && zones.version < version) await refresh(companyId);
    },
    bytes: held.bytes,
    size: () => held.all().reduce((sum, { index }) => sum + index.size, 0),
    async close() {
      clearInterval(timer);
      jobs.close();
    },
    version: (companyId) => Math.max(heard.get(companyId) ?? 0, held.get(companyId)?.version ?? 0),
  };
}
