/** Writes random fixes as a table in a random dialect. Independent of the readers: its own words, formats and encoders. */

import fc from 'fast-check';

export interface TrueFix {
  readonly unit: string;
  /** Epoch milliseconds, whole seconds. */
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly kph: number;
}

export interface Dialect {
  readonly encoding:
    | 'utf-8'
    | 'utf-8-bom'
    | 'utf-16le'
    | 'utf-16be'
    | 'windows-1251'
    | 'koi8-r'
    | 'ibm866'
    | 'windows-1252';
  readonly delimiter: ';' | '\t' | '|' | ',';
  readonly decimal: '.' | ',';
  readonly quoteAll: boolean;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly language: keyof typeof WORDS;
  readonly sep: boolean;
  readonly titles: number;
  readonly unitsRow: boolean;
  readonly total: boolean;
  readonly time: TimeStyle;
  readonly zone: string;
  readonly place: 'two' | 'cell' | 'dms' | 'ddmm' | 'e7' | 'wkt';
  readonly speed: 'header-kph' | 'header-mps' | 'cell' | 'none' | 'knots';
  readonly units: 'column' | 'one';
  readonly odometer: boolean;
  readonly ignition: boolean;
  readonly order: 'up' | 'down';
}

type TimeStyle =
  | 'iso-z'
  | 'iso-offset'
  | 'iso-local'
  | 'dmy-dots'
  | 'dmy-slashes'
  | 'mdy-ampm'
  | 'two-columns'
  | 'epoch-s'
  | 'epoch-ms'
  | 'serial'
  | 'month-name'
  | 'utc-word';

export const WORDS = {
  en: {
    unit: 'Vehicle',
    time: 'Time',
    date: 'Date',
    clock: 'Time',
    lat: 'Latitude',
    lon: 'Longitude',
    position: 'Coordinates',
    speed: 'Speed',
    kph: 'km/h',
    mps: 'm/s',
    odometer: 'Odometer',
    km: 'km',
    ignition: 'Ignition',
    on: 'on',
    off: 'off',
    total: 'Total',
    title: 'Report of the fleet',
  },
  ru: {
    unit: 'Гос. номер',
    time: 'Дата и время',
    date: 'Дата',
    clock: 'Время',
    lat: 'Широта',
    lon: 'Долгота',
    position: 'Координаты',
    speed: 'Скорость',
    kph: 'км/ч',
    mps: 'м/с',
    odometer: 'Пробег',
    km: 'км',
    ignition: 'Зажигание',
    on: 'вкл',
    off: 'выкл',
    total: 'Итого',
    title: 'Отчёт по автопарку',
  },
  de: {
    unit: 'Kennzeichen',
    time: 'Zeit',
    date: 'Datum',
    clock: 'Uhrzeit',
    lat: 'Breite',
    lon: 'Länge',
    position: 'Koordinaten',
    speed: 'Geschwindigkeit',
    kph: 'km/h',
    mps: 'm/s',
    odometer: 'Kilometerstand',
    km: 'km',
    ignition: 'Zündung',
    on: 'ein',
    off: 'aus',
    total: 'Summe',
    title: 'Bericht über die Fahrten',
  },
  es: {
    unit: 'Matrícula',
    time: 'Fecha y hora',
    date: 'Fecha',
    clock: 'Hora',
    lat: 'Latitud',
    lon: 'Longitud',
    position: 'Coordenadas',
    speed: 'Velocidad',
    kph: 'km/h',
    mps: 'm/s',
    odometer: 'Kilometraje',
    km: 'km',
    ignition: 'Contacto',
    on: 'sí',
    off: 'no',
    total: 'Total',
    title: 'Informe de la flota en el año',
  },
  fr: {
    unit: 'Immatriculation',
    time: 'Horodatage',
    date: 'Date',
    clock: 'Heure',
    lat: 'Latitude',
    lon: 'Longitude',
    position: 'Coordonnées',
    speed: 'Vitesse',
    kph: 'km/h',
    mps: 'm/s',
    odometer: 'Kilométrage',
    km: 'km',
    ignition: 'Allumage',
    on: 'oui',
    off: 'non',
    total: 'Somme',
    title: 'Rapport des véhicules',
  },
} as const;

const MONTHS: Readonly<Record<keyof typeof WORDS, readonly string[]>> = {
  en: [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
  ru: [
    'января',
    'февраля',
    'марта',
    'апреля',
    'мая',
    'июня',
    'июля',
    'августа',
    'сентября',
    'октября',
    'ноября',
    'декабря',
  ],
  de: [
    'Januar',
    'Februar',
    'März',
    'April',
    'Mai',
    'Juni',
    'Juli',
    'August',
    'September',
    'Oktober',
    'November',
    'Dezember',
  ],
  es: [
    'enero',
    'febrero',
    'marzo',
    'abril',
    'mayo',
    'junio',
    'julio',
    'agosto',
    'septiembre',
    'octubre',
    'noviembre',
    'diciembre',
  ],
  fr: [
    'janvier',
    'février',
    'mars',
    'avril',
    'mai',
    'juin',
    'juillet',
    'août',
    'septembre',
    'octobre',
    'novembre',
    'décembre',
  ],
};

const CYRILLIC_PLATES = ['А123ВС52', 'К777ММ152', 'О002ОО77'];
const LATIN_PLATES = ['B-MW 1234', 'M-XY 77', 'HH-A 9'];

const pick = fc.constantFrom;

/** A dialect whose parts fit each other. */
export const dialects: fc.Arbitrary<Dialect> = fc
  .record({
    encoding: pick(
      'utf-8',
      'utf-8-bom',
      'utf-16le',
      'utf-16be',
      'windows-1251',
      'koi8-r',
      'ibm866',
      'windows-1252',
    ),
    delimiter: pick(';', '\t', '|', ','),
    decimal: pick('.', ','),
    quoteAll: fc.boolean(),
    lineEnd: pick('\n', '\r\n', '\r'),
    language: pick('en', 'ru', 'de', 'es', 'fr'),
    sep: fc.boolean(),
    titles: fc.integer({ min: 0, max: 3 }),
    unitsRow: fc.boolean(),
    total: fc.boolean(),
    time: pick<TimeStyle[]>(
      'iso-z',
      'iso-offset',
      'iso-local',
      'dmy-dots',
      'dmy-slashes',
      'mdy-ampm',
      'two-columns',
      'epoch-s',
      'epoch-ms',
      'serial',
      'month-name',
      'utc-word',
    ),
    zone: pick('UTC', 'Europe/Moscow', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
    place: pick('two', 'cell', 'dms', 'ddmm', 'e7', 'wkt'),
    speed: pick('header-kph', 'header-mps', 'cell', 'none', 'knots'),
    units: pick('column', 'one'),
    odometer: fc.boolean(),
    ignition: fc.boolean(),
    order: pick('up', 'down'),
  } as const)
  .map((dialect): Dialect => {
    const isCyrillic = ['windows-1251', 'koi8-r', 'ibm866'].includes(dialect.encoding);
    const language = isCyrillic
      ? 'ru'
      : dialect.encoding === 'windows-1252' && dialect.language === 'ru'
        ? 'de'
        : dialect.language;
    // A comma cannot be both the delimiter and an unquoted decimal mark.
    const quoteAll = dialect.quoteAll || (dialect.delimiter === ',' && dialect.decimal === ',');
    // A mixed line end is no part of a dialect; lone CR only without titles that hold marks.
    return { ...dialect, language, quoteAll };
  });

/** One to three units that drive near a place, with a fix every half minute or more. */
export const journeys: fc.Arbitrary<readonly TrueFix[]> = fc
  .record({
    lat: fc.integer({ min: -60_000_000, max: 70_000_000 }),
    lon: fc.integer({ min: -170_000_000, max: 170_000_000 }),
    start: fc.integer({ min: Date.UTC(2024, 0, 1) / 1000, max: Date.UTC(2027, 0, 1) / 1000 }),
    steps: fc.array(
      fc.record({
        unit: fc.nat(2),
        north: fc.integer({ min: -3000, max: 3000 }),
        east: fc.integer({ min: -3000, max: 3000 }),
        seconds: fc.integer({ min: 30, max: 4000 }),
      }),
      { minLength: 6, maxLength: 30 },
    ),
  })
  .map(({ lat, lon, start, steps }) => {
    let time = start * 1000;
    const at = [0, 1, 2].map((unit) => ({ lat: lat + 20_000 * unit, lon: lon + 20_000 * unit }));
    return steps.map(({ unit, north, east, seconds }): TrueFix => {
      time += seconds * 1000;
      const place = at[unit]!;
      place.lat += north;
      place.lon += east;
      return {
        unit: String(unit),
        time,
        lat: place.lat / 1e6,
        lon: place.lon / 1e6,
        kph: Math.abs(north % 90),
      };
    });
  });

/** The fixes as they stand in the table: units by their names, the only unit by the name of the file. */
export function truth(fixes: readonly TrueFix[], dialect: Dialect, fileName: string): readonly TrueFix[] {
  const plates = dialect.language === 'ru' ? CYRILLIC_PLATES : LATIN_PLATES;
  const own = dialect.units === 'one' ? fixes.filter(({ unit }) => unit === fixes[0]!.unit) : fixes;
  return own.map((fix) => ({
    ...fix,
    unit: dialect.units === 'one' ? fileName.replace(/\.[^.]+$/, '') : plates[Number(fix.unit)]!,
  }));
}

/** The bytes of a table. */
export function writeTable(fixes: readonly TrueFix[], dialect: Dialect): Uint8Array {
  const words = WORDS[dialect.language];
  const two = dialect.time === 'two-columns';
  const under = (unit: string): string => (dialect.unitsRow ? '' : `, ${unit}`);
  type Column = { readonly head: string; readonly unit: string; readonly cell: (fix: TrueFix) => string };
  const columns: Column[] = [
    ...(dialect.units === 'column'
      ? [{ head: words.unit, unit: '', cell: ({ unit }: TrueFix) => unit }]
      : []),
    ...timeColumns(dialect),
    ...placeColumns(dialect),
    ...speedColumns(dialect, under),
    ...(dialect.odometer
      ? [
          {
            head: `${words.odometer}${under(words.km)}`,
            unit: words.km,
            cell: ({ kph }: TrueFix) => number(1000 + kph, 3, dialect),
          },
        ]
      : []),
    ...(dialect.ignition
      ? [{ head: words.ignition, unit: '', cell: ({ kph }: TrueFix) => (kph > 0 ? words.on : words.off) }]
      : []),
  ];
  void two;
  const ordered = dialect.order === 'up' ? fixes : [...fixes].reverse();
  const lines: string[][] = [];
  for (let i = 0; i < dialect.titles; i++) lines.push([i === 0 ? words.title : '2026']);
  lines.push(columns.map(({ head }) => head));
  const needsUnits = dialect.unitsRow && columns.some(({ unit }) => unit !== '');
  if (needsUnits) lines.push(columns.map(({ unit }) => unit));
  for (const fix of ordered) lines.push(columns.map(({ cell }) => cell(fix)));
  if (dialect.total) lines.push([words.total, ...columns.slice(1).map(() => '')]);
  const text = lines
    .map((cells) => cells.map((cell) => quoted(cell, dialect)).join(dialect.delimiter))
    .join(dialect.lineEnd);
  return encode(
    `${dialect.sep ? `sep=${dialect.delimiter}${dialect.lineEnd}` : ''}${text}${dialect.lineEnd}`,
    dialect.encoding,
  );
}

function quoted(cell: string, { delimiter, quoteAll }: Dialect): string {
  return quoteAll || cell.includes(delimiter) || cell.includes('"')
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}

function number(value: number, digits: number, { decimal }: Dialect): string {
  return value.toFixed(digits).replace('.', decimal);
}

/** The parts of a wall time in a zone, by Intl. */
function wall(
  time: number,
  zone: string,
): { y: number; m: number; d: number; hh: number; mm: number; ss: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  return {
    y: parts['year']!,
    m: parts['month']!,
    d: parts['day']!,
    hh: parts['hour']!,
    mm: parts['minute']!,
    ss: parts['second']!,
  };
}

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');

type Column = { readonly head: string; readonly unit: string; readonly cell: (fix: TrueFix) => string };

function timeColumns(dialect: Dialect): Column[] {
  const words = WORDS[dialect.language];
  const { zone, time: style } = dialect;
  const plain = (cell: (fix: TrueFix) => string): Column[] => [{ head: words.time, unit: '', cell }];
  const clock = ({ hh, mm, ss }: ReturnType<typeof wall>): string => `${pad(hh)}:${pad(mm)}:${pad(ss)}`;
  switch (style) {
    case 'iso-z':
      return plain(({ time }) => new Date(time).toISOString());
    case 'iso-offset':
      return plain(({ time }) => `${new Date(time + 19_800_000).toISOString().slice(0, 19)}+05:30`);
    case 'utc-word':
      return plain(({ time }) => `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`);
    case 'iso-local':
      return plain(({ time }) => {
        const w = wall(time, zone);
        return `${w.y}-${pad(w.m)}-${pad(w.d)} ${clock(w)}`;
      });
    case 'dmy-dots':
      return plain(({ time }) => {
        const w = wall(time, zone);
        return `${pad(w.d)}.${pad(w.m)}.${w.y} ${clock(w)}`;
      });
    case 'dmy-slashes':
      return plain(({ time }) => {
        const w = wall(time, zone);
        return `${w.d}/${w.m}/${w.y} ${clock(w)}`;
      });
    case 'mdy-ampm':
      return plain(({ time }) => {
        const w = wall(time, zone);
        return `${w.m}/${w.d}/${w.y} ${w.hh % 12 === 0 ? 12 : w.hh % 12}:${pad(w.mm)}:${pad(w.ss)} ${w.hh < 12 ? 'AM' : 'PM'}`;
      });
    case 'month-name':
      return plain(({ time }) => {
        const w = wall(time, zone);
        return `${w.d} ${MONTHS[dialect.language][w.m - 1]} ${w.y} ${clock(w)}`;
      });
    case 'two-columns':
      return [
        {
          head: words.date,
          unit: '',
          cell: ({ time }) => {
            const w = wall(time, zone);
            return `${pad(w.d)}.${pad(w.m)}.${w.y}`;
          },
        },
        { head: words.clock, unit: '', cell: ({ time }) => clock(wall(time, zone)) },
      ];
    case 'epoch-s':
      return plain(({ time }) => String(time / 1000));
    case 'epoch-ms':
      return plain(({ time }) => String(time));
    case 'serial':
      return plain(({ time }) => {
        const w = wall(time, zone);
        const days = (Date.UTC(w.y, w.m - 1, w.d, w.hh, w.mm, w.ss) - Date.UTC(1899, 11, 30)) / 86_400_000;
        return number(days, 9, dialect);
      });
  }
}

function placeColumns(dialect: Dialect): Column[] {
  const words = WORDS[dialect.language];
  const degrees = (value: number): string => number(value, 6, dialect);
  const dms = (value: number, letters: string): string => {
    const total = Math.round(Math.abs(value) * 3600 * 10_000);
    const [d, rest] = [Math.floor(total / 36_000_000), total % 36_000_000];
    const seconds = (rest % 600_000) / 10_000;
    return `${d}°${pad(Math.floor(rest / 600_000))}'${number(seconds, 4, dialect)}"${value < 0 ? letters[1] : letters[0]}`;
  };
  const ddmm = (value: number, width: number): string => {
    const minutes = Math.round(Math.abs(value) * 60 * 1e6);
    const d = Math.floor(minutes / 60e6);
    return pad(d, width) + number((minutes % 60e6) / 1e6, 6, dialect).padStart(9, '0');
  };
  switch (dialect.place) {
    case 'two':
      return [
        { head: words.lat, unit: '', cell: ({ lat }) => degrees(lat) },
        { head: words.lon, unit: '', cell: ({ lon }) => degrees(lon) },
      ];
    case 'cell':
      // A pair in one cell has points: two decimal commas with a comma between are a dialect of nobody.
      return [
        { head: words.position, unit: '', cell: ({ lat, lon }) => `${lat.toFixed(6)}, ${lon.toFixed(6)}` },
      ];
    case 'dms':
      return [
        { head: words.lat, unit: '', cell: ({ lat }) => dms(lat, 'NS') },
        { head: words.lon, unit: '', cell: ({ lon }) => dms(lon, 'EW') },
      ];
    case 'ddmm':
      return [
        { head: 'lat', unit: '', cell: ({ lat }) => ddmm(lat, 2) },
        { head: 'ns', unit: '', cell: ({ lat }) => (lat < 0 ? 'S' : 'N') },
        { head: 'lon', unit: '', cell: ({ lon }) => ddmm(lon, 3) },
        { head: 'ew', unit: '', cell: ({ lon }) => (lon < 0 ? 'W' : 'E') },
      ];
    case 'e7':
      return [
        { head: 'latitude_e7', unit: '', cell: ({ lat }) => String(Math.round(lat * 1e7)) },
        { head: 'longitude_e7', unit: '', cell: ({ lon }) => String(Math.round(lon * 1e7)) },
      ];
    case 'wkt':
      return [
        { head: 'geometry', unit: '', cell: ({ lat, lon }) => `POINT (${lon.toFixed(6)} ${lat.toFixed(6)})` },
      ];
  }
}

function speedColumns(dialect: Dialect, under: (unit: string) => string): Column[] {
  const words = WORDS[dialect.language];
  switch (dialect.speed) {
    case 'header-kph':
      return [
        {
          head: `${words.speed}${under(words.kph)}`,
          unit: words.kph,
          cell: ({ kph }) => number(kph, 1, dialect),
        },
      ];
    case 'header-mps':
      return [
        {
          head: `${words.speed}${under(words.mps)}`,
          unit: words.mps,
          cell: ({ kph }) => number(kph / 3.6, 5, dialect),
        },
      ];
    case 'cell':
      return [{ head: words.speed, unit: '', cell: ({ kph }) => `${kph} ${words.kph}` }];
    case 'none':
      return [{ head: words.speed, unit: '', cell: ({ kph }) => number(kph, 1, dialect) }];
    case 'knots':
      return [{ head: 'knots', unit: '', cell: ({ kph }) => number(kph / 1.852, 5, dialect) }];
  }
}

const encoder = new TextEncoder();

function encode(text: string, encoding: Dialect['encoding']): Uint8Array {
  if (encoding === 'utf-8') return encoder.encode(text);
  if (encoding === 'utf-8-bom') return encoder.encode(`\ufeff${text}`);
  if (encoding === 'utf-16le') return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
  if (encoding === 'utf-16be') return new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
  const decoder = new TextDecoder(encoding);
  const codes = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) codes.set(decoder.decode(Uint8Array.of(byte)), byte);
  // What the code page lacks is written as programs do.
  return Uint8Array.from(text, (character) => codes.get(character) ?? codes.get('?')!);
}
