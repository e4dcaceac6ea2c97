#!/usr/bin/env node

/** The program `wayzone`. */

import { dropParts, isWriting } from './io/partPath.js';
import { standardOutput } from './io/standardOutput.js';
import { reasonOf } from './io/unwritable.js';
import { EXIT_ERRORS, run } from './run.js';

process.on('exit', dropParts);
// `head` and other programs close the pipe early. This is not an error: finish the file that is being written, or exit.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    process.stderr.write(`wayzone: cannot write standard output: ${reasonOf(String(error.code))}\n`);
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
const code = await run(process.argv.slice(2), { stdout: standardOutput(), stderr: process.stderr });
process.exitCode = isStderrClosed ? EXIT_ERRORS : code;
