#!/usr/bin/env node

/** The program `wayzone`. */

import module from 'node:module';
import { dropParts, isWriting } from './io/partPath.js';
import { standardOutput, systemErrorText } from './io/standardOutput.js';
import { packageVersion } from './packageRoot.js';

/** As in `run.ts`, which is loaded when a command runs. */
const EXIT_ERRORS = 1;

process.on('exit', dropParts);
// `head` and other programs close the pipe early. This is not an error: finish the file that is being written, or exit.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    process.stderr.write(`wayzone: cannot write standard output: ${systemErrorText(String(error.code))}\n`);
    process.exit(EXIT_ERRORS);
  }
  if (!isWriting()) process.exit();
});
// If stderr is closed, only the exit code can report the failure.
let isStderrClosed = false;
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return;
  isStderrClosed = true;
  process.exitCode = EXIT_ERRORS;
});
const code = await answer(process.argv.slice(2));
process.exitCode = isStderrClosed ? EXIT_ERRORS : code;

/** The exit code. The version alone needs neither commander nor the commands. */
async function answer(argv: readonly string[]): Promise<number> {
  const stdout = standardOutput();
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-v')) {
    stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  // Node 22.1 and newer keep the compiled code of the program.
  (module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
  const { run } = await import('./run.js');
  return run(argv, { stdout, stderr: process.stderr });
}
