/** `wayzone index`: writes the zones of files as one buffer that opens without rebuilding. */

import { readingOptions, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import { type Io, refuse, reportIssues } from '../../io/io.js';
import { refuseInputs, writeFile } from '../../io/writeAside.js';
import { collect, lacksZones } from '../../shared/collect.js';
import { indexOfZones } from '../../shared/indexOfZones.js';

export interface IndexFlags extends ZoneFlags {
  readonly out: string;
}

export async function writeIndex(files: readonly string[], flags: IndexFlags, io: Io): Promise<boolean> {
  await refuseInputs(files, [flags.out], 'name another file in --out');
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags), io.stderr);
  if (lacksZones(collected))
    return refuse(collected.issues, io, 'a file of zones could not be read, so no index is written');
  const index = indexOfZones(collected, zoneOptions(flags));
  const bytes = new Uint8Array(index.toBuffer());
  const written = await writeFile(flags.out, bytes);
  const { zones, vertices } = index.stats();
  io.stdout.write(`${zones} zones, ${vertices} vertices; written to ${written}\n`);
  return reportIssues(collected.issues, io.stderr);
}
