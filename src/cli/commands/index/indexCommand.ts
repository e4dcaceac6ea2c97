/** Declares the command `index`: options and help. Its work is loaded when the command runs. */

import type { Command } from 'commander';
import { addZoneFlags } from '../../flags/options.js';
import { INDEX_FILE, ZONE_FILES } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { IndexFlags } from './writeIndex.js';

/** Adds the command `index`. */
export function indexCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('index')
    .summary('zones as one file that `locate` opens at once')
    .description(
      `Reads zones (${ZONE_FILES}) ` +
        'and writes their index as one checked file: `wayzone locate` and ' +
        'ZoneIndex.fromBuffer open it without rebuilding anything.',
    )
    .argument('<zones...>', 'files with zones')
    .requiredOption('--out <file>', 'file to write, ending in .wzi; written whole or not at all');
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Issues go to stderr. Deleted and invalid zones are left out and reported.

Examples:
  wayzone index regions.geojson depots.kml --out fleet.wzi
  wayzone locate fleet.wzi --at 55.75,37.61`,
    )
    .action((files: string[], flags: IndexFlags) => {
      if (!INDEX_FILE.test(flags.out)) command.error('error: --out must end in .wzi');
      return run(async () => (await import('./writeIndex.js')).writeIndex(files, flags, io));
    });
}
