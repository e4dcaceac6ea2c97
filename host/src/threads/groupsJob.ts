/** The groups of a company, each with its live geozones. */

import { listGroups } from 'wayzone/listing';
import type { JobOptions } from './jobTypes.js';
import type { Pipe } from './pipe.js';
import { rowPages, type ZoneRow } from './rowTexts.js';

export async function groupsJob(pipe: Pipe, { groups, query }: JobOptions['groups']): Promise<undefined> {
  const zones: ZoneRow[] = [];
  for await (const page of rowPages(pipe)) for (const row of page) zones.push(row);
  await pipe.send(JSON.stringify(listGroups(groups, zones, query)));
}
