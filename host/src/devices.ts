/** Finds the unit of a device key, among the units of all companies. */

import type { Storage } from './storage/storage.js';
import type { LiveStream } from './stream/liveStream.js';
import type { ZoneCache } from './zones/zoneCache.js';

export interface Device {
  readonly unitId: string;
  readonly companyId: string;
  /** Where its fixes are taken. */
  readonly at: {
    readonly live: LiveStream;
    readonly zones: ZoneCache;
    /** The clock of the database, epoch milliseconds. */
    readonly databaseNow: () => Promise<number>;
  };
}

/** undefined: no unit has the key. */
export type Devices = (key: string) => Promise<Device | undefined>;

export function devices({ db }: Pick<Storage, 'db'>, at: Device['at']): Devices {
  return async (key) => {
    const found = await db
      .selectFrom('units')
      .select(['id', 'company_id'])
      .where('device_key', '=', key)
      .where('owns_key', '=', true)
      .where('is_delete', '=', false)
      .executeTakeFirst();
    return found === undefined ? undefined : { unitId: found.id, companyId: found.company_id, at };
  };
}
