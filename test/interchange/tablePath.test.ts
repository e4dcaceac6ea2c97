/** Plain tables give the same fixes by the reader of bytes and by their description. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tablePath } from '../../src/interchange/csv/tablePath.js';
import { fromCsv } from '../../src/interchange/index.js';
import { volume } from '../volume.js';

const rows = fc.array(
  fc.record({
    unit: fc.constantFrom('van 1', 'van 2', 'Ж & co'),
    time: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2090, 0, 1) }),
    lat: fc.integer({ min: -80_000_000, max: 80_000_000 }),
    lon: fc.integer({ min: -179_000_000, max: 179_000_000 }),
    speed: fc.option(fc.integer({ min: 0, max: 2000 })),
    ignition: fc.constantFrom('', '0', '1', 'true', 'off'),
    damage: fc.nat(12),
  }),
  { minLength: 4, maxLength: 25 },
);

test('rows with missing and broken cells', () => {
  fc.assert(
    fc.property(rows, fc.constantFrom(',', ';', '\t', '|'), (list, delimiter) => {
      const lines = list.map(({ unit, time, lat, lon, speed, ignition, damage }) => {
        const cells = [
          damage === 1 ? '' : unit,
          damage === 2 ? '2026-02-30T00:00:00Z' : new Date(time).toISOString(),
          damage === 3 ? 'x' : String(lat / 1e6),
          damage === 4 ? '' : String(lon / 1e6),
          damage === 5 ? '-1' : speed === null ? '' : String(speed / 10),
          ignition,
        ];
        return cells.join(delimiter);
      });
      const text = `${['unit', 'time', 'lat', 'lon', 'speed_kph', 'ignition'].join(delimiter)}\n${lines.join('\n')}\n`;
      const plain = fromCsv(text);
      // A column that is named forces the description.
      const described = fromCsv(text, {
        table: { columns: [{ name: 'unit', role: 'unit' }], swappedUnits: [] },
      });
      const sound = list.filter(({ damage }) => damage === 0 || damage > 5).length;
      if (sound < list.length / 2) return;
      expect(tablePath(text, true, {})).toBe('plain');
      expect(described.value.tracks).toEqual(
        plain.value.tracks.filter(({ unitId }) =>
          described.value.tracks.some((own) => own.unitId === unitId),
        ),
      );
      const lost = plain.issues.some(({ code }) => code === 'axis-order-suspect');
      if (!lost) expect(described.value.tracks).toEqual(plain.value.tracks);
      const codes = (data: typeof plain): string[] =>
        data.issues
          .filter(({ code }) => code !== 'table-assumed' && code !== 'axis-order-suspect')
          .map(({ code, line }) => `${code} ${line}`)
          .sort();
      if (!lost) expect(codes(described)).toEqual(codes(plain));
    }),
    { numRuns: volume(3000), seed: 5 },
  );
});
