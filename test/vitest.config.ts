import { defineConfig } from 'vitest/config';
import { frozenInputs } from './frozenPlugin.js';
import { skippedReporter } from './skippedReporter.js';

/**
 * Folders whose tests call pure functions only: no process, no browser, no thread. Their files share the modules that a worker has loaded,
 * which saves a quarter of the suite's processor time. Module state that one test file left behind would show in another, in some order.
 */
const PURE = [
  'core',
  'geodesy',
  'interchange',
  'listing',
  'planar',
  'routing',
  'schemas',
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
    // Against hangs only: no test decides by a clock, also on a machine that does much else.
    testTimeout: process.env['WAYZONE_LONG'] === '1' ? 1_800_000 : 600_000,
    hookTimeout: 600_000,
    reporters: [skippedReporter, 'default'],
    // One thread less, which vitest takes by itself, is one alone on a small machine.
    maxWorkers: '100%',
    // For `npm run coverage`. The scripts of pages (src/report/client/) run in Chromium, where they are not counted; the files that run in
    // a thread (src/parallel/*Worker.ts) are counted as never run, since threads run what was built.
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
