/** What the program does with its arguments, and the exit code it ends with. */

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { messageOf, WayzoneError } from '../core/errors.js';
import { bufferCommand } from './commands/buffer/bufferCommand.js';
import { convertCommand } from './commands/convert/convertCommand.js';
import { indexCommand } from './commands/index/indexCommand.js';
import { locateCommand } from './commands/locate/locateCommand.js';
import { measureCommand } from './commands/measure/measureCommand.js';
import { movementCommand } from './commands/movement/movementCommand.js';
import { reportCommand } from './commands/report/reportCommand.js';
import { routeCommand } from './commands/route/routeCommand.js';
import { tripsCommand } from './commands/trips/tripsCommand.js';
import { validateCommand } from './commands/validate/validateCommand.js';
import { visitsCommand } from './commands/visits/visitsCommand.js';
import type { Io, Run } from './io/io.js';
import { printable } from './io/terminal.js';
import { PACKAGE_ROOT } from './packageRoot.js';

/** All was read (warnings may have been met). */
export const EXIT_OK = 0;
/** Something could not be read or written. */
export const EXIT_ERRORS = 1;
/** The arguments make no sense. */
export const EXIT_USAGE = 2;

/** Runs the program; never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code = EXIT_OK;
  const program = new Command('wayzone')
    .description(
      'Geozones: what they measure, their corridors, the visits that a fleet pays to them, and its trips.',
    )
    .version(version(), '-v, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text.replace(/^error: /, 'wayzone: ')),
    })
    .showHelpAfterError('Try: wayzone --help')
    .addHelpText(
      'after',
      '\nExit code: 0 all was read, 1 something could not be read or written, 2 wrong use.\nOf one command: wayzone report --help',
    );
  const runs: Run = async (work) => {
    code = (await work()) ? EXIT_OK : EXIT_ERRORS;
  };
  reportCommand(program, io, runs);
  measureCommand(program, io, runs);
  bufferCommand(program, io, runs);
  indexCommand(program, io, runs);
  locateCommand(program, io, runs);
  routeCommand(program, io, runs);
  visitsCommand(program, io, runs);
  movementCommand(program, io, runs);
  tripsCommand(program, io, runs);
  convertCommand(program, io, runs);
  validateCommand(program, io, runs);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv.map(asArgument), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already said what is wrong; its code 0 is --help and --version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    const message = messageOf(error);
    const reason =
      error instanceof WayzoneError ? ` (${error.code}${error.field === '' ? '' : `, ${error.field}`})` : '';
    io.stderr.write(`wayzone: ${printable(message + reason)}\n`);
    return EXIT_ERRORS;
  }
}

/** Points that begin in the south are no option: a space before them changes nothing else. */
function asArgument(text: string): string {
  return /^-[\d.][^;]*;/.test(text) ? ` ${text}` : text;
}

function version(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
