import { defineConfig } from 'vitest/config';

const config: ReturnType<typeof defineConfig> = defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    testTimeout: process.env['WAYZONE_LONG'] === '1' ? 1_800_000 : 60_000,
    reporters: ['default'],
  },
});
export default config;
