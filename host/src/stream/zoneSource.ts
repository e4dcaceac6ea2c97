/** The zones of companies that a worker follows: one index per company, changed only when all its cells have recorded the version. */

import { setImmediate as turn } from 'node:timers/promises';
import { type Geozone, ZoneIndex } from 'wayzone';
import type { Jobs } from '../jobs/jobs.js';
import { receivedBytes } from '../jobs/pipe.js';
import { readRowsBetween, readVersion } from '../storage/rows.js';
import { readTextsAt } from '../storage/rowTexts.js';
import type { Storage } from '../storage/storage.js';
import { applyRow } from '../zones/zoneHeads.js';
import type { ZoneBase } from '../zones/zoneReads.js';
import { type RuledZone, readZoneRules, type ZoneRules } from '../zones/zoneRules.js';
import { oneByOne } from './oneByOne.js';
import { checkKept } from './pruneZones.js';

/** The zones of a company and what their fields say. Both are edited together. */
export interface RuledZones {
  readonly index: ZoneIndex;
  readonly rules: ZoneRules;
}

export interface VersionedZones extends RuledZones {
  readonly version: number;
}

export interface ZoneChanges {
  readonly version: number;
  /** Edits the index of `current`, or replaces it if there are many changes. */
  readonly apply: () => void;
}

type Row = Geozone & RuledZone;

export interface ZoneSource {
  /** The zones that this worker uses. The first call reads their newest version. null for an unknown company. */
  current(companyId: string): Promise<VersionedZones | null>;
  /** The zones as they were at a version: those of `current` if the version is equal, else a separate index. */
  at(companyId: string, version: number): Promise<VersionedZones>;
  /** The changes since `current`; null if there are none. */
  changes(companyId: string): Promise<ZoneChanges | null>;
  /** The companies whose zones have a newer version than `current`. */
  outdated(): Promise<string[]>;
}

/** Maximum number of changed rows that are applied one by one, about 20 ms; with more, a process reads the whole company. */
const MOST_CHANGES = 1000;
/** A company whose texts are one page of at most this many characters is indexed in this thread, in some milliseconds. */
const SMALL_LENGTH = 100_000;

/** `baseOf`: indexes that the process already holds; their memory is shared. */
export function zoneSource(
  { db }: Storage,
  jobs: Jobs,
  baseOf: (companyId: string) => ZoneBase | null = () => null,
): ZoneSource {
  const held = new Map<string, { version: number; index: ZoneIndex; rules: ZoneRules }>();
  /** Cells ask at the same time, and all of them must get the same index. */
  const inTurn = oneByOne();

  /** The rows of that version that were written after `since`; null if there are too many. */
  const changedRows = async (companyId: string, since: number, version: number): Promise<Row[] | null> => {
    const limit = MOST_CHANGES + 1;
    const rows = await readRowsBetween<Row>(db, 'geozones', companyId, { since, version, limit });
    return rows.length > MOST_CHANGES ? null : rows;
  };
  const load = async (companyId: string, version: number): Promise<VersionedZones> => {
    const rules = await readZoneRules(db, companyId, version);
    const base = baseOf(companyId);
    // With a base that holds later writes, a replay would see other zones than the first run.
    const rows =
      base === null || base.upTo > version ? null : await changedRows(companyId, base.version, version);
    if (base === null || rows === null) {
      const read = await indexOf(companyId, readTextsAt(db, companyId, version), jobs);
      await checkKept(db, companyId, version);
      return { version, index: read, rules };
    }
    const index = ZoneIndex.fromBuffer(base.index, { verify: false });
    for (const row of rows) applyRow(index, row);
    await checkKept(db, companyId, version);
    return { version, index, rules };
  };

  return {
    async current(companyId) {
      const known = held.get(companyId);
      if (known !== undefined) return known;
      return inTurn(companyId, async () => {
        const read = held.get(companyId);
        if (read !== undefined) return read;
        const version = await readVersion(db, companyId);
        if (version === null) return null;
        const zones = await load(companyId, version);
        held.set(companyId, zones);
        return zones;
      });
    },
    at: (companyId, version) =>
      inTurn(companyId, async () => {
        const known = held.get(companyId);
        if (known?.version === version) return known;
        const zones = await load(companyId, version);
        if (known === undefined) held.set(companyId, zones);
        return zones;
      }),
    async changes(companyId) {
      const known = held.get(companyId);
      const version = await readVersion(db, companyId);
      if (known === undefined || version === null || version <= known.version) return null;
      const rows = await changedRows(companyId, known.version, version);
      const anew = rows === null ? await load(companyId, version) : null;
      await checkKept(db, companyId, version);
      return {
        version,
        apply() {
          for (const row of rows ?? []) {
            applyRow(known.index, row);
            known.rules.put(row);
          }
          known.index = anew?.index ?? known.index;
          known.rules = anew?.rules ?? known.rules;
          known.version = version;
        },
      };
    },
    async outdated() {
      if (held.size === 0) return [];
      const rows = await db
        .selectFrom('companies')
        .select(['id', 'zones_version'])
        .where('id', 'in', [...held.keys()])
        .execute();
      return rows
        .filter(({ id, zones_version: version }) => Number(version) > held.get(id)!.version)
        .map(({ id }) => id);
    },
  };
}

/** The index of the zones of these pages. A process parses and indexes a large company. */
async function indexOf(companyId: string, pages: AsyncGenerator<string>, jobs: Jobs): Promise<ZoneIndex> {
  const first = await pages.next();
  const second = await pages.next();
  const text = first.done === true ? '' : first.value;
  if (second.done === true && text.length <= SMALL_LENGTH)
    return new ZoneIndex(JSON.parse(`[${text}]`) as Row[]);
  const all = async function* (): AsyncGenerator<string> {
    yield text;
    if (second.done === true) return;
    yield second.value;
    for await (const page of pages) {
      // Gives the event loop a turn: the embedded database and the process's answers would otherwise leave none.
      await turn();
      yield page;
    }
  };
  const { buffers } = await receivedBytes(jobs.run(companyId, 'index', null, all()));
  return ZoneIndex.fromBuffer(buffers[0]!, { verify: false });
}
