/** The zones of companies as a worker follows them: one index a company, raised to a newer version only when all its partitions say so. */

import { sql } from 'kysely';
import { type Geozone, ZoneIndex } from 'wayzone';
import type { Storage } from '../storage/storage.js';

export interface VersionedZones {
  readonly version: number;
  readonly index: ZoneIndex;
}

type Row = Geozone & { readonly id: string };

export interface ZoneSource {
  /** The zones that this worker follows; read at their newest version by the first call. null: no such company. */
  current(companyId: string): Promise<VersionedZones | null>;
  /** The zones as they were at a version: what `current` gives where that is the version, else an index of its own. */
  at(companyId: string, version: number): Promise<VersionedZones>;
  /** What has changed since `current`; null where nothing has. `apply` brings the index to it. */
  changes(companyId: string): Promise<{ readonly version: number; apply(): void } | null>;
  /** The companies whose zones have a newer version than `current`. */
  outdated(): Promise<string[]>;
}

export function zoneSource({ db }: Storage): ZoneSource {
  const held = new Map<string, { version: number; index: ZoneIndex }>();

  const versionOf = async (companyId: string): Promise<number | null> => {
    const found = await db
      .selectFrom('companies')
      .select('zones_version')
      .where('id', '=', companyId)
      .executeTakeFirst();
    return found === undefined ? null : Number(found.zones_version);
  };
  const load = async (companyId: string, version: number): Promise<VersionedZones> => {
    const { rows } = await sql<{ row: Row }>`
      select row from (
        select row, ordinal from geozones where company_id = ${companyId} and version <= ${version}
        union all
        select row, ordinal from geozones_history
        where company_id = ${companyId} and version <= ${version} and until > ${version}
      ) as zones order by ordinal`.execute(db);
    return { version, index: new ZoneIndex(rows.map(({ row }) => row)) };
  };

  return {
    async current(companyId) {
      const known = held.get(companyId);
      if (known !== undefined) return known;
      const version = await versionOf(companyId);
      if (version === null) return null;
      const zones = await load(companyId, version);
      held.set(companyId, zones);
      return zones;
    },
    async at(companyId, version) {
      const known = held.get(companyId);
      if (known?.version === version) return known;
      const zones = await load(companyId, version);
      if (known === undefined) held.set(companyId, zones);
      return zones;
    },
    async changes(companyId) {
      const known = held.get(companyId);
      const version = await versionOf(companyId);
      if (known === undefined || version === null || version <= known.version) return null;
      const { rows } = await sql<{ row: Row }>`
        select row from (
          select row, ordinal from geozones
          where company_id = ${companyId} and version > ${known.version} and version <= ${version}
          union all
          select row, ordinal from geozones_history
          where company_id = ${companyId} and version > ${known.version} and version <= ${version} and until > ${version}
        ) as zones order by ordinal`.execute(db);
      return {
        version,
        apply() {
          for (const { row } of rows) applyRow(known.index, row);
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

function applyRow(index: ZoneIndex, row: Row): void {
  if (row.is_delete === true) index.remove(row.id);
  else if (index.has(row.id)) index.update(row);
  else index.add(row);
}
