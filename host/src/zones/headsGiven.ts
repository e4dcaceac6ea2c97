import type { Given } from '../jobs/compute.js';
import type { CompanyZones } from './zoneReads.js';

/** What a list of a company's geozones reads: their heads, and those that changed since, as they are now. */
export function headsGiven({ base, later }: CompanyZones): Given {
  const changes = [...later.values()];
  return {
    buffer: base.heads,
    pages: {
      async *changes() {
        if (changes.length > 0) yield changes.join(',');
      },
    },
  };
}
