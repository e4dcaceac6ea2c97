/** `wayzone locate`: the zones that contain a position, or each position of a file. */

import { readFile } from 'node:fs/promises';
import type { Position } from '../../../core/geometry.js';
import { ParquetRows } from '../../../interchange/parquet/toParquet.js';
import type { FileIssue } from '../../../report/index.js';
import { internalsOf } from '../../../zones/index/index.js';
import { ZoneIndex } from '../../../zones/zoneIndex.js';
import {
  readingOptions,
  type TrackFlags,
  trackReading,
  type ZoneFlags,
  zoneOptions,
} from '../../flags/options.js';
import { INDEX_FILE, PARQUET_FILE } from '../../io/fileFormat.js';
import { fileBytes, type Io, refuse, reportIssues, startReading } from '../../io/io.js';
import { columnTypes } from '../../io/openParquet.js';
import type { RowOutput } from '../../io/openRows.js';
import { openOutput } from '../../io/output.js';
import { collect, lacksZones } from '../../shared/collect.js';
import { acceptsFarUnits, seemExchanged } from '../../shared/exchangedZones.js';
import { indexOfZones } from '../../shared/indexOfZones.js';
import {
  LOCATE_COLUMNS,
  type LocateOutput,
  LocateRows,
  locateTable,
  needsTable,
  type ZoneLabels,
} from './locateRows.js';
import { PlaceColumns, streamPlaces } from './streamPlaces.js';

export interface LocateFlags extends ZoneFlags, TrackFlags, RowOutput {
  readonly at?: readonly [number, number];
  readonly positions?: readonly string[];
}

/** Number of positions answered at a time. */
const BATCH = 16_384;
/** Largest number of positions that one chunk of a file adds to a batch that is not yet full. */
const READ_ROOM = 16_384;
/** Size of files of zones from which reading them takes most of the time. */
const LARGE_BYTES = 50e6;

export async function locate(files: readonly string[], flags: LocateFlags, io: Io): Promise<boolean> {
  const issues: FileIssue[] = [];
  const index = await openZones(files, flags, issues, io);
  // Without some of the zones the answers would be wrong.
  if (index === null)
    return refuse(issues, io, 'a file of zones could not be read, so no position is answered');
  const rows = await openAnswers(flags, zoneNames(index), io);
  const places = new PlaceColumns(flags.at === undefined ? BATCH + READ_ROOM : 1);
  let isChecked = acceptsFarUnits(flags);
  const answer = async (): Promise<void> => {
    const lonLat = places.lonLat.subarray(0, 2 * places.length);
    if (!isChecked) {
      isChecked = true;
      checkOrder(index, samplesOf(lonLat), flags, issues);
    }
    await rows.write(places, index.atMany(lonLat));
  };
  try {
    if (flags.at !== undefined) {
      places.push('', null, ...flags.at);
      await answer();
    } else {
      await locateFiles(flags, places, answer, issues, io);
    }
    await rows.end();
  } catch (error) {
    if (error !== EXCHANGED) throw error;
    return refuse(issues, io, 'the zones and positions do not fit together, so no position is answered');
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}

/** Ids and names by ordinal. Each name is read once, because a row of an index file is JSON. */
function zoneNames(index: ZoneIndex): ZoneLabels {
  const internals = internalsOf(index)!;
  const names: (string | undefined)[] = [];
  const nameIn = (ordinal: number): string => {
    const { name } = (internals.keptRow(ordinal) ?? {}) as { readonly name?: unknown };
    return typeof name === 'string' ? name : '';
  };
  return {
    idOf: (ordinal) => index.idOf(ordinal),
    nameOf: (ordinal) => (names[ordinal] ??= nameIn(ordinal)),
  };
}

/** Thrown to stop reading when positions fit the zones only with longitude and latitude exchanged. */
const EXCHANGED = new Error('exchanged');

/** Largest number of positions of the first batch that are compared with the zones. */
const MOST_SAMPLES = 64;

function samplesOf(lonLat: Float64Array): Position[] {
  const count = lonLat.length / 2;
  const step = Math.max(1, Math.floor(count / MOST_SAMPLES));
  const samples: Position[] = [];
  for (let i = 0; i < count; i += step) samples.push([lonLat[2 * i]!, lonLat[2 * i + 1]!]);
  return samples;
}

/**
 * Reports positions that are near the zones only with longitude and latitude exchanged: a warning for `--at`, else an error, after which
 * nothing is answered.
 */
function checkOrder(
  index: ZoneIndex,
  positions: readonly Position[],
  { at, positions: files = [] }: LocateFlags,
  issues: FileIssue[],
): void {
  if (!seemExchanged(index, positions)) return;
  const add = (severity: FileIssue['severity'], message: string): void => {
    issues.push({ code: 'axis-order-suspect', severity, field: '', message, file: files[0] ?? '--at' });
  };
  const rest = 'far from every zone, and near one with longitude and latitude exchanged';
  if (at === undefined) {
    add(
      'error',
      `every position is ${rest}; say which are exchanged: the zones (--axis-order latlon) or the positions (--swapped-units ID…; pairs in one cell: --axis-order lonlat), or --swapped-units none`,
    );
    throw EXCHANGED;
  }
  add('warning', `the position is ${rest}; --at is LAT,LON`);
}

async function openAnswers(flags: LocateFlags, names: ZoneLabels, io: Io): Promise<LocateOutput> {
  const { out, excel, format } = flags;
  if (out !== undefined && PARQUET_FILE.test(out) && excel === undefined) return locateParquet(out, names);
  return needsTable(flags) ? locateTable(flags, names, io) : new LocateRows(format, names, io);
}

/** Answers the positions of each file while it is read, file after file. */
async function locateFiles(
  flags: LocateFlags,
  places: PlaceColumns,
  answer: () => Promise<void>,
  issues: FileIssue[],
  io: Io,
): Promise<void> {
  const files = flags.positions ?? [];
  const progress = await startReading(io.stderr, files);
  try {
    for (const file of files) {
      const onBytes = (bytes: number): void => progress.step(bytes);
      const own = await streamPlaces(file, trackReading(flags), places, BATCH, answer, onBytes);
      for (const issue of own) issues.push({ ...issue, file });
    }
  } finally {
    progress.stop();
  }
}

/** Says that an index file is read faster, where the zones' files are large. */
async function adviseIndexFile(files: readonly string[], { stderr }: Io): Promise<void> {
  const sizes = await Promise.all(files.map(fileBytes));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (bytes < LARGE_BYTES) return;
  stderr.write(
    `The zones have ${Math.round(bytes / 1e6)} MB. An index file of them (wayzone index ZONES --out zones.wzi) makes further runs about twice as fast.\n`,
  );
}

/** The index; null if a file has an error and no zone. */
async function openZones(
  files: readonly string[],
  flags: LocateFlags,
  issues: FileIssue[],
  io: Io,
): Promise<ZoneIndex | null> {
  const [file] = files;
  if (files.length === 1 && file !== undefined && INDEX_FILE.test(file))
    return ZoneIndex.fromBuffer(await readFile(file));
  const collected = await collect(
    { zones: files, tracks: [] },
    { ...readingOptions(flags), flatZones: true },
    io.stderr,
  );
  const index = lacksZones(collected) ? null : indexOfZones(collected, zoneOptions(flags));
  if (index !== null) await adviseIndexFile(files, io);
  for (const issue of collected.issues) issues.push(issue);
  return index;
}

/**
 * Contains the same rows as CSV output: a row for each zone of a position, and one row with an empty zone for a position outside every zone.
 */
async function locateParquet(path: string, { idOf, nameOf }: ZoneLabels): Promise<LocateOutput> {
  const file = await ParquetRows.open(columnTypes(LOCATE_COLUMNS));
  const output = await openOutput(path);
  return {
    write: async (places, { offsets, zones }) => {
      const { length, names, unit, time, lonLat } = places;
      for (let i = 0; i < length; i++) {
        const to = offsets[i + 1]!;
        for (let k = offsets[i]!; k < Math.max(to, offsets[i]! + 1); k++) {
          const [zone, name] = k < to ? [idOf(zones[k]!), nameOf(zones[k]!)] : [null, null];
          file.add([names[unit[i]!], time[i], lonLat[2 * i], lonLat[2 * i + 1], zone, name]);
        }
      }
      await output.write(file.take());
    },
    end: async () => {
      await output.write(file.finish());
      await output.commit();
    },
    drop: () => output.drop(),
  };
}
