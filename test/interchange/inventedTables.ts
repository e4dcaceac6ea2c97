/**
 * Invents fixes and writes them as a customer's table: a dialect is drawn on every axis of the ways in which such files differ. Says which questions
 * the file leaves open. Written from descriptions of real exports, without the readers: its own words, formats, zones and encoders.
 */

export interface InventedFix {
  readonly unit: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  /** Null: the file has no speeds. */
  readonly kph: number | null;
}

export interface InventedTable {
  readonly bytes: Uint8Array;
  /** In the order of rows. */
  readonly fixes: readonly InventedFix[];
  /** Number of rows whose times the clocks skip: each is an issue, not a fix. */
  readonly skipped: number;
  /** What the caller knows. */
  readonly hints: { readonly timeZone?: string; readonly fileName: string };
  /** Codes of the questions that the file leaves open: each must be asked. */
  readonly asks: readonly string[];
  /** Questions that may be asked: careful, but the file could be read. */
  readonly mayAsk: readonly string[];
  /** The answers to `asks`, with which the file is read. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The drawn axes, for messages. */
  readonly dialect: string;
  /** Degrees to which positions are written. */
  readonly degrees: number;
  /** Milliseconds to which times are written. */
  readonly milliseconds: number;
  /** km/h to which speeds are written. */
  readonly kph: number;
}

/** A row; `wall`: a time that the clocks skip, instead of that of the fix. */
interface Drawn extends InventedFix {
  readonly wall?: number;
}

/** Numbers from 0 to 1 of a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Words {
  readonly unit: readonly string[];
  readonly time: readonly string[];
  readonly date: string;
  readonly clock: string;
  readonly server: string;
  readonly lat: readonly string[];
  readonly lon: readonly string[];
  readonly position: string;
  readonly speed: readonly string[];
  readonly course: string;
  readonly altitude: string;
  readonly mileage: string;
  readonly address: string;
  readonly kph: readonly string[];
  readonly mps: readonly string[];
  readonly title: string;
  readonly total: string;
  readonly places: readonly string[];
  readonly encodings: readonly Encoding[];
}

type Encoding = 'utf-8' | 'utf-8-mark' | 'utf-16le' | 'windows-1251' | 'koi8-r' | 'ibm866' | 'windows-1252';

const WORDS: Readonly<Record<string, Words>> = {
  en: {
    unit: ['Vehicle', 'device', 'unit', 'IMEI', 'Plate', 'vehicle_id', 'Registration'],
    time: ['Time', 'timestamp', 'datetime', 'gps_time', 'Date_Time', 'recorded_at'],
    date: 'Date',
    clock: 'Time',
    server: 'server_time',
    lat: ['lat', 'Latitude', 'LATITUDE', 'y'],
    lon: ['lon', 'Longitude', 'LONGITUDE', 'x'],
    position: 'Coordinates',
    speed: ['Speed', 'velocity', 'SPEED'],
    course: 'heading',
    altitude: 'altitude',
    mileage: 'Odometer',
    address: 'Address',
    kph: ['km/h', 'kph', 'kmh'],
    mps: ['m/s', 'mps'],
    title: 'Report: messages of the fleet',
    total: 'Total',
    places: ['12, Main street', 'Depot "North"', 'A1 junction 4', ''],
    encodings: ['utf-8', 'utf-8-mark', 'utf-16le'],
  },
  ru: {
    unit: ['Объект', 'Гос. номер', 'ТС', 'Машина', 'Госномер', 'Автомобиль'],
    time: ['Время', 'Дата и время', 'Дата/время', 'Время навигации'],
    date: 'Дата',
    clock: 'Время',
    server: 'Время сервера',
    lat: ['Широта', 'широта', 'ШИРОТА'],
    lon: ['Долгота', 'долгота', 'ДОЛГОТА'],
    position: 'Координаты',
    speed: ['Скорость', 'скорость'],
    course: 'Курс',
    altitude: 'Высота',
    mileage: 'Пробег',
    address: 'Адрес',
    kph: ['км/ч', 'км/час'],
    mps: ['м/с'],
    title: 'Отчёт: сообщения объектов за период',
    total: 'Итого',
    places: ['ул. Ленина, 5', 'Склад «Юг»', 'трасса М7', ''],
    encodings: ['utf-8', 'utf-8-mark', 'utf-16le', 'windows-1251', 'koi8-r', 'ibm866'],
  },
  de: {
    unit: ['Kennzeichen', 'Fahrzeug'],
    time: ['Zeit', 'Zeitstempel', 'Datum/Zeit'],
    date: 'Datum',
    clock: 'Uhrzeit',
    server: 'Serverzeit',
    lat: ['Breitengrad', 'Breite'],
    lon: ['Längengrad', 'Länge'],
    position: 'Koordinaten',
    speed: ['Geschwindigkeit'],
    course: 'Richtung',
    altitude: 'Höhe',
    mileage: 'Kilometerstand',
    address: 'Adresse',
    kph: ['km/h'],
    mps: ['m/s'],
    title: 'Fahrtenübersicht der Flotte',
    total: 'Summe',
    places: ['Hauptstraße 3, Köln', 'Lager Süd', ''],
    encodings: ['utf-8', 'utf-8-mark', 'utf-16le', 'windows-1252'],
  },
  es: {
    unit: ['Matrícula', 'Placa', 'Vehículo'],
    time: ['Fecha y hora'],
    date: 'Fecha',
    clock: 'Hora',
    server: 'Hora del servidor',
    lat: ['Latitud'],
    lon: ['Longitud'],
    position: 'Coordenadas',
    speed: ['Velocidad'],
    course: 'Rumbo',
    altitude: 'Altura',
    mileage: 'Kilometraje',
    address: 'Dirección',
    kph: ['km/h'],
    mps: ['m/s'],
    title: 'Informe de vehículos',
    total: 'Total',
    places: ['Calle Mayor, 7', 'Almacén Sur', ''],
    encodings: ['utf-8', 'utf-8-mark', 'utf-16le', 'windows-1252'],
  },
  fr: {
    unit: ['Immatriculation', 'Véhicule'],
    time: ['Horodatage'],
    date: 'Date',
    clock: 'Heure',
    server: 'Heure du serveur',
    lat: ['Latitude'],
    lon: ['Longitude'],
    position: 'Coordonnées',
    speed: ['Vitesse'],
    course: 'Cap',
    altitude: 'Altitude',
    mileage: 'Kilométrage',
    address: 'Adresse',
    kph: ['km/h'],
    mps: ['m/s'],
    title: 'Relevé des véhicules',
    total: 'Total',
    places: ['12, rue de la Gare', 'Dépôt « Sud »', ''],
    encodings: ['utf-8', 'utf-8-mark', 'utf-16le', 'windows-1252'],
  },
};

interface Zone {
  readonly name: string;
  /** Seconds east of UTC at an instant: by rule, not by a library. */
  readonly offset: (time: number) => number;
  /** The instant at which the clocks go back; null: none. */
  readonly doubled: number | null;
  /** The instant at which the clocks go forward, and the seconds that they skip; null: none. */
  readonly skipped: readonly [at: number, seconds: number] | null;
  /** A place there. */
  readonly home: readonly [lat: number, lon: number] | null;
  readonly word: string | null;
}

/** A zone with two changes in 2026, as its law says: the seconds east of UTC before, between and after them. */
function changing(
  name: string,
  home: readonly [number, number],
  first: number,
  second: number,
  [outer, inner]: readonly [number, number],
): Zone {
  const [back, forward] = outer > inner ? [first, second] : [second, first];
  return {
    name,
    offset: (time) => (time >= first && time < second ? inner : outer),
    doubled: back,
    skipped: [forward, Math.abs(inner - outer)],
    home,
    word: null,
  };
}

const HOUR = 3600;

const still = (name: string, seconds: number, word: string): Zone => ({
  name,
  offset: () => seconds,
  doubled: null,
  skipped: null,
  home: null,
  word,
});

const ZONES: readonly Zone[] = [
  still('Europe/Moscow', 3 * HOUR, 'UTC+3'),
  still('Asia/Kolkata', 5.5 * HOUR, 'UTC+05:30'),
  still('America/Bogota', -5 * HOUR, 'UTC-5'),
  still('UTC', 0, 'UTC'),
  changing('Europe/Berlin', [52.5163, 13.3777], Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1), [
    HOUR,
    2 * HOUR,
  ]),
  changing('Europe/London', [51.5072, -0.1276], Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1), [
    0,
    HOUR,
  ]),
  changing('America/New_York', [40.7128, -74.0061], Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 10, 1, 6), [
    -5 * HOUR,
    -4 * HOUR,
  ]),
  // The southern hemisphere.
  changing('Australia/Sydney', [-33.8568, 151.2153], Date.UTC(2026, 3, 4, 16), Date.UTC(2026, 9, 3, 16), [
    11 * HOUR,
    10 * HOUR,
  ]),
  changing(
    'Australia/Adelaide',
    [-34.9285, 138.6007],
    Date.UTC(2026, 3, 4, 16, 30),
    Date.UTC(2026, 9, 3, 16, 30),
    [10.5 * HOUR, 9.5 * HOUR],
  ),
  // Half an hour.
  changing(
    'Australia/Lord_Howe',
    [-31.5553, 159.0821],
    Date.UTC(2026, 3, 4, 15),
    Date.UTC(2026, 9, 3, 15, 30),
    [11 * HOUR, 10.5 * HOUR],
  ),
  // At midnight: the hour before it comes twice, or the first of a day is skipped.
  changing('America/Santiago', [-33.4489, -70.6693], Date.UTC(2026, 3, 5, 3), Date.UTC(2026, 8, 6, 4), [
    -3 * HOUR,
    -4 * HOUR,
  ]),
  changing('America/Havana', [23.1136, -82.3666], Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 10, 1, 5), [
    -5 * HOUR,
    -4 * HOUR,
  ]),
  changing('Africa/Cairo', [30.0444, 31.2357], Date.UTC(2026, 3, 23, 22), Date.UTC(2026, 9, 29, 21), [
    2 * HOUR,
    3 * HOUR,
  ]),
  changing('Asia/Beirut', [33.8938, 35.5018], Date.UTC(2026, 2, 28, 22), Date.UTC(2026, 9, 24, 21), [
    2 * HOUR,
    3 * HOUR,
  ]),
];

const HOMES: readonly (readonly [lat: number, lon: number])[] = [
  [56.3052, 44.0104],
  [40.7128, -74.0061],
  [-33.8568, 151.2153],
  [-23.5505, -46.6333],
  [52.5163, 13.3777],
  [19.0761, 72.8775],
];

type TimeForm =
  | 'iso-z'
  | 'iso-offset'
  | 'iso-space'
  | 'dots'
  | 'dots-short'
  | 'slashes'
  | 'us-12h'
  | 'seconds'
  | 'milliseconds'
  | 'days'
  | 'two-columns';
type PlaceForm = 'degrees' | 'pair' | 'dms' | 'dms-signs' | 'nmea' | 'e7' | 'scaled' | 'wkt';
type SpeedForm = 'none' | 'kph' | 'mps' | 'knots' | 'mph' | 'cell' | 'bare';

const two = (value: number): string => String(value).padStart(2, '0');

/** The table of a seed. Equal seeds give equal bytes. */
export function inventTable(seed: number): InventedTable {
  const random = randomOf(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number): boolean => random() < share;

  const language = pick(Object.keys(WORDS));
  const words = WORDS[language]!;
  const encoding = pick(words.encodings);
  const delimiter = pick([';', ',', '\t', '|']);
  const quotesAll = chance(0.25);
  const decimal = language === 'en' || (delimiter === ',' && !quotesAll) || chance(0.3) ? '.' : ',';
  const zone = pick(ZONES);
  const timeForm = pick<TimeForm>([
    'iso-z',
    'iso-offset',
    'iso-space',
    'dots',
    'dots-short',
    'slashes',
    'us-12h',
    'seconds',
    'milliseconds',
    'days',
    'two-columns',
  ]);
  const placeForm = pick<PlaceForm>([
    'degrees',
    'degrees',
    'pair',
    'dms',
    'dms-signs',
    'nmea',
    'e7',
    'scaled',
    'wkt',
  ]);
  const speedForm = pick<SpeedForm>(['none', 'kph', 'kph', 'mps', 'knots', 'mph', 'cell', 'bare']);
  const unitForm = pick(['column', 'column', 'column', 'file', 'strange']);
  const lineEnd = pick(['\r\n', '\n']);

  // The drive: about a fix a minute, at most 70 km/h.
  const unitCount =
    unitForm === 'file'
      ? 1
      : unitForm === 'strange'
        ? 2 + Math.floor(random() * 2)
        : 1 + Math.floor(random() * 3);

  const isDoubled = zone.doubled !== null && chance(0.4);
  const isSkipped = !isDoubled && zone.skipped !== null && chance(0.4);
  const change = isDoubled ? zone.doubled : isSkipped ? zone.skipped![0] : null;
  const home = change === null ? pick(HOMES) : zone.home!;
  const start =
    change !== null
      ? change - 2 * 3_600_000 + Math.floor(random() * 1800) * 1000
      : Date.UTC(
          2026,
          Math.floor(random() * 12),
          1 + Math.floor(random() * 27),
          Math.floor(random() * 24),
          0,
          Math.floor(random() * 60),
        );
  const step = change !== null ? 600_000 : 60_000;
  const rowsPerUnit = change !== null ? 24 : 6 + Math.floor(random() * 30);
  const units = Array.from({ length: unitCount }, (_, i) =>
    pick([
      `A${100 + 7 * i}BC${52 + i}`,
      `van-${i + 1}`,
      `${350_000_000_000_000 + 1234 * i + Math.floor(random() * 1000)}`,
    ]),
  );
  if (new Set(units).size < unitCount) units.splice(0, unitCount, ...units.map((_, i) => `truck ${i + 1}`));
  const hasMilliseconds = timeForm === 'milliseconds' || (timeForm.startsWith('iso') && chance(0.3));
  const truth: Drawn[] = [];
  for (const [u, unit] of units.entries()) {
    // Far enough apart that the units are not one track, near enough to be one fleet.
    let [lat, lon] = [home[0] + u * 0.35 + random() * 0.1, home[1] + u * 0.35 + random() * 0.1];
    const course = random() * 2 * Math.PI;
    for (let i = 0; i < rowsPerUnit; i++) {
      const kph = i === 0 ? 0 : Math.floor(20 + random() * 50);
      const meters = (kph / 3.6) * 60 * 0.98;
      lat += (Math.cos(course + random() * 0.3) * meters) / 111_320;
      lon += (Math.sin(course + random() * 0.3) * meters) / (111_320 * Math.cos((lat * Math.PI) / 180));
      const time = start + i * step + u * 5000 + (hasMilliseconds ? Math.floor(random() * 900) : 0);
      truth.push({ unit, time, lat: round(lat, 6), lon: round(lon, 6), kph });
    }
  }
  if (chance(0.5)) truth.sort((a, b) => a.time - b.time);
  // Clocks that were not set forward show times that do not exist.
  const isLocalTable = !['iso-z', 'iso-offset', 'seconds', 'milliseconds'].includes(timeForm);
  if (isSkipped && isLocalTable) {
    const [at, seconds] = zone.skipped!;
    const k = truth.findIndex(({ time }) => time >= at);
    const beside = truth[k]!;
    // A minute within the skipped time, as the old clock shows it.
    const wall = at + zone.offset(at - 1) * 1000 + Math.floor(seconds * (0.2 + 0.6 * random())) * 1000;
    truth.splice(k, 0, { ...beside, time: at, wall });
  }

  // What the file leaves open, and what the caller knows.
  const asks: string[] = [];
  const mayAsk: string[] = [];
  const answers: Record<string, unknown> = {};
  const needsZone = !['iso-z', 'iso-offset', 'seconds', 'milliseconds'].includes(timeForm);
  const headerZone =
    needsZone && zone.word !== null && timeForm !== 'two-columns' && chance(0.25) ? zone.word : null;
  const knowsZone = chance(0.6);
  if (needsZone && headerZone === null && !knowsZone) {
    asks.push('time-zone-missing');
    answers['timeZone'] = zone.name;
  }
  const wallOf = ({ time, wall }: Pick<Drawn, 'time' | 'wall'>): Date =>
    new Date(wall ?? time + zone.offset(time) * 1000);
  if (timeForm === 'slashes' || timeForm === 'us-12h') {
    // A day above 12 settles the order; dates such as 5/5 are the same in both.
    const isSettled =
      truth.some((fix) => wallOf(fix).getUTCDate() > 12) ||
      truth.every((fix) => wallOf(fix).getUTCDate() === wallOf(fix).getUTCMonth() + 1);
    // A change from one day to the next settles the order too, by the months that lie between; AM and PM may count as a sign of month first.
    if (!isSettled) (timeForm === 'us-12h' ? mayAsk : asks).push('date-order-unknown');
    answers['dateOrder'] = timeForm === 'us-12h' ? 'mdy' : 'dmy';
    if (
      timeForm === 'slashes' &&
      !isSettled &&
      new Set(truth.map((fix) => wallOf(fix).getUTCDate())).size > 1
    ) {
      asks.pop();
      mayAsk.push('date-order-unknown');
    }
  }
  if (speedForm === 'bare') {
    asks.push('speed-unit');
    answers['speedUnit'] = 'kph';
  }
  if (placeForm === 'scaled') {
    asks.push('coordinate-form-unknown');
    answers['coordinates'] = '1e-6';
  }
  if (unitForm === 'strange') {
    asks.push('unit-column-unknown');
    answers['columns'] = [{ name: 'Zorblax', role: 'unit' }];
  }

  // Columns.
  const header: string[] = [];
  const unitsLine: string[] = [];
  const writers: ((fix: Drawn) => string)[] = [];
  const add = (name: string, write: (fix: Drawn) => string, unit = ''): void => {
    header.push(name);
    unitsLine.push(unit);
    writers.push(write);
  };
  const groups: (() => void)[] = [];
  const mark = (text: string): string => (decimal === ',' ? text.replace('.', ',') : text);
  if (unitForm !== 'file')
    groups.push(() => add(unitForm === 'strange' ? 'Zorblax' : pick(words.unit), ({ unit }) => unit));
  const hasUnitsLine = chance(0.1);
  groups.push(() => addTimes());
  groups.push(() => addPlaces());
  groups.push(() => addSpeed());
  if (chance(0.3)) groups.push(() => add(words.course, () => mark(String(round(random() * 359, 1)))));
  if (chance(0.3))
    groups.push(() =>
      add(`${words.altitude}, ${language === 'ru' ? 'м' : 'm'}`, () =>
        String(100 + Math.floor(random() * 80)),
      ),
    );
  if (chance(0.3)) {
    const thousands = pick(['', ' ', '\u00A0']);
    let total = 12_345;
    groups.push(() =>
      add(`${words.mileage}, ${language === 'ru' ? 'км' : 'km'}`, () => {
        total += 1;
        const text = String(total);
        return `${text.slice(0, -3)}${thousands}${text.slice(-3)}${mark('.6')}`;
      }),
    );
  }
  if (chance(0.3)) groups.push(() => add(words.address, () => pick(words.places)));
  for (let i = groups.length - 1; i > 0; i--) {
    const k = Math.floor(random() * (i + 1));
    [groups[i], groups[k]] = [groups[k]!, groups[i]!];
  }
  for (const group of groups) group();

  function addTimes(): void {
    const name = headerZone === null ? pick(words.time) : `${pick(words.time)} (${headerZone})`;
    const sub = (time: number): string =>
      hasMilliseconds ? `.${String(((time % 1000) + 1000) % 1000).padStart(3, '0')}` : '';
    const day = (d: Date, separator: string): string =>
      [two(d.getUTCDate()), two(d.getUTCMonth() + 1), d.getUTCFullYear()].join(separator);
    const clock = (d: Date): string =>
      `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}:${two(d.getUTCSeconds())}`;
    const isoDay = (d: Date): string => d.toISOString().slice(0, 10);
    const hasServer = chance(0.15) && timeForm !== 'two-columns';
    const text = (fix: Pick<Drawn, 'time' | 'wall'>): string => {
      const { time } = fix;
      const wall = wallOf(fix);
      const utc = new Date(time);
      switch (timeForm) {
        case 'iso-z':
          return `${isoDay(utc)}T${clock(utc)}${sub(time)}Z`;
        case 'iso-offset': {
          const minutes = zone.offset(time) / 60;
          const size = Math.abs(minutes);
          return `${isoDay(wall)}T${clock(wall)}${sub(time)}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        }
        case 'iso-space':
          return `${isoDay(wall)} ${clock(wall)}${sub(time)}`;
        case 'dots':
          return `${day(wall, '.')} ${clock(wall)}`;
        case 'dots-short':
          return `${two(wall.getUTCDate())}.${two(wall.getUTCMonth() + 1)}.26 ${clock(wall)}`;
        case 'slashes':
          return `${day(wall, '/')} ${clock(wall)}`;
        case 'us-12h': {
          const hour = wall.getUTCHours();
          const twelve = `${hour % 12 === 0 ? 12 : hour % 12}:${two(wall.getUTCMinutes())}:${two(wall.getUTCSeconds())}`;
          return `${wall.getUTCMonth() + 1}/${wall.getUTCDate()}/${wall.getUTCFullYear()} ${twelve} ${hour < 12 ? 'AM' : 'PM'}`;
        }
        case 'seconds':
          return String(time / 1000);
        case 'milliseconds':
          return String(time);
        case 'days':
          return mark((wall.getTime() / 86_400_000 + 25_569).toFixed(7));
        default:
          return '';
      }
    };
    if (timeForm === 'two-columns') {
      const isIso = chance(0.3);
      add(words.date, (fix) => (isIso ? isoDay(wallOf(fix)) : day(wallOf(fix), '.')));
      add(words.clock, (fix) => clock(wallOf(fix)));
      return;
    }
    const later = ({ time, wall }: Drawn): string =>
      text({ time: time + 7000, ...(wall === undefined ? {} : { wall: wall + 7000 }) });
    if (hasServer && chance(0.5)) add(words.server, later);
    add(name, (fix) => text(fix));
    if (hasServer && header.at(-2) !== words.server) add(words.server, later);
  }

  function addPlaces(): void {
    const latName = pick(words.lat);
    const lonName = words.lon[words.lat.indexOf(latName)]!;
    const isLonFirst = chance(0.3);
    const both = (
      lat: [string, (fix: InventedFix) => string],
      lon: [string, (fix: InventedFix) => string],
    ): void => {
      for (const [name, write] of isLonFirst ? [lon, lat] : [lat, lon]) add(name, write, '°');
    };
    switch (placeForm) {
      case 'degrees':
        both([latName, ({ lat }) => mark(lat.toFixed(6))], [lonName, ({ lon }) => mark(lon.toFixed(6))]);
        break;
      case 'pair':
        add(words.position, ({ lat, lon }) => `${lat.toFixed(6)}, ${lon.toFixed(6)}`);
        break;
      case 'dms':
      case 'dms-signs': {
        const letters = (value: number, positive: string, negative: string): string => {
          const size = Math.abs(value);
          const tenths = Math.round(size * 36_000);
          const degrees = Math.floor(tenths / 36_000);
          const minutes = Math.floor((tenths % 36_000) / 600);
          const seconds = ((tenths % 600) / 10).toFixed(1);
          const text = `${degrees}°${two(minutes)}′${mark(seconds.padStart(4, '0'))}″`;
          return placeForm === 'dms'
            ? `${text}${value < 0 ? negative : positive}`
            : `${value < 0 ? '-' : ''}${text}`;
        };
        const isRussian = language === 'ru';
        both(
          [latName, ({ lat }) => letters(lat, isRussian ? 'с.ш.' : 'N', isRussian ? 'ю.ш.' : 'S')],
          [lonName, ({ lon }) => letters(lon, isRussian ? 'в.д.' : 'E', isRussian ? 'з.д.' : 'W')],
        );
        break;
      }
      case 'nmea': {
        const minutes = (value: number, digits: number): string => {
          const size = Math.round(Math.abs(value) * 6_000_000);
          const degrees = Math.floor(size / 6_000_000);
          const rest = ((size % 6_000_000) / 100_000).toFixed(5).padStart(8, '0');
          return mark(`${String(degrees).padStart(digits, '0')}${rest}`);
        };
        add(latName, ({ lat }) => minutes(lat, 2));
        add('N/S', ({ lat }) => (lat < 0 ? 'S' : 'N'));
        add(lonName, ({ lon }) => minutes(lon, 3));
        add('E/W', ({ lon }) => (lon < 0 ? 'W' : 'E'));
        break;
      }
      case 'e7':
        both(
          ['latitude_e7', ({ lat }) => String(Math.round(lat * 1e7))],
          ['longitude_e7', ({ lon }) => String(Math.round(lon * 1e7))],
        );
        break;
      case 'scaled':
        both(
          [latName, ({ lat }) => String(Math.round(lat * 1e6))],
          [lonName, ({ lon }) => String(Math.round(lon * 1e6))],
        );
        break;
      default:
        add('WKT', ({ lat, lon }) => `POINT (${lon.toFixed(6)} ${lat.toFixed(6)})`);
    }
  }

  function addSpeed(): void {
    if (speedForm === 'none') return;
    const name = pick(words.speed);
    const inHeader = (unit: string): string =>
      hasUnitsLine ? name : chance(0.5) ? `${name}, ${unit}` : `${name} (${unit})`;
    const kph = (fix: InventedFix): number => fix.kph ?? 0;
    switch (speedForm) {
      case 'kph': {
        const unit = pick(words.kph);
        add(inHeader(unit), (fix) => String(kph(fix)), unit);
        break;
      }
      case 'mps': {
        const unit = pick(words.mps);
        add(inHeader(unit), (fix) => mark((kph(fix) / 3.6).toFixed(2)), unit);
        break;
      }
      case 'knots':
        add(inHeader('knots'), (fix) => mark((kph(fix) / 1.852).toFixed(2)), 'knots');
        break;
      case 'mph':
        add(inHeader('mph'), (fix) => mark((kph(fix) / 1.609344).toFixed(2)), 'mph');
        break;
      case 'cell':
        add(name, (fix) => `${kph(fix)} ${words.kph[0]}`, words.kph[0]);
        break;
      default:
        add(name, (fix) => String(kph(fix)));
    }
  }

  // The text.
  const quote = (cell: string): string =>
    quotesAll || cell.includes(delimiter) || cell.includes('"') || /[\r\n]/.test(cell)
      ? `"${cell.replaceAll('"', '""')}"`
      : cell;
  const line = (cells: readonly string[]): string =>
    cells.map((cell) => quote(inPage(cell, encoding))).join(delimiter);
  const lines: string[] = [];
  if (chance(0.2)) lines.push(words.title, ...(chance(0.5) ? [''] : []));
  const isUnitsLine = hasUnitsLine && speedForm !== 'bare';
  if (!isUnitsLine && hasUnitsLine) mayAsk.push('speed-unit');
  lines.push(line(header));
  if (isUnitsLine) lines.push(line(unitsLine));
  for (const fix of truth) lines.push(line(writers.map((write) => write(fix))));
  if (chance(0.2)) lines.push(line([words.total, ...header.slice(1).map(() => '')]));
  const text = lines.join(lineEnd) + (chance(0.9) ? lineEnd : '');
  if (!encoding.startsWith('utf')) {
    // Few letters beyond ASCII show no encoding.
    const letters = text.match(/[\p{Script=Cyrillic}\u00c0-\u00ff]/gu) ?? [];
    if (letters.length < 8) mayAsk.push('encoding-unknown', 'columns-unknown');
    answers['encoding'] = encoding;
  }
  const hasSpeed = speedForm !== 'none';
  return {
    bytes: encode(text, encoding),
    fixes: truth
      .filter(({ wall }) => wall === undefined)
      .map((fix) => ({
        ...fix,
        unit: unitForm === 'file' ? 'the-file' : fix.unit,
        kph: hasSpeed ? fix.kph : null,
      })),
    skipped: truth.filter(({ wall }) => wall !== undefined).length,
    hints: { fileName: 'the-file.csv', ...(knowsZone ? { timeZone: zone.name } : {}) },
    asks,
    mayAsk,
    answers,
    dialect: [
      seed,
      language,
      encoding,
      JSON.stringify(delimiter),
      decimal,
      zone.name,
      timeForm,
      placeForm,
      speedForm,
      unitForm,
      isDoubled ? 'doubled' : isSkipped ? 'skipped' : '',
      quotesAll ? 'quotes' : '',
      hasUnitsLine ? 'units line' : '',
    ].join(' '),
    degrees: placeForm.startsWith('dms') ? 1.5e-5 : 1e-6,
    milliseconds: timeForm === 'days' ? 5 : 0,
    kph: speedForm === 'mps' || speedForm === 'knots' || speedForm === 'mph' ? 0.02 : 0.001,
  };
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals;
}

const TABLES = new Map<string, ReadonlyMap<string, number>>();

/** Bytes by inverting the platform's decoder. */
function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding === 'utf-8-mark') return new TextEncoder().encode(`\uFEFF${text}`);
  if (encoding === 'utf-16le') return new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));
  let table = TABLES.get(encoding);
  if (table === undefined) {
    const decoder = new TextDecoder(encoding);
    const made = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) made.set(decoder.decode(Uint8Array.of(byte)), byte);
    table = made;
    TABLES.set(encoding, made);
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const byte = table.get(text[i]!);
    if (byte === undefined) throw new Error(`expected a character of ${encoding}, received ${text[i]}`);
    bytes[i] = byte;
  }
  return bytes;
}

/** The marks that a code page lacks, as programs write them. */
const PLAIN: Readonly<Record<string, string>> = { '′': "'", '″': '"', '«': '"', '»': '"', '\u00A0': ' ' };

function inPage(cell: string, encoding: Encoding): string {
  if (encoding.startsWith('utf')) return cell;
  encode('', encoding);
  return cell.replace(/[′″«»\u00A0]/g, (mark) => (TABLES.get(encoding)!.has(mark) ? mark : PLAIN[mark]!));
}
