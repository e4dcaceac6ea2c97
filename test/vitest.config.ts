import { defineConfig } from 'vitest/config';
import { frozenInputs } from './frozenPlugin.js';

const config: ReturnType<typeof defineConfig> = defineConfig({
  plugins: [frozenInputs()],
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    testTimeout: process.env['WAYZONE_LONG'] === '1' ? 1_800_000 : 60_000,
    reporters: ['default'],
    // One thread less, which vitest takes by itself, is one alone on a small machine.
    maxWorkers: '100%',
    // For `npm run coverage`. The scripts of the report's page (src/report/client*.ts) are texts here, so they have no branches to
    // count; the files that run in a thread (src/parallel/*Worker.ts) are counted as never run, since threads run what was built.
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'json'],
      reportsDirectory: 'out/coverage',
      thresholds: { branches: 95 },
    },
  },
});
export default config;
