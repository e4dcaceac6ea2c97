/** Reads the zones that a route must avoid. */

import type { RouteRequest } from '../../../routing/index.js';
import { readingOptions, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import type { OutputStream } from '../../io/io.js';
import { reportIssues } from '../../io/reportIssues.js';
import { collect } from '../../shared/collect.js';
import { indexOfZones } from '../../shared/indexOfZones.js';

/** Returns null if a file could not be read: no zone may be dropped silently. Issues go to `stderr`. */
export async function avoidZones(
  files: readonly string[],
  flags: ZoneFlags,
  stderr: OutputStream,
): Promise<Pick<RouteRequest, 'avoidZones' | 'zoneOptions'> | null> {
  if (files.length === 0) return {};
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags), stderr);
  const options = zoneOptions(flags);
  const index = indexOfZones(collected, options);
  if (!reportIssues(collected.issues, stderr)) return null;
  return { avoidZones: collected.zones.filter(({ id }) => index.has(id)), zoneOptions: options };
}
