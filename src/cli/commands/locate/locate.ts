/** `wayzone locate`: which zones contain a position, or each position of a file. */

import { readFile, stat } from 'node:fs/promises';
import type { FileIssue } from '../../../report/index.js';
import type { ZonesOfPositions } from '../../../zones/index/index.js';
import { ZoneIndex } from '../../../zones/zoneIndex.js';
import {
  readingOptions,
  type TrackFlags,
  trackReading,
  type ZoneFlags,
  zoneOptions,
} from '../../flags/options.js';
import { INDEX_FILE, PARQUET_FILE } from '../../io/fileFormat.js';
import type { Io } from '../../io/io.js';
import type { RowOutput } from '../../io/openRows.js';
import { startProgress } from '../../io/progress.js';
import { reportIssues } from '../../io/reportIssues.js';
import { collect, lacksZones } from '../../shared/collect.js';
import { indexOf } from '../../shared/indexOf.js';
import { locateParquet } from './locateParquet.js';
import { LocatePool } from './locatePool.js';
import { LocateRows } from './locateRows.js';
import { type LocateOutput, locateTable, needsTable } from './locateTable.js';
import { PlaceColumns } from './placeColumns.js';
import { streamPlaces } from './streamPlaces.js';

export interface LocateFlags extends ZoneFlags, TrackFlags, RowOutput {
  readonly at?: readonly [number, number];
  readonly positions?: readonly string[];
  readonly workers: number;
}

/** Positions that are answered at a time. Larger with threads, since each batch has a fixed cost. */
const BATCH = 16_384;
const PARALLEL_BATCH = 524_288;
/** Most positions that one chunk of a file may add to a batch that is not full. */
const READ_ROOM = 16_384;

export async function locate(files: readonly string[], flags: LocateFlags, io: Io): Promise<boolean> {
  // Files and tables for people are written by this thread alone.
  const isShared = flags.workers > 1 && flags.at === undefined && !needsTable(flags);
  return isShared ? await locateShared(files, flags, io) : await locateHere(files, flags, io);
}

async function locateHere(files: readonly string[], flags: LocateFlags, io: Io): Promise<boolean> {
  const issues: FileIssue[] = [];
  const index = await openZones(files, flags, issues);
  if (index === null) return refuse(issues, io);
  const { workers } = flags;
  const idOf = (ordinal: number): string | null => index.idOf(ordinal);
  const rows = await openOutput(flags, idOf, io);
  const places = new PlaceColumns(flags.at === undefined ? BATCH + READ_ROOM : 1, workers > 1);
  const answer = async (): Promise<void> => {
    const lonLat = places.lonLat.subarray(0, 2 * places.length);
    const found = workers === 1 ? index.atMany(lonLat) : await answerParallel(index, lonLat, workers);
    await rows.write(places, found);
  };
  try {
    if (flags.at !== undefined) {
      places.push('', null, ...flags.at);
      await answer();
    } else {
      const batch = workers === 1 ? BATCH : PARALLEL_BATCH;
      await locateFiles(flags, places, batch, answer, issues, io);
    }
    await rows.end();
  } finally {
    await rows.drop();
  }
  return reportIssues(issues, io.stderr);
}

async function openOutput(
  flags: LocateFlags,
  idOf: (ordinal: number) => string | null,
  io: Io,
): Promise<LocateOutput> {
  const { out, excel, format } = flags;
  if (out !== undefined && PARQUET_FILE.test(out) && excel === undefined) return locateParquet(out, idOf);
  return needsTable(flags) ? locateTable(flags, idOf, io) : new LocateRows(format, idOf, io);
}

async function answerParallel(
  index: ZoneIndex,
  lonLat: Float64Array,
  workers: number,
): Promise<ZonesOfPositions> {
  const { locateParallel } = await import('../../../parallel/locateParallel.js');
  return await locateParallel(index, lonLat, { workers });
}

/** Like `locateHere`, with threads that answer positions and make rows. */
async function locateShared(files: readonly string[], flags: LocateFlags, io: Io): Promise<boolean> {
  const issues: FileIssue[] = [];
  const rows = new LocateRows(flags.format, () => null, io);
  const pool = new LocatePool(flags.workers, (bytes) => rows.writeBytes(bytes));
  const ofPositions: FileIssue[] = [];
  const places = new PlaceColumns(BATCH + READ_ROOM, false);
  // The threads read positions while this one reads the zones.
  const reading = locateFiles(flags, places, BATCH, () => pool.ask(places), ofPositions, io, pool);
  // Errors of the threads are thrown below, unless the zones cannot be read.
  reading.catch(() => undefined);
  try {
    const index = await openZones(files, flags, issues, true);
    if (index === null) return refuse(issues, io);
    pool.open(index, flags.format);
    await reading;
    await pool.end();
    await rows.end();
  } finally {
    await pool.close();
  }
  for (const issue of ofPositions) issues.push(issue);
  return reportIssues(issues, io.stderr);
}

/** Answers the positions of each file while it is read, file after file. */
async function locateFiles(
  flags: LocateFlags,
  places: PlaceColumns,
  batch: number,
  answer: () => Promise<void>,
  issues: FileIssue[],
  io: Io,
  pool: LocatePool | null = null,
): Promise<void> {
  const files = flags.positions ?? [];
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const progress = await startProgress(io.stderr, total, 'read {bar} {percentage} %');
  try {
    for (const file of files) {
      const onBytes = (bytes: number): void => progress.step(bytes);
      const own = await streamPlaces(file, trackReading(flags), places, batch, answer, onBytes, pool);
      for (const issue of own) issues.push({ ...issue, file });
    }
  } finally {
    progress.stop();
  }
}

/** Reports that zones could not be read. No position is answered, since answers without some zones would be wrong. */
function refuse(issues: readonly FileIssue[], io: Io): boolean {
  reportIssues(issues, io.stderr);
  io.stderr.write('wayzone: a file of zones could not be read, so no position is answered\n');
  return false;
}

/** The index; null if a file has an error and no zone. `isShared`: this thread does other work meanwhile. */
async function openZones(
  files: readonly string[],
  flags: LocateFlags,
  issues: FileIssue[],
  isShared: boolean = false,
): Promise<ZoneIndex | null> {
  const [file] = files;
  if (files.length === 1 && file !== undefined && INDEX_FILE.test(file))
    return ZoneIndex.fromBuffer(await readFile(file));
  const collected = await collect(
    { zones: files, tracks: [] },
    { ...readingOptions(flags), flatZones: true, isShared },
  );
  const index = lacksZones(collected) ? null : indexOf(collected, zoneOptions(flags));
  for (const issue of collected.issues) issues.push(issue);
  return index;
}
