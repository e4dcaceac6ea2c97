/** The groups of a company, each with its live geozones. */

import { type GroupOptions, listGroups } from 'wayzone/listing';
import { type JobOptions, rowPages, type StoredZone } from '../jobs/jobTypes.js';
import type { Pipe } from '../jobs/pipe.js';

export async function groupsJob(pipe: Pipe, { groups, query }: JobOptions['groups']): Promise<undefined> {
  const zones: StoredZone[] = [];
  for await (const page of rowPages(pipe)) for (const row of page) zones.push(row);
  // The query is a body of the wire, whose unknown fields are ignored; options with unknown names are refused.
  const { fields, companies } = query as GroupOptions;
  const options = { ...(fields !== undefined && { fields }), ...(companies !== undefined && { companies }) };
  await pipe.send(JSON.stringify(listGroups(groups, zones, options)));
}
