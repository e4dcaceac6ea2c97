import { describe, expect, test } from 'vitest';
import { findEncoding } from '../../src/interchange/table/findEncoding.js';

function encode(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const codes = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) codes.set(decoder.decode(Uint8Array.of(byte)), byte);
  return Uint8Array.from(text, (character) => codes.get(character) ?? 0x3f);
}

const RUSSIAN: readonly string[] = [
  'Гос. номер;Дата;Время;Широта;Долгота;Скорость, км/ч',
  'Объект;Дата и время;Широта;Долгота\nГазель 12;15.01.2026 08:00;56,30;44,01',
  'Название;Широта;Долгота;Радиус, м\nДепо;56,3419;44,0521;250',
  'unit;time;lat;lon\nА123ВС52;15.01.2026 08:00;56,30;44,01\nК777ММ152;15.01.2026 08:01;56,31;44,02',
  'ТРАНСПОРТ;ВРЕМЯ;ШИРОТА;ДОЛГОТА',
  'name,lat,lon\nСклад №1,56.3,44.0\nМагазин «Юг»,56.4,44.1',
];
const WESTERN: readonly string[] = [
  'Kennzeichen;Datum;Uhrzeit;Breite;Länge;Geschwindigkeit [km/h];Zündung\nB-MW 1234;15.07.2026;08:30;52,5;13,4;0;aus',
  'Matrícula;Fecha y hora;Latitud;Longitud;Velocidad (km/h)\nB-MW 1234;15/07/2026 06:30;52.5;13.4;0',
  'Véhicule;Date;Heure;Latitude;Longitude;Kilométrage\nCamion 7;15/07/2026;06:30;48,85;2,35;1200',
];

describe('findEncoding', () => {
  test.each(['windows-1251', 'koi8-r', 'ibm866'])('short Russian tables in %s', (encoding) => {
    for (const text of RUSSIAN) {
      const found = findEncoding(encode(text, encoding));
      expect(found.encoding, text).toBe(encoding);
      // Plates alone are few letters: it is right, and asks in KOI8-R.
      if (!text.startsWith('unit')) expect(found.confidence, text).toBeGreaterThan(0.2);
    }
  });

  test('short Western tables in windows-1252', () => {
    for (const text of WESTERN) {
      const found = findEncoding(encode(text, 'windows-1252'));
      expect(found.encoding, text).toBe('windows-1252');
      expect(found.confidence, text).toBeGreaterThan(0.2);
    }
  });

  test('marks, valid UTF-8 and zero bytes', () => {
    for (const text of [...RUSSIAN, ...WESTERN, 'plain']) {
      expect(findEncoding(new TextEncoder().encode(text))).toEqual({ encoding: 'utf-8', confidence: 1 });
      const le = new Uint8Array(Buffer.from(`time;lat;lon\n${text}`, 'utf16le'));
      expect(findEncoding(le).encoding, text).toBe('utf-16le');
      const be = new Uint8Array(Buffer.from(`time;lat;lon\n${text}`, 'utf16le').swap16());
      expect(findEncoding(be).encoding, text).toBe('utf-16be');
    }
  });

  test('bytes that are no text are not certain', () => {
    expect(findEncoding(Uint8Array.of(0x61, 0x81, 0x62, 0x8d, 0x63)).confidence).toBeLessThan(0.2);
  });
});
