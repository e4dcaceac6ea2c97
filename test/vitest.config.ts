import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { COMPILED, compiledSources } from './compiledSources.js';
import { frozenInputs } from './frozenPlugin.js';
import { HANG_MS, PATIENCE_MS } from './patience.js';
import { skippedReporter } from './skippedReporter.js';

/**
 * Tests that replace modules, or count what V8 runs from when it loads them. The files of all others share the modules that a worker has
 * loaded, since loading them takes seconds. If a test file leaves state in a module, other files fail in some order.
 */
const OWN_MODULES: readonly string[] = [
  'test/contract/walks.test.ts',
  'test/growth/**/*.test.ts',
  'test/package/**/*.test.ts',
  'test/parallel/**/*.test.ts',
];

const IS_LONG = process.env['WAYZONE_LONG'] === '1';

/**
 * Files of the long run alone (`npm run test:long`): attacks, kills, full disks, restored dumps, real days and pages; and further twins and
 * random tests, which the ordinary run has no time for.
 */
const LONG_ALONE: readonly string[] = IS_LONG
  ? []
  : [
      'host/test/crash/**',
      'host/test/asideUnits.test.ts',
      'host/test/awaitServer.test.ts',
      'host/test/crash.test.ts',
      'host/test/disk.test.ts',
      'host/test/disorder.test.ts',
      'host/test/halfOpen.test.ts',
      'host/test/heavyRequests.test.ts',
      'host/test/hostile.test.ts',
      'host/test/imports.test.ts',
      'host/test/memory.test.ts',
      'host/test/page/basemap.test.ts',
      'host/test/page/hostile.test.ts',
      'host/test/pages.test.ts',
      'host/test/powerCut.test.ts',
      'host/test/realDay.test.ts',
      'host/test/restore.test.ts',
      'host/test/setAside.test.ts',
      'host/test/streamDays.test.ts',
      'host/test/streamLate.test.ts',
      'host/test/streamRetention.test.ts',
      'host/test/streamRoutes.test.ts',
      'host/test/streamRules.test.ts',
      'host/test/streamTrips.test.ts',
      'host/test/streams.test.ts',
      'test/growth/tracks.test.ts',
      'test/growth/tripCosts.test.ts',
      'test/growth/trips.test.ts',
      'test/package/bundles.test.ts',
      'test/package/consumers.test.ts',
      'test/report/basemap.test.ts',
      'test/report/canvas.test.ts',
      'test/report/conduct.test.ts',
      'test/report/hostile.test.ts',
      'test/report/loading.test.ts',
      'test/report/mapClicks.test.ts',
      'test/report/mapShows.test.ts',
      'test/report/tripsUnseen.test.ts',
    ];

/** `npm run coverage` counts what runs of the sources that Vite has loaded. */
const COMPILE = process.argv.some((word) => word.startsWith('--coverage')) ? [] : [compiledSources()];

/** The built library. */
const BUILT = /\/dist\/(?!report\/client)/;

const config: ReturnType<typeof defineConfig> = defineConfig({
  plugins: [frozenInputs()],
  test: {
    globalSetup: ['test/installTools.ts'],
    server: { deps: { external: [COMPILED] } },
    root: new URL('..', import.meta.url).pathname,
    projects: [
      {
        extends: true,
        plugins: COMPILE,
        test: {
          name: 'library',
          include: ['test/**/*.test.ts'],
          exclude: [...OWN_MODULES, ...LONG_ALONE],
          isolate: false,
        },
      },
      // Apart from the library's: their embedded databases fill a worker's memory, in which geometry is several times slower.
      {
        extends: true,
        plugins: COMPILE,
        test: {
          name: 'host',
          include: ['host/test/**/*.test.ts'],
          exclude: [...LONG_ALONE],
          isolate: false,
          // Tests that break the library on purpose break the one that the host's sources import.
          server: { deps: { external: [COMPILED, BUILT] } },
        },
      },
      // Vitest runs projects by their names. At the end these few slow files would run alone, without work for all processors.
      { extends: true, test: { name: 'alone', include: [...OWN_MODULES], exclude: [...LONG_ALONE] } },
    ],
    // Only against hangs: no test depends on the time, even on a busy machine.
    testTimeout: IS_LONG ? 3 * HANG_MS : HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    reporters: [skippedReporter, 'default'],
    // Twice the threads of the machine: tests of the host and of pages wait for servers and browsers.
    maxWorkers: 2 * availableParallelism(),
    // For `npm run coverage`. The scripts of pages (src/report/client/) run in Chromium, where they are not counted. Threads run the
    // built files, so src/parallel/*Worker.ts counts as never run.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/report/client/**'],
      reporter: ['text-summary', 'json'],
      reportsDirectory: 'out/coverage',
      thresholds: { branches: 95 },
    },
  },
});
export default config;
