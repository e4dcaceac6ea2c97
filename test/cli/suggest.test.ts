import { expect, test } from 'vitest';
import { testFolder, wayzone } from './wayzone.js';

const { at, put } = testFolder('suggest');
const START = Date.UTC(2026, 2, 2, 8);

/** Three days of a van that stands for 20 minutes at each of two places. */
function week(): string {
  const rows = [0, 1, 2].flatMap((day) =>
    Array.from({ length: 41 }, (_, minute) => {
      const lon = 37.6 + (minute > 20 ? 0.02 : 0);
      return `van,${new Date(START + day * 86_400_000 + minute * 60_000).toISOString()},${lon},55.7`;
    }),
  );
  return put('week.csv', ['unit,time,lon,lat', ...rows].join('\n'));
}

interface Places {
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

test('writes the places of repeated stays as circles with counts, without those of known zones', async () => {
  const { code, out } = await wayzone('suggest', week());
  expect(code).toBe(0);
  const { features } = JSON.parse(out) as Places;
  expect(features.map(({ properties }) => properties)).toMatchObject([
    { visits: 3, days: 3, units: 1, median_stay_s: 1200 },
    { visits: 3, days: 3, units: 1 },
  ]);
  const known = put('known.geojson', JSON.stringify({ ...JSON.parse(out), features: [features[0]] }));
  const rest = await wayzone('suggest', week(), '--known', known, '--out', at('places.geojson'));
  expect([rest.code, rest.out]).toEqual([0, '']);
  const again = await wayzone('suggest', week(), '--known', at('places.geojson'), known);
  expect((JSON.parse(again.out) as Places).features).toEqual([]);
  const few = await wayzone('suggest', week(), '--min-visits', '4');
  expect((JSON.parse(few.out) as Places).features).toEqual([]);
});

test('prints nothing without tracks', async () => {
  const { code, out } = await wayzone('suggest', at('none.csv'));
  expect([code, out]).toEqual([1, '']);
});
