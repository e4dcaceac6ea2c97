/** Starts fuzzWorker.ts with tsx, which threads of Node 20 do not inherit from the main thread. */
import { register } from 'tsx/esm/api';

register();
await import('./fuzzWorker.ts');
