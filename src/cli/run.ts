/** Runs the program with its arguments and returns its exit code. */

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { messageOf, WayzoneError } from '../core/errors.js';
import { bufferCommand } from './commands/buffer/bufferCommand.js';
import { convertCommand } from './commands/convert/convertCommand.js';
import { indexCommand } from './commands/index/indexCommand.js';
import { inspectCommand } from './commands/inspect/inspectCommand.js';
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

/** Everything was read. There may have been warnings. */
export const EXIT_OK = 0;
/** Something could not be read or written. */
export const EXIT_ERRORS = 1;
/** The arguments are wrong. */
export const EXIT_USAGE = 2;

/** Runs the program; never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code = EXIT_OK;
  const program = new Command('wayzone')
    .description('Measures geozones, makes corridors of lines, and finds the visits and trips of a fleet.')
    .version(version(), '-v, --version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text.replace(/^error: /, 'wayzone: ')),
    })
    .showHelpAfterError('Try: wayzone --help')
    .addHelpText(
      'after',
      '\nExit code: 0 everything was read, 1 something could not be read or written, 2 wrong use.\nHelp for one command: wayzone report --help',
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
  inspectCommand(program, io, runs);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv.map(asArgument), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already printed the error. Its code 0 means --help or --version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    const message = messageOf(error);
    const reason =
      error instanceof WayzoneError ? ` (${error.code}${error.field === '' ? '' : `, ${error.field}`})` : '';
    io.stderr.write(`wayzone: ${printable(message + reason)}\n`);
    return EXIT_ERRORS;
  }
}

/** Adds a space before points with a negative first latitude, so that commander does not read them as an option. */
function asArgument(text: string): string {
  return /^-[\d.][^;]*;/.test(text) ? ` ${text}` : text;
}

function version(): string {
  const text = readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
