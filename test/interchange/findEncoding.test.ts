import { describe, expect, test } from 'vitest';
import { fromCsv } from '../../src/interchange/index.js';
import { findEncoding } from '../../src/interchange/table/findEncoding.js';

const CODES = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** The bytes of each character, of one or two bytes. */
function codesOf(encoding: string): ReadonlyMap<string, readonly number[]> {
  const known = CODES.get(encoding);
  if (known !== undefined) return known;
  const codes = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding, { fatal: true });
  const add = (...bytes: readonly number[]): boolean => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(text).length === 1 && !codes.has(text)) codes.set(text, bytes);
      return true;
    } catch {
      return false;
    }
  };
  for (let byte = 0; byte < 256; byte++)
    if (!add(byte)) for (let trail = 0x40; trail < 256; trail++) add(byte, trail);
  CODES.set(encoding, codes);
  return codes;
}

function encode(text: string, encoding: string): Uint8Array {
  const codes = codesOf(encoding);
  return Uint8Array.from(Array.from(text).flatMap((character) => codes.get(character) ?? [0x3f]));
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

/** Names of places in the encodings of the world. */
const WORLD: readonly (readonly [encoding: string, cells: string])[] = [
  ['gbk', '北京仓库 | 上海站'],
  ['gbk', '海淀区中关村 | 朝阳公园 | 东方广场'],
  ['big5', '台北車站 | 高雄港'],
  ['shift_jis', '東京駅 | 大阪倉庫'],
  ['shift_jis', 'さくら運輸 | トヨタ配送センター'],
  ['euc-kr', '서울역 | 부산항 창고'],
  ['windows-1250', 'Plzeň | České Budějovice | Třebíč'],
  ['windows-1250', 'Łódź | Kraków | Gdańsk | Poznań'],
  ['windows-1250', 'Košice | Žilina | Prešov | Trenčín'],
  ['windows-1254', 'İstanbul | İzmir | Eskişehir | Iğdır'],
  ['windows-1252', 'München | Köln | Düsseldorf | Großlager'],
  ['windows-1252', 'Orléans | Besançon | Mâcon | Sète | Nîmes'],
  ['windows-1252', 'Málaga | Córdoba | Logroño'],
  ['windows-1252', 'São Paulo | Brasília | Goiânia | Maceió'],
  ['windows-1252', 'Malmö | Västerås | Göteborg'],
  ['windows-1252', 'Århus | København | Tromsø | Ærø'],
  ['windows-1257', 'Šiauliai | Panevėžys | Klaipėda | Marijampolė'],
  ['windows-1253', 'Αθήνα | Θεσσαλονίκη'],
  ['windows-1255', 'תל אביב | ירושלים'],
  ['windows-1256', 'الرياض | جدة | دبي'],
  ['windows-1251', 'Київ | Львів | Запоріжжя'],
];

/** Names that are names in another encoding too, and both readings. */
const OPEN: readonly (readonly [encoding: string, cells: string, readings: readonly string[]])[] = [
  ['gbk', '粤B12345 | 粤B54321', ['"粤B12345" in gbk']],
  ['windows-1250', 'Plzeň', ['"Plzeň" in windows-1250', '"Plzeò" in windows-1252']],
  ['windows-1254', 'İstanbul', ['"İstanbul" in windows-1254', ' in windows-125']],
  ['windows-1251', 'Депо', ['"Депо" in windows-1251', '"Δεοξ" in windows-1253']],
];

function tableOf(cells: string): string {
  return ['name,lat,lon', ...cells.split(' | ').map((cell, i) => `${cell},${50 + i},${10 + i}`)].join('\n');
}

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

  test.each(WORLD)('%s: %s is read as it was meant', (encoding, cells) => {
    const found = findEncoding(encode(tableOf(cells), encoding));
    expect(found.encoding).toBe(encoding);
    expect(found.confidence).toBeGreaterThan(0.2);
  });

  test.each(OPEN)('%s: %s can be read in several ways, which the table asks', (encoding, cells, readings) => {
    const bytes = encode(tableOf(cells), encoding);
    expect(findEncoding(bytes).confidence).toBeLessThan(0.2);
    const { value, issues } = fromCsv(bytes);
    expect(value.zones).toEqual([]);
    const [issue] = issues.filter(({ code }) => code === 'encoding-unknown');
    for (const reading of readings) expect(issue?.message).toContain(reading);
    expect(fromCsv(bytes, { table: { encoding } }).value.zones[0]?.name).toBe(cells.split(' | ')[0]);
  });

  test('Thai and Vietnamese', () => {
    const bytes = (name: readonly number[]): Uint8Array =>
      Uint8Array.from([...Buffer.from('name,lat,lon\n'), ...name, ...Buffer.from(',21,105\n')]);
    // กรุงเทพ
    const thai = fromCsv(bytes([0xa1, 0xc3, 0xd8, 0xa7, 0xe0, 0xb7, 0xbe]), { as: 'zones' });
    expect(thai.value.zones.map(({ name }) => name)).toEqual(['กรุงเทพ']);
    // `Đà Nẵng, Hà Nội`: a tone follows its letter.
    const names = [...Buffer.from('\xd0\xe0 N\xe3\xd5ng H\xe0 N\xf4\xf2i', 'latin1')].map((byte) =>
      byte === 0xd5 ? 0xde : byte,
    );
    const vietnamese = fromCsv(bytes(names), { as: 'zones', table: { encoding: 'windows-1258' } });
    expect(vietnamese.value.zones.map(({ name }) => name)).toEqual(['Đà Nẵng Hà Nội']);
    expect(findEncoding(bytes(names)).encoding).toBe('windows-1258');
  });

  test('UTF-8 with a few broken letters is UTF-8', () => {
    const whole = new TextEncoder().encode(tableOf('Склад | Гараж | Депо'));
    const cut = Uint8Array.from([...whole.subarray(0, -8), ...whole.subarray(-7)]);
    expect(findEncoding(cut)).toMatchObject({ encoding: 'utf-8', isBroken: true });
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
