import { defineConfig } from 'vitest/config';
import { frozenInputs } from './frozenPlugin.js';
import { skippedReporter } from './skippedReporter.js';

/**
 * Folders whose tests call only pure functions: no processes, browsers or threads. Their files share the modules that a worker has
 * loaded, which saves a quarter of the suite's processor time. If a test file leaves state in a module, other files fail in some order.
 */
const PURE = [
  'algebra',
  'core',
  'hours',
  'geodesy',
  'interchange',
  'listing',
  'planar',
  'routing',
  'schemas',
  'tiles',
  'tracks',
  'trips',
  'zones',
].map((folder) => `test/${folder}/**/*.test.ts`);

const config: ReturnType<typeof defineConfig> = defineConfig({
  plugins: [frozenInputs()],
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      { extends: true, test: { name: 'pure', include: PURE, isolate: false } },
      {
        extends: true,
        test: { name: 'whole', include: ['test/**/*.test.ts', 'host/test/**/*.test.ts'], exclude: PURE },
      },
    ],
    // Only against hangs: no test depends on the time, even on a busy machine.
    testTimeout: process.env['WAYZONE_LONG'] === '1' ? 1_800_000 : 600_000,
    hookTimeout: 600_000,
    reporters: [skippedReporter, 'default'],
    // Vitest's default is one thread fewer, which is a single one on a small machine.
    maxWorkers: '100%',
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
