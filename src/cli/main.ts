#!/usr/bin/env node
/** The program `wayzone`. */

import { run } from './run.js';

process.exitCode = await run(process.argv.slice(2), { stdout: process.stdout, stderr: process.stderr });
