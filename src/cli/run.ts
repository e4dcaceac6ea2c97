/** What the program does with its arguments, and the exit code it ends with. */

import { readFile } from 'node:fs/promises';
import { readArguments, UsageError } from './arguments.js';
import { HELP } from './help.js';
import { report } from './report.js';
import { printable } from './terminal.js';

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** All was read (warnings may have been met). */
export const EXIT_OK = 0;
/** Something could not be read or written. */
export const EXIT_ERRORS = 1;
/** The arguments make no sense. */
export const EXIT_USAGE = 2;

/** Runs the program; never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const command = readArguments(argv);
    if (command.name === 'help') io.stdout.write(HELP);
    else if (command.name === 'version') io.stdout.write(`${await version()}\n`);
    else return (await report(command.options, io)) ? EXIT_OK : EXIT_ERRORS;
    return EXIT_OK;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    io.stderr.write(`wayzone: ${printable(message)}\n`);
    if (!(error instanceof UsageError)) return EXIT_ERRORS;
    io.stderr.write('Try: wayzone --help\n');
    return EXIT_USAGE;
  }
}

async function version(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
