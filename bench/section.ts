/** `section.ts NAME [--quick]`: prints the section of one bench. bench/run.ts starts one process for each. */

import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

type Bench = (quick: boolean) => string | Promise<string>;

/** The benches in the order of bench/RESULTS.md. Each module is imported only when its bench runs. */
export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  start: async () => (await import('./start.js')).startBench,
  precision: async () => (await import('./precision.js')).precisionBench,
  measure: async () => (await import('./measure.js')).measureBench,
  zones: async () => (await import('./zoneIndex.js')).zoneIndexBench,
  cold: async () => (await import('./coldStart.js')).coldStartBench,
  tiles: async () => (await import('./tiles.js')).tilesBench,
  distance: async () => (await import('./distance.js')).distanceBench,
  corridor: async () => (await import('./corridor.js')).corridorBench,
  interchange: async () => (await import('./interchange.js')).interchangeBench,
  jobs: async () => (await import('./jobs.js')).jobsBench,
  listing: async () => (await import('./listing.js')).listingBench,
  validity: async () => (await import('./validity.js')).validityBench,
  routing: async () => (await import('./routing.js')).routingBench,
  tracks: async () => (await import('./tracks.js')).tracksBench,
  stays: async () => (await import('./stays.js')).staysBench,
  ledger: async () => (await import('./ledger.js')).ledgerBench,
  progress: async () => (await import('./progress.js')).progressBench,
  trips: async () => (await import('./trips.js')).tripsBench,
  foretold: async () => (await import('./foretold.js')).foretoldBench,
  schemas: async () => (await import('./schemas.js')).schemasBench,
  cliffs: async () => (await import('./cliffs.js')).cliffsBench,
  page: async () => (await import('./page.js')).pageBench,
};

if (argv[1] !== undefined && pathToFileURL(argv[1]).href === import.meta.url) {
  const bench = await BENCHES[argv[2] ?? '']!();
  process.stdout.write(await bench(argv.includes('--quick')));
}
