/**
 * `node --import ./bench/onDist.mjs FILE.ts`: runs TypeScript of bench/ and test/. Imports of a subpath (`src/index.js`,
 * `src/tracks/index.js`, …) load dist/, so that benches time what users run. Other modules are compiled from src/. tsx is not used because
 * it wraps each named function, which makes code up to four times slower.
 */

import { register } from 'node:module';

register('./onDistHooks.mjs', import.meta.url);
