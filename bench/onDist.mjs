/**
 * `node --import ./bench/onDist.mjs FILE.ts`: runs TypeScript of bench/ and test/ with every import of src/ answered from dist/, so that
 * what is timed is what a user runs. tsx would wrap each named function of the code and of the bench alike, which costs up to four times.
 */

import { register } from 'node:module';

register('./onDistHooks.mjs', import.meta.url);
