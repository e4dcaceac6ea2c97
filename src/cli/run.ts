/** Runs the program with its arguments and returns its exit code. */

import { Command, CommanderError, Option } from 'commander';
import { WayzoneError } from '../core/errors.js';
import { completionCommand } from './commands/completion.js';
import { convertCommand, inspectCommand, validateCommand } from './commands/files/fileCommands.js';
import { locateCommand } from './commands/locate/locateCommand.js';
import { reportCommand } from './commands/report/reportCommand.js';
import { routeCommand } from './commands/route/routeCommand.js';
import {
  meetingsCommand,
  mileageCommand,
  movementCommand,
  progressCommand,
  ridesCommand,
  speedingCommand,
  suggestCommand,
  visitsCommand,
} from './commands/tracks/trackCommands.js';
import { tripsCommand } from './commands/trips/tripsCommand.js';
import { bufferCommand, indexCommand, measureCommand, tilesCommand } from './commands/zones/zoneCommands.js';
import { FILE_FORMATS } from './io/fileFormat.js';
import type { Io, Run } from './io/io.js';
import { keepOutputs, OUTPUTS } from './io/keepOutputs.js';
import { STANDARD, standardInput } from './io/standardInput.js';
import { printable, systemErrorText } from './io/terminal.js';
import { packageVersion } from './packageRoot.js';

/** Exit code: everything was read, possibly with warnings. */
const EXIT_OK = 0;
/** Exit code: something could not be read or written; `main.ts` has it too. */
const EXIT_ERRORS = 1;
/** Exit code: the arguments are wrong. */
const EXIT_USAGE = 2;

/** Runs the program; never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let code = EXIT_OK;
  const program = new Command('wayzone')
    .description('Measures geozones, makes corridors of lines, and finds the visits and trips of a fleet.')
    .version(packageVersion(), '-v, --version')
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
  tilesCommand(program, io, runs);
  routeCommand(program, io, runs);
  visitsCommand(program, io, runs);
  mileageCommand(program, io, runs);
  ridesCommand(program, io, runs);
  suggestCommand(program, io, runs);
  speedingCommand(program, io, runs);
  progressCommand(program, io, runs);
  meetingsCommand(program, io, runs);
  movementCommand(program, io, runs);
  tripsCommand(program, io, runs);
  convertCommand(program, io, runs);
  validateCommand(program, io, runs);
  inspectCommand(program, io, runs);
  for (const command of program.commands) {
    askMissingLast(command);
    keepOutputs(command);
    addStandardInput(command, io);
  }
  completionCommand(program, io, runs);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv.map(asArgument), { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already printed the error. Its code 0 means --help or --version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_OK : EXIT_USAGE;
    const message = systemErrorText(error, true);
    const reason =
      error instanceof WayzoneError ? ` (${error.code}${error.field === '' ? '' : `, ${error.field}`})` : '';
    io.stderr.write(`wayzone: ${printable(message + reason)}\n`);
    return EXIT_ERRORS;
  }
}

/** Lets `-` name standard input among the input files of a command. */
function addStandardInput(command: Command, io: Io): void {
  const { options } = command;
  if (!options.some(({ long }) => long === '--from')) {
    const formats = [...FILE_FORMATS, 'ndjson', 'json'];
    const flag = new Option('--from <format>', 'format of standard input (default: by its content)');
    command.addOption(flag.choices(formats));
  }
  command.hook('preAction', async () => {
    const path = async (value: unknown): Promise<unknown> =>
      value === STANDARD
        ? standardInput(io.stdin ?? process.stdin, command.opts<{ from?: string }>().from ?? null)
        : value;
    const replaced = async (value: unknown): Promise<unknown> => {
      if (!Array.isArray(value)) return path(value);
      const list: unknown[] = [];
      for (const item of value as unknown[]) list.push(await path(item));
      return list;
    };
    const { processedArgs } = command as unknown as { processedArgs: unknown[] };
    for (const [i, value] of processedArgs.entries()) {
      // The last file of `convert` is its output.
      const output = command.name() === 'convert' && Array.isArray(value) ? value.slice(-1) : [];
      const inputs: unknown = output.length > 0 ? (value as unknown[]).slice(0, -1) : value;
      const paths = await replaced(inputs);
      processedArgs[i] = output.length > 0 ? [...(paths as unknown[]), ...output] : paths;
    }
    for (const option of options) {
      const name = option.attributeName();
      const value: unknown = command.getOptionValue(name);
      if (OUTPUTS.has(name) || value === undefined) continue;
      command.setOptionValue(name, await replaced(value));
    }
  });
}

/** Adds a space before points with a negative first latitude, so that commander does not read them as an option. */
function asArgument(text: string): string {
  return /^-[\d.][^;]*;/.test(text) ? ` ${text}` : text;
}

/** Checks the required options after all others, which commander does first: a misspelt flag is not also a missing one. */
function askMissingLast(command: Command): void {
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of required) option.mandatory = false;
  command.hook('preAction', () => {
    for (const option of required) {
      if (command.getOptionValue(option.attributeName()) === undefined)
        command.error(`error: required option '${option.flags}' not specified`);
    }
  });
}
