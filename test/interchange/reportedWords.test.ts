import { expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';

test.each([
  ['ACC ON', 'ACC OFF'],
  ['Encendido', 'Apagado'],
  ['Ligada', 'Desligada'],
  ['Allumé', 'Éteint'],
  ['Włączony', 'Wyłączony'],
  ['ign: 1', 'ign: 0'],
])('the words %s and %s of an ignition', (on, off) => {
  const row = (minute: number, word: string): string =>
    `van;02.03.2026 08:0${minute};50,1;10,${minute};${word}`;
  const text = `unit;time;lat;lon;acc\n${row(1, on)}\n${row(2, off)}`;
  const { value } = fromCsv(text, { table: { timeZone: 'UTC', dateOrder: 'dmy' } });
  expect(value.tracks[0]?.fixes.map(({ ignition }) => ignition)).toEqual([true, false]);
});

test('Geolife’s PLT is OziExplorer’s with another first line', () => {
  const head =
    'Geolife trajectory\nWGS 84\nAltitude is in Feet\nReserved 3\n0,2,255,My Track,0,0,2,8421376\n0\n';
  const text = `${head}40.1,116.3,0,492,39745.5,2008-10-24,12:00:00\n40.2,116.3,0,492,39745.75,2008-10-24,18:00:00\n`;
  const { value } = fromCsv(text, { table: { fileName: 'a.plt' } });
  expect(value.tracks[0]?.fixes).toMatchObject([
    { time: Date.UTC(2008, 9, 24, 12), lat: 40.1, lon: 116.3 },
    { time: Date.UTC(2008, 9, 24, 18) },
  ]);
});
