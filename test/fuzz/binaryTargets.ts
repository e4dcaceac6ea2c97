/**
 * Targets for files with compressed parts: the mutations reach what is inside. Pages of the Parquet files are not compressed; the parts of a
 * workbook are mutated as one text and zipped afterwards.
 */

import { strToU8, zipSync } from 'fflate';
import { type ColumnSource, parquetWriteBuffer } from 'hyparquet-writer';
import type { RawTrack } from '../../src/core/fix.js';
import { describeTable, fromCsv, readParquet, toGeoParquet } from '../../src/interchange/index.js';
import { toFixParquet } from '../../src/interchange/parquet/toGeoParquet.js';
import { wkbOf } from '../interchange/wkbOf.js';
import { MAX_OUTLINE_MILLISECONDS } from './attempt.js';
import { encode } from './mutate.js';
import { checkEqual, checkForeign, Finding, hashOf } from './oracle.js';
import { FIXES } from './samples.js';
import type { Target } from './target.js';

/** A file of uncompressed pages of at most 512 bytes. */
function parquetOf(columns: readonly ColumnSource[], geo?: object): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: [...columns],
      codec: 'UNCOMPRESSED',
      rowGroupSize: 16,
      pageSize: 512,
      ...(geo === undefined ? {} : { kvMetadata: [{ key: 'geo', value: JSON.stringify(geo) }] }),
    }),
  );
}

const column = (name: string, type: ColumnSource['type'], data: unknown[], more: object = {}): ColumnSource =>
  ({ name, type, data, ...more }) as ColumnSource;

/** Fixes by columns. `plain`: without the encodings of newer writers. */
function fixColumns(isPlain: boolean): ColumnSource[] {
  const encoding = (name: string): object => (isPlain ? {} : { encoding: name });
  return [
    column(
      'unit',
      'STRING',
      FIXES.map((_, i) => `u${i % 2}`),
      encoding('DELTA_BYTE_ARRAY'),
    ),
    column(
      'time',
      'TIMESTAMP',
      FIXES.map(({ time }) => new Date(time)),
      encoding('DELTA_BINARY_PACKED'),
    ),
    column(
      'lat',
      'DOUBLE',
      FIXES.map(({ lat }) => lat),
      encoding('BYTE_STREAM_SPLIT'),
    ),
    column(
      'lon',
      'DOUBLE',
      FIXES.map(({ lon }) => lon),
    ),
    column(
      'speed_kph',
      'DOUBLE',
      FIXES.map((fix, i) => (i % 3 === 0 ? null : fix.speedKph)),
      { nullable: true },
    ),
    column(
      'ignition',
      'BOOLEAN',
      FIXES.map((_, i) => i % 2 === 0),
    ),
    column(
      'satellites',
      'INT32',
      FIXES.map((_, i) => i),
      encoding('DELTA_BINARY_PACKED'),
    ),
  ];
}

const SQUARE = [
  [13, 52],
  [14, 52],
  [14, 53],
  [13, 52],
];
const GEOMETRIES = [
  { type: 'Point', coordinates: [13, 52] },
  { type: 'LineString', coordinates: SQUARE },
  { type: 'MultiPolygon', coordinates: [[SQUARE], []] },
  { type: 'GeometryCollection', geometries: [{ type: 'Polygon', coordinates: [SQUARE] }] },
];

function zoneColumns(): ColumnSource[] {
  return [
    column(
      'name',
      'STRING',
      GEOMETRIES.map(({ type }) => type),
    ),
    column(
      'count',
      'INT64',
      GEOMETRIES.map((_, i) => BigInt(i)),
    ),
    column(
      'more',
      'JSON',
      GEOMETRIES.map((_, i) => ({ i, list: [i, null] })),
    ),
    column(
      'geometry',
      'BYTE_ARRAY',
      GEOMETRIES.map((geometry) => new Uint8Array(wkbOf(geometry))),
    ),
  ];
}

const GEO = {
  version: '1.1.0',
  primary_column: 'geometry',
  columns: { geometry: { encoding: 'WKB', geometry_types: [], bbox: [13, 52, 14, 53] } },
};

async function readsParquet(input: Uint8Array): Promise<void> {
  const before = input.slice();
  const data = await readParquet(input, { speedUnit: 'kph' });
  checkEqual(input, before, 'the input and its copy');
  checkForeign(data);
  const { tracks, zones } = data.value;
  if (tracks.length > 0) {
    const back = await readParquet(await toFixParquet(tracks));
    const times = (list: readonly RawTrack[]): unknown =>
      list.map(({ fixes }) => fixes.map(({ time }) => time));
    checkEqual(times(back.value.tracks), times(tracks), 'the times that were written and that came back');
  }
  if (zones.length > 0) {
    const back = await readParquet(await toGeoParquet(zones));
    if (back.value.zones.length !== zones.length)
      throw new Finding(`wrote ${zones.length} zones, read ${back.value.zones.length}`);
  }
}

/** Parts of a workbook in one text. */
const PART = /^=== (\S{1,60})$/gm;

function workbookText(parts: Readonly<Record<string, string>>): Uint8Array {
  return encode(
    Object.entries(parts)
      .map(([name, text]) => `=== ${name}\n${text}`)
      .join('\n'),
  );
}

function zipped(input: Uint8Array): Uint8Array {
  const [, ...pieces] = new TextDecoder().decode(input).split(PART);
  const parts = new Map<string, Uint8Array>();
  for (let i = 0; i + 1 < pieces.length; i += 2) parts.set(pieces[i]!, strToU8(pieces[i + 1]!.trim()));
  return zipSync(Object.fromEntries(parts), { level: 0, mtime: '1980-01-01' });
}

function readsXlsx(input: Uint8Array): void {
  const bytes = zipped(input);
  const hash = hashOf(input);
  // A change in the frame of the ZIP file.
  if (hash % 4 === 0 && bytes.length > 0) bytes[hash % bytes.length]! ^= 1 << (hash % 8);
  const before = bytes.slice();
  const table = describeTable(bytes, { timeZone: 'UTC' });
  const data = fromCsv(bytes, { table: { ...table, timeZone: 'UTC' }, speedUnit: 'kph' });
  checkEqual(bytes, before, 'the input and its copy');
  checkForeign(data);
  checkEqual(
    fromCsv(bytes, { table: { ...table, timeZone: 'UTC' }, speedUnit: 'kph' }),
    data,
    'two readings',
  );
}

const RELS =
  '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="/xl/worksheets/sheet2.xml"/></Relationships>';
const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="[h]:mm:ss;@"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/></cellXfs></styleSheet>';
const STRINGS =
  '<sst><si><t>Vehicle</t></si><si><r><t>Ti</t></r><r><t>me</t></r></si><si><t>lat</t></si><si><t>lon</t></si><si><t>_x0041_ 1</t></si></sst>';
const shared = (i: number): string => `<c t="s"><v>${i}</v></c>`;
const HEADER = `<row r="1">${[0, 1, 2, 3].map(shared).join('')}</row>`;
const sheet = (rows: string): string => `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
const FIX_ROWS = [46_037, 46_037.25, 46_037.333333333336]
  .map(
    (day, i) =>
      `<row r="${i + 2}">${shared(4)}<c r="B${i + 2}" s="1"><v>${day}</v></c><c><v>5${i}.3</v></c><c><v>4.4E1</v></c></row>`,
  )
  .join('');
const ZONE_ROWS =
  '<row><c t="inlineStr"><is><t>name</t></is></c><c t="str"><v>wkt</v></c><c t="str"><v>radius (m)</v></c></row><row><c t="str"><f>A1</f><v>Depot</v></c><c t="str"><v>POINT (13 52)</v></c><c><v>100</v></c><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2026-01-15T08:00:00Z</v></c></row>';

const book = (sheets: string): Readonly<Record<string, string>> => ({
  'xl/workbook.xml': `<workbook><workbookPr date1904="0"/><sheets>${sheets}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': RELS,
  'xl/styles.xml': STYLES,
  'xl/sharedStrings.xml': STRINGS,
});
const BOTH = '<sheet name="A" id="r1"/><sheet name="B" id="r2" state="hidden"/>';

export const BINARY_TARGETS: readonly Target[] = [
  {
    name: 'parquet',
    format: 'parquet',
    milliseconds: MAX_OUTLINE_MILLISECONDS,
    seeds: () => [
      parquetOf(fixColumns(true)),
      parquetOf(fixColumns(false)),
      parquetOf(zoneColumns()),
      parquetOf(zoneColumns(), GEO),
    ],
    run: readsParquet,
  },
  {
    name: 'xlsx',
    format: 'xml',
    milliseconds: MAX_OUTLINE_MILLISECONDS,
    seeds: () => [
      workbookText({
        ...book(BOTH),
        'xl/worksheets/sheet1.xml': sheet(HEADER + FIX_ROWS),
        'xl/worksheets/sheet2.xml': sheet(''),
      }),
      workbookText({
        ...book(BOTH.replace('hidden', 'visible')),
        'xl/worksheets/sheet1.xml': sheet(''),
        'xl/worksheets/sheet2.xml': sheet(ZONE_ROWS),
      }),
      workbookText({
        ...book(BOTH.replace('hidden', 'visible')),
        'xl/worksheets/sheet1.xml': sheet(ZONE_ROWS),
        'xl/worksheets/sheet2.xml': sheet(HEADER),
      }),
    ],
    run: readsXlsx,
  },
];
