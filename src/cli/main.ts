#!/usr/bin/env node
/** The program `wayzone`. */

import { run } from './run.js';

// Whoever reads the rows may have seen enough, as `head` does: no error, and nothing more to do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});
process.exitCode = await run(process.argv.slice(2), { stdout: process.stdout, stderr: process.stderr });
