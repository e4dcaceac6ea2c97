/** Threads of Node 20 do not take over tsx from the main thread. */
import { register } from 'tsx/esm/api';

register();
await import('./fuzzWorker.ts');
