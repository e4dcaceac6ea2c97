import { expect, test } from 'vitest';
import { dataBlocks } from '../../src/report/dataBlocks.js';
import { pageData } from '../../src/report/pageData.js';
import { SAMPLE } from './sample.js';

/** The data of a page in blocks of any size is the data. */

test('the blocks, appended in their order, are the whole data', () => {
  const [unit] = SAMPLE.units;
  const units = Array.from({ length: 40 }, (_, i) => ({ ...unit!, unitId: `bus ${i}` }));
  for (const asked of [SAMPLE.asked, { speeding: true, hours: true, meetings: true }]) {
    const data = pageData({ ...SAMPLE, units, asked });
    for (const most of [1, 100, 1000, 5000, 1e9]) {
      const text = JSON.stringify(dataBlocks(data, most));
      const [first, ...more] = JSON.parse(text) as ReturnType<typeof dataBlocks>;
      expect(more.length > 0).toBe(most < 1e9);
      const lists = { ...first, ...first.conduct };
      for (const { list, items } of more) {
        expect(items.length).toBeGreaterThan(0);
        if (items.length > 1) expect(JSON.stringify(items).length).toBeLessThan(most + 2 * items.length);
        (lists[list] as unknown[]).push(...items);
      }
      expect(first).toEqual(JSON.parse(JSON.stringify(data)));
    }
  }
});
