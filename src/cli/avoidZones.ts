/** The zones of files that a route keeps out of. */

import { summarizeIssues } from '../report/index.js';
import type { RouteRequest } from '../routing/index.js';
import { collect } from './collect.js';
import { indexOf } from './indexOf.js';
import { readingOptions, type ZoneFlags, zoneOptions } from './options.js';
import type { OutputStream } from './run.js';
import { issueLines } from './terminal.js';

/** Null where something could not be read: a zone that is not avoided must not go unseen. Issues go to `stderr`. */
export async function avoidZones(
  files: readonly string[],
  flags: ZoneFlags,
  stderr: OutputStream,
): Promise<Pick<RouteRequest, 'avoidZones' | 'zoneOptions'> | null> {
  if (files.length === 0) return {};
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags));
  const options = zoneOptions(flags);
  const index = indexOf(collected, options);
  const summary = summarizeIssues(collected.issues);
  if (summary.list.length > 0) {
    stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  }
  if (summary.errors > 0) return null;
  return { avoidZones: collected.zones.filter(({ id }) => index.has(id)), zoneOptions: options };
}
