#!/usr/bin/env node
import module from 'node:module';

// Node 22.1 and newer keep the compiled code of the program.
module.enableCompileCache?.();
await import('./dist/main.js');
