import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = [
  ...readFileSync(resolve(ROOT, 'docs/guide/map-tiles.md'), 'utf8').matchAll(/```html\n([\s\S]*?)```/g),
];

test.each(PAGES.map(([, page]) => [/from '(maplibre-gl|leaflet)'/.exec(page!)![1]!, page!] as const))(
  'the page of the guide for %s can be bundled, and the names that it imports exist',
  async (_, page) => {
    const [, contents] = /<script type="module">([\s\S]*?)<\/script>/.exec(page)!;
    const { outputFiles, warnings } = await build({
      stdin: { contents: contents!, resolveDir: ROOT, loader: 'js' },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      external: ['maplibre-gl'],
      logLevel: 'silent',
    });
    expect(warnings).toEqual([]);
    expect(outputFiles[0]!.text).toContain('tile-range');
  },
);

test('the guide has both pages', () => {
  expect(PAGES).toHaveLength(2);
});
