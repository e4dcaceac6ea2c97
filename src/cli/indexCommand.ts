/** `wayzone index`: the zones of files as one buffer that opens without rebuilding. */

import { basename, dirname } from 'node:path';
import type { Command } from 'commander';
import { summarizeIssues } from '../report/index.js';
import { collect } from './collect.js';
import { indexOf } from './indexOf.js';
import { INDEX_FILE } from './locate.js';
import { addZoneFlags, readingOptions, type ZoneFlags, zoneOptions } from './options.js';
import type { Io, Run } from './run.js';
import { issueLines, printable } from './terminal.js';
import { writeFiles } from './writeFiles.js';

interface IndexFlags extends ZoneFlags {
  readonly out: string;
}

/** Adds the command `index`. */
export function addIndex(program: Command, io: Io, run: Run): void {
  const command = program
    .command('index')
    .summary('zones as one file that `locate` opens at once')
    .description(
      'Reads zones (.geojson, .json, .kml, .gpx, .csv with well-known text) and writes their index as one checked file: `wayzone locate` and\n' +
        'ZoneIndex.fromBuffer open it without rebuilding anything.',
    )
    .argument('<zones...>', 'files with zones')
    .requiredOption('--out <file>', 'a name that ends in .wzi; written whole or not at all');
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr; zones that are deleted or cannot be used are left out and said.

Examples:
  wayzone index regions.geojson depots.kml --out fleet.wzi
  wayzone locate fleet.wzi --at 37.61,55.75`,
    )
    .action((files: string[], flags: IndexFlags) => {
      if (!INDEX_FILE.test(flags.out)) command.error('error: --out must end in .wzi');
      return run(() => writeIndex(files, flags, io));
    });
}

async function writeIndex(files: readonly string[], flags: IndexFlags, io: Io): Promise<boolean> {
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags));
  const index = indexOf(collected, zoneOptions(flags));
  const bytes = new Uint8Array(index.toBuffer());
  const written = await writeFiles(dirname(flags.out), new Map([[basename(flags.out), bytes]]));
  const { zones, vertices } = index.stats();
  io.stdout.write(
    `${zones} zones, ${vertices} vertices; written to ${printable(dirname(flags.out))}: ${written.join(', ')}\n`,
  );
  const summary = summarizeIssues(collected.issues);
  if (summary.list.length > 0) {
    io.stderr.write(`${issueLines(summary, 'the others are alike').join('\n').trim()}\n`);
  }
  return summary.errors === 0;
}
