/** `wayzone locate`: which zones contain a position, or each position of a file. */

import { readFile, stat } from 'node:fs/promises';
import { locateParallel } from '../parallel/index.js';
import type { FileIssue } from '../report/index.js';
import { ZoneIndex } from '../zones/zoneIndex.js';
import { collect } from './collect.js';
import { INDEX_FILE } from './fileNames.js';
import { indexOf } from './indexOf.js';
import { LocateRows } from './locateRows.js';
import { readingOptions, type TrackFlags, trackReading, type ZoneFlags, zoneOptions } from './options.js';
import { startProgress } from './progress.js';
import type { Io } from './run.js';
import { type Place, streamPlaces } from './streamPlaces.js';
import { tellIssues } from './tellIssues.js';

export interface LocateFlags extends ZoneFlags, TrackFlags {
  readonly at?: readonly [number, number];
  readonly positions?: readonly string[];
  readonly format: 'csv' | 'json' | 'ndjson';
  readonly workers: number;
}

/** Positions answered at a time; by threads more of them, since each time they start anew. */
const BATCH = 16_384;
const PARALLEL_BATCH = 524_288;

export async function locate(files: readonly string[], flags: LocateFlags, io: Io): Promise<boolean> {
  const issues: FileIssue[] = [];
  const index = await openZones(files, flags, issues);
  const rows = new LocateRows(flags.format, io);
  const answer = async (places: readonly Place[]): Promise<void> => {
    await rows.write(places, await zonesOf(index, places, flags.workers));
  };
  if (flags.at !== undefined) {
    const [lon, lat] = flags.at;
    await answer([{ unitId: '', time: null, lon, lat }]);
  } else await locateFiles(flags, answer, issues, io);
  await rows.end();
  return tellIssues(issues, io.stderr);
}

/** Answers the positions of each file in turn, while it is read. */
async function locateFiles(
  flags: LocateFlags,
  answer: (places: readonly Place[]) => Promise<void>,
  issues: FileIssue[],
  io: Io,
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
  const progress = startProgress(io.stderr, total, 'read {bar} {percentage} %');
  const batch = flags.workers === 1 ? BATCH : PARALLEL_BATCH;
  try {
    for (const file of files) {
      const own = await streamPlaces(file, trackReading(flags), batch, answer, (bytes) =>
        progress.step(bytes),
      );
      for (const issue of own) issues.push({ ...issue, file });
    }
  } finally {
    progress.stop();
  }
}

/** The zones of each place, by id. */
async function zonesOf(
  index: ZoneIndex,
  places: readonly Place[],
  workers: number,
): Promise<(place: number) => string[]> {
  const bytes = 2 * places.length * Float64Array.BYTES_PER_ELEMENT;
  // Threads read the positions where they are.
  const lonLat = new Float64Array(workers === 1 ? new ArrayBuffer(bytes) : new SharedArrayBuffer(bytes));
  for (const [i, { lon, lat }] of places.entries()) {
    lonLat[2 * i] = lon;
    lonLat[2 * i + 1] = lat;
  }
  const { offsets, zones } =
    workers === 1 ? index.atMany(lonLat) : await locateParallel(index, lonLat, { workers });
  return (place) => {
    const ordinals = zones.subarray(offsets[place], offsets[place + 1]);
    return Array.from(ordinals, (ordinal) => index.idOf(ordinal) ?? '');
  };
}

async function openZones(
  files: readonly string[],
  flags: LocateFlags,
  issues: FileIssue[],
): Promise<ZoneIndex> {
  const [file] = files;
  if (files.length === 1 && file !== undefined && INDEX_FILE.test(file)) {
    const { buffer, byteOffset, byteLength } = await readFile(file);
    return ZoneIndex.fromBuffer(buffer.slice(byteOffset, byteOffset + byteLength));
  }
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags));
  const index = indexOf(collected, zoneOptions(flags));
  for (const issue of collected.issues) issues.push(issue);
  return index;
}
