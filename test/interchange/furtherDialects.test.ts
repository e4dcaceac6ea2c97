import { describe, expect, test } from 'vitest';
import { describeTable, fromCsv, fromPlan } from '../../src/interchange/index.js';

/**
 * Exports of programs and countries that are not among the shared files: each is read as it was meant, or asked about. The drive is written by the rows
 * below, not by a writer of ours.
 */

interface Fix {
  readonly unit: string;
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly kph: number;
}

/** A minute a row, at the speed that is written. */
function drive(unit: string, lat0: number, lon0: number, seconds: number): Fix[] {
  let [lat, lon] = [lat0, lon0];
  return [0, 34, 41, 52, 38, 60, 12, 25].map((kph, i) => {
    const fix = {
      unit,
      time: Date.UTC(2026, 0, 15, 5, i, seconds),
      lat: Number(lat.toFixed(6)),
      lon: Number(lon.toFixed(6)),
      kph,
    };
    const meters = (kph / 3.6) * 60;
    lat += (meters / 111_320) * 0.8;
    lon += (meters / (111_320 * Math.cos((lat * Math.PI) / 180))) * 0.6;
    return fix;
  });
}

const FLEET = [...drive('A1', 56.305221, 44.010433, 7), ...drive('B2', 56.941907, 45.052118, 14)].sort(
  (a, b) => a.time - b.time,
);
const WEST = drive('U7', 40.712812, -74.006112, 7);
const ONE = drive('A1', 56.305221, 44.010433, 7).map((fix) => ({ ...fix, unit: 'file' }));

const two = (value: number): string => String(value).padStart(2, '0');
const iso = ({ time }: Fix): string => new Date(time).toISOString();
/** The clock so many hours east of UTC. */
const wall = ({ time }: Fix, hours: number): Date => new Date(time + hours * 3_600_000);
const ymd = (date: Date, mark = '-'): string => date.toISOString().slice(0, 10).replaceAll('-', mark);
const dmy = (date: Date, mark = '.'): string => ymd(date).split('-').reverse().join(mark);
const clock = (date: Date): string => date.toISOString().slice(11, 19);
const twelve = (date: Date): string =>
  `${date.getUTCHours() % 12 || 12}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
const comma = (value: number | string): string => String(value).replace('.', ',');
const MOSCOW = { timeZone: 'Europe/Moscow' };

interface Export {
  readonly header: string;
  readonly row: (fix: Fix) => readonly (string | number)[];
  readonly fixes?: readonly Fix[];
  readonly mark?: string;
  readonly encoding?: string;
  readonly hints?: Readonly<Record<string, unknown>>;
  /** Speeds are in the file. Default true. */
  readonly speeds?: boolean;
  /** km/h to which speeds are written. */
  readonly kph?: number;
  /** Questions that the file leaves open; then nothing is read. */
  readonly asks?: readonly string[];
}

const mph = ({ kph }: Fix): string => (kph / 1.609344).toFixed(3);
const knots = ({ kph }: Fix): string => (kph / 1.852).toFixed(3);
const metersPerSecond = ({ kph }: Fix): string => (kph / 3.6).toFixed(3);
const semicircles = (degrees: number): number => Math.round((degrees / 180) * 2 ** 31);

/** `N 56° 18.3133'`. */
const minutes = (value: number, letter: string): string =>
  `${letter} ${Math.floor(value)}° ${((value % 1) * 60).toFixed(4)}'`;

const EXPORTS: Readonly<Record<string, Export>> = {
  'Teltonika, records': {
    header: 'IMEI,Timestamp,Priority,Longitude,Latitude,Altitude,Angle,Satellites,Speed,EventIO',
    row: (f) => [
      f.unit,
      f.time,
      0,
      Math.round(f.lon * 1e7),
      Math.round(f.lat * 1e7),
      120,
      90,
      11,
      f.kph,
      239,
    ],
    asks: ['coordinate-form-unknown', 'speed-unit'],
  },
  'Queclink, CSV': {
    header: 'IMEI,GPS UTC Time,Latitude,Longitude,Speed(km/h),Azimuth,Altitude(m),Mileage(km)',
    row: (f) => [f.unit, iso(f).replace(/[-:T]/g, '').slice(0, 14), f.lat, f.lon, f.kph, 90, 120, 12.5],
  },
  'Queclink, lines of the protocol': {
    header: '+RESP:GTFRI,060228,862170010196747,,,10,1,1,0.0,0,139.8,121.354335,31.222073,20260115050000',
    row: (f) => [
      '+RESP:GTFRI,060228',
      f.unit,
      '',
      '',
      10,
      1,
      1,
      f.kph,
      0,
      139.8,
      f.lon,
      f.lat,
      20260115050000,
    ],
    asks: ['columns-unknown'],
  },
  Ruptela: {
    header: 'IMEI;Date Time;Longitude;Latitude;Altitude;Angle;Satellites;Speed;HDOP',
    row: (f) => [
      f.unit,
      `${ymd(wall(f, 0), '.')} ${clock(wall(f, 0))}`,
      f.lon,
      f.lat,
      120,
      90,
      11,
      f.kph,
      0.8,
    ],
    mark: ';',
    hints: { timeZone: 'UTC', speedUnit: 'kph' },
  },
  flespi: {
    header:
      'timestamp,ident,position.latitude,position.longitude,position.speed,position.direction,position.valid',
    row: (f) => [f.time / 1000, f.unit, f.lat, f.lon, f.kph, 90, 'true'],
  },
  'Gurtam, pairs with a colon': {
    header: 'Объект;Время;Координаты;Скорость',
    row: (f) => [f.unit, `${ymd(wall(f, 3))}_${clock(wall(f, 3))}`, `${f.lat} : ${f.lon}`, `${f.kph} км/ч`],
    mark: ';',
    hints: MOSCOW,
  },
  'Gurtam, degrees and minutes in one cell': {
    header: 'Объект;Время;Координаты;Скорость',
    row: (f) => [
      f.unit,
      `${ymd(wall(f, 3))} ${clock(wall(f, 3))}`,
      `${minutes(f.lat, 'N')} : ${minutes(f.lon, 'E')}`,
      `${f.kph} км/ч`,
    ],
    mark: ';',
    hints: MOSCOW,
  },
  Samsara: {
    header: 'Vehicle Name,Time,Latitude,Longitude,Speed (mph),Location',
    row: (f) => [
      f.unit,
      `"Jan ${wall(f, 0).getUTCDate()}, 2026 ${twelve(wall(f, 0))} AM"`,
      f.lat,
      f.lon,
      mph(f),
      '"12 Main St, Austin"',
    ],
    hints: { timeZone: 'UTC' },
    kph: 0.002,
  },
  'Garmin, FIT as CSV': {
    header:
      'timestamp [s],position_lat [semicircles],position_long [semicircles],distance [m],enhanced_speed [m/s]',
    row: (f) => [
      f.time / 1000 - 631_065_600,
      semicircles(f.lat),
      semicircles(f.lon),
      12.5,
      metersPerSecond(f),
    ],
    fixes: ONE,
    kph: 0.002,
  },
  Movebank: {
    header:
      'event-id,visible,timestamp,location-long,location-lat,ground-speed,heading,individual-local-identifier',
    row: (f) => [
      1,
      'true',
      `${ymd(wall(f, 0))} ${clock(wall(f, 0))}.000`,
      f.lon,
      f.lat,
      metersPerSecond(f),
      90,
      f.unit,
    ],
    kph: 0.002,
  },
  'AIS, United States': {
    header: 'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName',
    row: (f) => [f.unit, iso(f).slice(0, 19), f.lat, f.lon, knots(f), 90.5, 511, 'ANNA'],
    kph: 0.002,
  },
  'AIS, Denmark': {
    header: '# Timestamp,Type of mobile,MMSI,Latitude,Longitude,SOG,COG,Name',
    row: (f) => [
      `${dmy(wall(f, 0), '/')} ${clock(wall(f, 0))}`,
      'Class A',
      f.unit,
      f.lat,
      f.lon,
      knots(f),
      90.5,
      'ANNA',
    ],
    kph: 0.002,
  },
  'German, a unit for a header': {
    header: 'Kennzeichen;Datum;Uhrzeit;Breite;Länge;km/h',
    row: (f) => [f.unit, dmy(wall(f, 1)), clock(wall(f, 1)), comma(f.lat), comma(f.lon), f.kph],
    mark: ';',
    encoding: 'windows-1252',
    hints: { timeZone: 'Europe/Berlin' },
  },
  'German, an abbreviation': {
    header: 'Fahrzeug;Zeitpunkt;Breitengrad;Längengrad;Geschw. [km/h]',
    row: (f) => [
      f.unit,
      `${dmy(wall(f, 1))} ${clock(wall(f, 1)).replaceAll(':', '.')}`,
      comma(f.lat),
      comma(f.lon),
      f.kph,
    ],
    mark: ';',
    encoding: 'windows-1252',
    hints: { timeZone: 'Europe/Berlin' },
  },
  'Spanish, a. m.': {
    header: 'Matrícula;Fecha;Hora;Latitud;Longitud;Velocidad (km/h)',
    row: (f) => [
      f.unit,
      dmy(wall(f, 1), '/'),
      `${twelve(wall(f, 1))} a. m.`,
      comma(f.lat),
      comma(f.lon),
      f.kph,
    ],
    mark: ';',
    encoding: 'windows-1252',
    hints: { timeZone: 'Europe/Madrid' },
  },
  Turkish: {
    header: 'Plaka;Tarih;Saat;Enlem;Boylam;Hız (km/sa);Sürücü;Başlangıç',
    row: (f) => [
      f.unit,
      dmy(wall(f, 3)),
      clock(wall(f, 3)),
      comma(f.lat),
      comma(f.lon),
      f.kph,
      'Işık',
      'İzmir, Çeşme, Ağrı',
    ],
    mark: ';',
    encoding: 'windows-1254',
    hints: { timeZone: 'Europe/Istanbul' },
  },
  Polish: {
    header: 'Nr rejestracyjny;Data i czas;Szerokość;Długość;Prędkość [km/h]',
    row: (f) => [f.unit, `${ymd(wall(f, 1))} ${clock(wall(f, 1))}`, comma(f.lat), comma(f.lon), f.kph],
    mark: ';',
    encoding: 'windows-1250',
    hints: { timeZone: 'Europe/Warsaw' },
  },
  Dutch: {
    header: 'Kenteken;Tijdstip;Breedtegraad;Lengtegraad;Snelheid (km/u)',
    row: (f) => [f.unit, iso(f), f.lat, f.lon, f.kph],
    mark: ';',
  },
  'words with their source': {
    header: 'vehicle_registration_number,event_timestamp,location_lat,location_lng,speed_in_kmh',
    row: (f) => [f.unit, iso(f), f.lat, f.lon, f.kph],
  },
  'two lines of header': {
    header: 'Vehicle,GPS,GPS,GPS,Motion\n,Time,Lat,Lon,Speed (km/h)',
    row: (f) => [f.unit, iso(f), f.lat, f.lon, f.kph],
  },
  'two lines of header, with groups above': {
    header: 'ТС;Время;Положение;;Движение\n;;Широта;Долгота;Скорость, км/ч',
    row: (f) => [f.unit, iso(f), f.lat, f.lon, f.kph],
    mark: ';',
  },
  'sides in columns of their own': {
    header: 'Unit;Time;Latitude;A;Longitude;B;Speed km/h',
    row: (f) => [f.unit, iso(f), Math.abs(f.lat), 'N', Math.abs(f.lon), 'W', f.kph],
    mark: ';',
    fixes: WEST,
  },
  'as JavaScript prints times': {
    header: 'unit;time;lat;lon;speed_kph',
    row: (f) => {
      const date = wall(f, 3);
      return [
        f.unit,
        `Thu Jan ${two(date.getUTCDate())} 2026 ${clock(date)} GMT+0300 (Moscow Standard Time)`,
        f.lat,
        f.lon,
        f.kph,
      ];
    },
    mark: ';',
  },
  'the zone in brackets': {
    header: 'unit;time;lat;lon;speed_kph',
    row: (f) => [f.unit, `${iso(f).slice(0, 19)}+00:00[Europe/London]`, f.lat, f.lon, f.kph],
    mark: ';',
  },
  nanoseconds: {
    header: 'unit,ts,lat,lon,speed_kph',
    row: (f) => [f.unit, `${f.time}000000`, f.lat, f.lon, f.kph],
  },
  '.NET': {
    header: 'unit,time,lat,lon,speed_kph',
    row: (f) => [f.unit, `/Date(${f.time})/`, f.lat, f.lon, f.kph],
  },
  'years of two digits': {
    header: 'unit;time;lat;lon;speed_kph',
    row: (f) => [f.unit, `26-01-15 ${clock(wall(f, 3))}`, f.lat, f.lon, f.kph],
    mark: ';',
    hints: MOSCOW,
    asks: ['date-order-unknown'],
  },
  'years of two digits, answered': {
    header: 'unit;time;lat;lon;speed_kph',
    row: (f) => [f.unit, `26-01-15 ${clock(wall(f, 3))}`, f.lat, f.lon, f.kph],
    mark: ';',
    hints: { ...MOSCOW, dateOrder: 'ymd' },
  },
  'times that Excel rounded': {
    header: 'unit;time;lat;lon;speed_kph',
    row: (f) => [f.unit, '1.76845E+12', f.lat, f.lon, f.kph],
    mark: ';',
    asks: ['digits-lost'],
  },
  'units that Excel rounded': {
    header: 'IMEI;time;lat;lon;speed_kph',
    row: (f) => ['3,52094E+14', iso(f), comma(f.lat), comma(f.lon), f.kph],
    mark: ';',
    asks: ['digits-lost'],
  },
  'units that Excel rounded, in a plain table': {
    header: 'imei,time,lat,lon,speed_kph',
    row: (f) => ['3.52094E+14', iso(f), f.lat, f.lon, f.kph],
    asks: ['digits-lost'],
  },
  'other speeds than that of the vehicle': {
    header: 'unit,time,lat,lon,Speed limit km/h,Wind speed (m/s),Max speed (km/h)',
    row: (f) => [f.unit, iso(f), f.lat, f.lon, 60, 4, 99],
    speeds: false,
  },
  'arrivals and departures': {
    header: 'Vehicle,Arrival,Departure,Latitude,Longitude',
    row: (f) => [f.unit, iso(f).slice(0, 19).replace('T', ' '), `${ymd(wall(f, 1))} 23:59:59`, f.lat, f.lon],
    hints: { timeZone: 'UTC' },
    asks: ['columns-unknown'],
  },
};

function encoded(text: string, label: string): Uint8Array {
  if (label === 'utf-8') return new TextEncoder().encode(text);
  const decoder = new TextDecoder(label);
  const bytes = new Map(Array.from({ length: 256 }, (_, i) => [decoder.decode(Uint8Array.of(i)), i]));
  return Uint8Array.from(text, (letter) => bytes.get(letter)!);
}

describe('exports of programs and countries', () => {
  test.each(Object.entries(EXPORTS))(
    '%s',
    (_, { header, row, fixes = FLEET, mark = ',', encoding = 'utf-8', ...rest }) => {
      const { hints = {}, speeds = true, kph = 1e-9, asks = [] } = rest;
      const text = [header, ...fixes.map((fix) => row(fix).join(mark)), ''].join('\r\n');
      const bytes = encoded(text, encoding);
      const table = { fileName: 'file.csv', ...hints };
      const { questions } = describeTable(bytes, table);
      expect(questions.map(({ code }) => code)).toEqual(asks);
      const { value, issues } = fromCsv(bytes, { table });
      const found = value.tracks
        .flatMap(({ unitId, fixes: own }) => own.map((fix) => ({ ...fix, unitId })))
        .sort((a, b) => a.time - b.time);
      if (asks.length > 0) {
        expect(found).toEqual([]);
        expect(issues.some(({ severity }) => severity === 'error')).toBe(true);
        return;
      }
      expect(found.map(({ unitId, time }) => [unitId, time])).toEqual(
        fixes.map(({ unit, time }) => [unit, time]),
      );
      for (const [i, fix] of found.entries()) {
        const truth = fixes[i]!;
        expect(Math.abs(fix.lat - truth.lat)).toBeLessThan(2e-6);
        expect(Math.abs(fix.lon - truth.lon)).toBeLessThan(2e-6);
        expect(fix.speedKph === undefined).toBe(!speeds);
        if (speeds) expect(Math.abs(fix.speedKph! - truth.kph)).toBeLessThanOrEqual(kph);
      }
    },
  );
});

describe('a table given for another', () => {
  const tracks = `unit,time,lat,lon,speed_kph\n${FLEET.map((f) => [f.unit, iso(f), f.lat, f.lon, f.kph].join()).join('\n')}\n`;
  const zones = 'name,lat,lon,radius_m\nDepot,55.7,37.6,200\nYard,55.71,37.61,100\n';

  test('fixes that the caller takes for zones, and zones for fixes, are asked about', () => {
    for (const [text, as] of [
      [tracks, 'zones'],
      [zones, 'fixes'],
      ['id,wkt\na,POINT(37.6 55.7)\n', 'fixes'],
    ] as const) {
      const { value, issues } = fromCsv(text, { as });
      expect([as, value.zones.length, value.tracks.length]).toEqual([as, 0, 0]);
      expect(issues).toMatchObject([{ code: 'table-kind', severity: 'error' }]);
    }
    expect(fromCsv(tracks).value.tracks).toHaveLength(2);
    expect(fromCsv(zones, { as: 'zones' }).value.zones).toHaveLength(2);
  });

  test('zones with the time at which they were made are zones', () => {
    const text =
      'id,name,lat,lon,radius_m,timestamp\n1,A,55.7,37.6,100,2026-01-01T00:00:00Z\n2,B,55.8,37.6,50,2026-01-02T00:00:00Z\n';
    const { value } = fromCsv(text);
    expect(value.tracks).toEqual([]);
    expect(value.zones).toMatchObject([
      { id: '1', name: 'A', type: { key: 'circle' }, width: 100 },
      { id: '2', name: 'B', type: { key: 'circle' }, width: 50 },
    ]);
  });
});

describe('tables of loggers', () => {
  const read = (text: string, hints: object = {}): ReturnType<typeof fromCsv> =>
    fromCsv(text, { table: hints });

  test('of Garmin’s cockpits are fixes at local times, not places', () => {
    const rows = [22, 23].map(
      (second) => `2014-03-29, 22:50:${second},  +00:00,   40.2171326, -111.7177124,  4517.8`,
    );
    const text = `#airframe_info, log_version="1.00"\n  Lcl Date, Lcl Time, UTCOfst,     Latitude,    Longitude,    AltB\n${rows.join('\n')}\n`;
    expect(read(text).issues.map(({ code }) => code)).toContain('time-zone-missing');
    expect(read(text, { timeZone: 'UTC' }).value).toMatchObject({
      zones: [],
      tracks: [{ fixes: [{ time: Date.UTC(2014, 2, 29, 22, 50, 22), lat: 40.2171326 }, {}] }],
    });
  });

  const columbus = (date: string, time: string): string =>
    `INDEX,TAG,${date},LATITUDE N/S,LONGITUDE E/W,HEIGHT\n1,T,${time},31.765973N,035.206901W,827\n2,T,${time},31.765973N,035.206901W,827\n`;

  test('of Columbus: the side stands behind the degrees', () => {
    const { tracks } = read(columbus('DATETIME', '2024-06-15T10:30:00Z')).value;
    expect(tracks[0]?.fixes[0]).toMatchObject({ lat: 31.765973, lon: -35.206901 });
  });

  test.each(['063510', '045000'])('a time %s of six digits is not a number of days', (time) => {
    const { value, issues } = read(columbus('DATE,TIME', `090404,${time}`), { timeZone: 'UTC' });
    expect(value.tracks).toEqual([]);
    expect(issues.map(({ code }) => code)).toContain('date-order-unknown');
    const hints = { timeZone: 'UTC', dateOrder: 'ymd' };
    const [hour, minute] = [Number(time.slice(0, 2)), Number(time.slice(2, 4))];
    const at = Date.UTC(2009, 3, 4, hour, minute, Number(time.slice(4)));
    expect(read(columbus('DATE,TIME', `090404,${time}`), hints).value.tracks[0]?.fixes[0]?.time).toBe(at);
  });

  test('speeds in centimetres, decimetres and feet per second', () => {
    const kph = ['speed_cm_s', 'Speed (cm/s)', 'speed [dm/s]', 'Speed (ft/s)', 'Скорость, см/с'].map(
      (name) =>
        fromCsv(`unit,time,lat,lon,"${name}"\nA,2026-01-15T00:00:00Z,55,37,100\n`).value.tracks[0]?.fixes[0]
          ?.speedKph,
    );
    expect(kph.map((value) => Math.round((value ?? 0) * 1e4) / 1e4)).toEqual([3.6, 3.6, 36, 109.728, 3.6]);
  });

  test('of OwnTracks: seconds, km/h, and an accuracy that is no ignition', () => {
    const record = {
      _type: 'location',
      tst: 1_440_395_361,
      acc: 30,
      lat: 52,
      lon: 10,
      vel: 36,
      cog: 90,
      tid: 'NE',
    };
    const { tracks } = read(JSON.stringify([record, { ...record, tst: record.tst + 10 }])).value;
    expect(tracks).toMatchObject([
      {
        unitId: 'NE',
        fixes: [{ time: 1_440_395_361_000, speedKph: 36, accuracyMeters: 30, courseDegrees: 90 }, {}],
      },
    ]);
    expect(tracks[0]?.fixes[0]).not.toHaveProperty('ignition');
  });

  test('NMEA: what has no date and what is void is counted, and a log of void sentences says so', () => {
    const gga = '$GPGGA,093156.000,5333.4037,N,00951.9344,E,1,06,1.7,47.5,M,46.0,M,,0000';
    const rmc = '$GPRMC,093156.500,A,5333.4037,N,00951.9345,E,0.20,171.41,170807,,,A';
    const { value, issues } = read(`${gga}\n${rmc}\n`);
    expect(value.tracks[0]?.fixes).toHaveLength(1);
    expect(issues.map(({ message }) => message).join()).toContain('1 line is left out: no date');
    expect(read(rmc.replace(',A,', ',V,')).issues.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining('received none')]) as string[],
    );
  });

  test('of Google’s timeline without paths says what is left out', () => {
    const [startTime, endTime] = ['2025-08-04T12:00:00Z', '2025-08-04T12:30:00Z'];
    const visit = { startTime, endTime, visit: { topCandidate: { placeLocation: 'geo:50.4,30.5' } } };
    const move = { startTime, endTime, activity: { start: 'geo:50.4,30.5', end: 'geo:50.5,30.5' } };
    const text = read(JSON.stringify([visit, move, move]))
      .issues.map(({ message }) => message)
      .join();
    expect(text).toContain('1 visit of a place is not read; 2 activities without a path are not read');
    expect(text).toContain('received none');
  });
});

describe('a plan', () => {
  const zones = [{ id: 'd', name: 'База', type: { key: 'point' as const }, geometry: [[44, 56] as const] }];
  const plan = (arrival: string): string =>
    `Маршрут;Дата;Гос. номер;№ п/п;Точка;${arrival};Примечание\nУтро;15.01.2026;А1;1;База;08:00;ворота\n`;

  test('the planned arrival has the words of dispatchers, and columns that are not read are named', () => {
    const { trips, issues } = fromPlan(plan('План прибытия'), { zones });
    expect(trips[0]!.points[0]!.arrival).toMatchObject({ time: '08:00' });
    expect(issues).toMatchObject([{ code: 'csv-columns', severity: 'warning' }]);
    expect(issues[0]!.message).toContain('"Примечание"');
  });

  test('seconds, which plans do not have, are said', () => {
    const text = plan('План прибытия').replace('08:00', '08:00:45');
    const { trips, issues } = fromPlan(text, { zones });
    expect(trips[0]!.points[0]!.arrival).toMatchObject({ time: '08:00' });
    expect(issues.map(({ code, line }) => [code, line])).toContainEqual(['plan-seconds', 2]);
    const whole = fromPlan(plan('План прибытия').replace('08:00', '08:00:00'), { zones });
    expect(whole.issues.map(({ code }) => code)).not.toContain('plan-seconds');
  });

  test('times in a column that no one knows are asked about, instead of a plan without times', () => {
    const { trips, issues } = fromPlan(plan('Когда'), { zones });
    expect([trips.length, issues.map(({ code, severity }) => [code, severity])]).toEqual([
      0,
      [['columns-unknown', 'error']],
    ]);
    expect(issues[0]!.message).toContain('"Когда"');
  });
});
