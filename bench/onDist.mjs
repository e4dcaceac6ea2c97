/**
 * `node --import ./bench/onDist.mjs FILE.ts`: runs TypeScript of bench/ and test/. An import of a subpath (`src/index.js`, `src/tracks/index.js`, …)
 * is answered from dist/, so that what is timed is what a user runs; a module that no subpath exports is compiled from src/. tsx would wrap
 * each named function of the code and of the bench alike, which costs up to four times.
 */

import { register } from 'node:module';

register('./onDistHooks.mjs', import.meta.url);
