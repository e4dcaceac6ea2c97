#!/usr/bin/env node
/** The program `wayzone`. */

import { dropParts, isWriting } from './parts.js';
import { run } from './run.js';

process.on('exit', dropParts);
// Ended by the signal itself, as the shell expects, but without half a file.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    dropParts();
    process.kill(process.pid, signal);
  });
}
// Whoever reads the rows may have seen enough, as `head` does: no error, and nothing more to do than to finish a file.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!isWriting()) process.exit();
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await run(process.argv.slice(2), { stdout: process.stdout, stderr: process.stderr });
