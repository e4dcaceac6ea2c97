/** Collects all input files: zones with distinct ids, fixes by unit, and every issue with its file. */

import type { IssueCode } from '../../core/errorCode.js';
import type { TimedPosition } from '../../core/fix.js';
import type { Geozone } from '../../core/wire.js';
import { missingContent } from '../../interchange/common/issueList.js';
import { nameOfFile } from '../../interchange/common/readOptions.js';
import { likelySpeedUnit, speedRatio } from '../../interchange/common/suspectUnits.js';
import { freeName } from '../../interchange/common/textProperties.js';
import type { SpeedUnit } from '../../interchange/index.js';
import type { FileIssue, ReportSource } from '../../report/index.js';
import { countIssues } from '../../report/summary.js';
import { fileBytes, type OutputStream, type Progress, startReading } from '../io/io.js';
import { readInput } from '../io/readInput.js';
import type { ReadingOptions } from '../io/readingOptions.js';
import { shownPath } from '../io/standardInput.js';
import { exchangedUnits } from './exchangedZones.js';
import { type UnitColumns, UnitStore } from './unitColumns.js';

/** Largest number of fixes that are compared. */
const SAMPLE = 20_000;

/** Ratio of speeds to those of the movement from which the unit is doubted. */
const DOUBTED = 1.3;

const KPH_PER: Readonly<Record<SpeedUnit, number>> = { kph: 1, mps: 3.6, knots: 1.852, mph: 1.609344 };

export interface InputFiles {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
}

export interface Collected {
  readonly zones: readonly Geozone[];
  /** Units by id. */
  readonly units: readonly { readonly unitId: string; readonly fixes: UnitColumns }[];
  readonly sources: readonly ReportSource[];
  readonly issues: FileIssue[];
  /** Path of the file that holds a zone, by zone id. */
  readonly fileOf: { get(zoneId: string): string | undefined };
  /** Removes the temporary file of the fixes, when they are no longer needed. */
  readonly close: () => void;
}

/** Takes the place of a map from ids to files if there is only one file. */
class OneFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  has(): boolean {
    return false;
  }

  get(): string {
    return this.#path;
  }

  set(): void {
    // All ids belong to the one path.
  }
}

/** Whether a file has an error and no zone: answers would miss its zones. */
export function lacksZones({ sources }: Collected): boolean {
  return sources.some(({ role, zones, errors }) => role === 'zones' && zones === 0 && errors > 0);
}

/** Whether the files have errors and no track, so that there is no unit. */
export function lacksTracks({ sources, units }: Collected): boolean {
  return units.length === 0 && sources.some(({ role, errors }) => role === 'tracks' && errors > 0);
}

/**
 * Reads zones only from the zone files, and tracks only from the track files. An id of an earlier file becomes `id~2` with a warning. Progress is
 * shown on `stderr`.
 */
export async function collect(
  files: InputFiles,
  options: ReadingOptions,
  stderr: OutputStream,
): Promise<Collected> {
  const progress = await startReading(stderr, [...files.zones, ...files.tracks]);
  try {
    return await collectFiles(files, options, progress);
  } finally {
    progress.stop();
  }
}

async function collectFiles(
  files: InputFiles,
  options: ReadingOptions,
  progress: Progress,
): Promise<Collected> {
  const zones: Geozone[] = [];
  const fileOf =
    files.zones.length === 1 ? new OneFile(shownPath(files.zones[0]!)) : new Map<string, string>();
  const store = new UnitStore();
  const genericFiles = new Map<string, string>();
  const sources: ReportSource[] = [];
  const issues: FileIssue[] = [];
  for (const role of ['zones', 'tracks'] as const) {
    for (const file of files[role]) {
      const reading = store.reading();
      const onFixes = role === 'tracks' ? reading.take : undefined;
      let bytes = 0;
      const onBytes = (count: number): void => {
        bytes += count;
        progress.step(count);
      };
      const { value, issues: own } = await readInput(file, {
        ...(role === 'zones' ? { ...withZoneHints(options), timedAs: 'zones' as const } : options),
        ...(onFixes && { onFixes }),
        onBytes,
      });
      progress.step((await fileBytes(file)) - bytes);
      const name = shownPath(file);
      const fileIssues: FileIssue[] = own.map((issue) => ({ ...issue, file: name }));
      const warn = (code: IssueCode, field: string, message: string): void => {
        fileIssues.push({ code, severity: 'warning', field, message, file: name });
      };
      const found = role === 'zones' ? value.zones : [];
      const tracks = role === 'tracks' ? value.tracks : [];
      for (const zone of found) {
        const id = freeName(zone.id, fileOf);
        if (id !== zone.id) {
          warn(
            'duplicate-id',
            'id',
            `expected an id that no other file has, received ${JSON.stringify(zone.id)}; it is now ${JSON.stringify(id)}`,
          );
        }
        fileOf.set(id, name);
        zones.push(id === zone.id ? zone : { ...zone, id });
      }
      for (const { unitId, fixes } of tracks) {
        const own = unitOf(unitId, file, genericFiles);
        if (own !== unitId) {
          const message = `expected the name of a unit, received ${JSON.stringify(unitId)} as in another file; it is now ${JSON.stringify(own)}`;
          warn('duplicate-id', 'unitId', message);
        }
        store.add(own, fixes);
      }
      const taken = reading.count();
      const trackCount = taken.units + tracks.length;
      const isEmpty = role === 'zones' ? found.length === 0 : trackCount === 0;
      const missing = isEmpty ? missingContent({ value, issues: own }, role) : null;
      if (missing !== null) fileIssues.push({ ...missing, file: name });
      sources.push({
        file: name,
        role,
        zones: found.length,
        tracks: trackCount,
        fixes: tracks.reduce((sum, track) => sum + track.fixes.length, taken.fixes),
        trips: 0,
        errors: countIssues(fileIssues, 'error'),
        warnings: countIssues(fileIssues, 'warning'),
      });
      for (const issue of fileIssues) issues.push(issue);
    }
  }
  if (options.table?.swappedUnits === undefined) {
    const issue = withoutExchanged(store, issues, files);
    if (issue !== null) issues.push(issue);
  }
  const { speedUnit } = options;
  const doubt =
    speedUnit === undefined ? null : speedUnitIssue(store.units, speedUnit, files.tracks[0] ?? '');
  if (doubt !== null) issues.push(doubt);
  const sorted = [...store.units].sort(([a], [b]) => (a < b ? -1 : 1));
  const units = sorted.map(([unitId, fixes]) => ({ unitId, fixes }));
  return { zones, units, sources, issues, fileOf, close: () => store.close() };
}

/**
 * Removes the units that seem exchanged, and returns an error that names them; `null` if there are none, or if the files already have it.
 */
function withoutExchanged(
  { units }: UnitStore,
  issues: readonly FileIssue[],
  { tracks }: InputFiles,
): FileIssue | null {
  const suspects = exchangedUnits(units);
  for (const id of suspects) units.delete(id);
  const isKnown = issues.some(({ code, severity }) => code === 'axis-order-suspect' && severity === 'error');
  if (suspects.length === 0 || isKnown) return null;
  return {
    code: 'axis-order-suspect',
    severity: 'error',
    field: 'unit',
    message: `${suspects.map((id) => JSON.stringify(id)).join(', ')} far from all other units, and near them with latitude and longitude exchanged; not read; say it: --swapped-units ${suspects.join(' ')}`,
    file: tracks[0] ?? '',
  };
}

/** Names that programs give to tracks although they name no unit. */
const GENERIC_NAME =
  /^(?:track|active log|current track|unnamed|new track|трек|запись)[\s_-]*\d*$|^\d{4}-\d\d-\d\d/i;

/** The unit of a track. A generic name in a second file counts as another unit. */
function unitOf(unitId: string, file: string, files: Map<string, string>): string {
  if (!GENERIC_NAME.test(unitId)) return unitId;
  const first = files.get(unitId);
  if (first === undefined) files.set(unitId, file);
  return first === undefined || first === file ? unitId : `${nameOfFile(file) ?? file}: ${unitId}`;
}

/** Hints that also concern tables of zones; the other hints concern tracks only. */
const ZONE_HINTS = ['encoding', 'delimiter', 'decimal', 'sheet', 'radiusUnit', 'axisOrder'] as const;

function withZoneHints({ table, ...options }: ReadingOptions): ReadingOptions {
  const hints = ZONE_HINTS.flatMap((name) =>
    table?.[name] === undefined ? [] : [[name, table[name]] as const],
  );
  return hints.length === 0 ? options : { ...options, table: Object.fromEntries(hints) };
}

/** A warning if the speeds fit the movement only in another unit; else null. */
function speedUnitIssue(
  units: ReadonlyMap<string, UnitColumns>,
  given: SpeedUnit,
  file: string,
): FileIssue | null {
  const ratio = speedRatio(sampleOf(units));
  if (ratio === null) return null;
  // The ratio of the numbers in the file to metres per second.
  const own = ratio / KPH_PER[given];
  const likely = likelySpeedUnit(own);
  const off = Math.abs(Math.log(ratio / 3.6));
  if (likely === given || off < Math.log(DOUBTED)) return null;
  const message = `expected speeds as fast as the movement, received ${own.toFixed(2)} times its metres per second (1.00 is m/s, 1.94 knots, 2.24 mph, 3.60 km/h); --speed-unit ${given} is given: --speed-unit ${likely} fits`;
  return { code: 'speed-unit', severity: 'warning', field: 'speedUnit', message, file };
}

function sampleOf(
  units: ReadonlyMap<string, UnitColumns>,
): (TimedPosition & { readonly unit: string; readonly speed: number | null })[] {
  const sample: (TimedPosition & { readonly unit: string; readonly speed: number | null })[] = [];
  for (const [unit, tables] of units) {
    for (const { length, time, lon, lat, speedKph } of tables) {
      for (let i = 0; i < length; i++) {
        const speed = speedKph?.[i] ?? Number.NaN;
        sample.push({
          unit,
          time: time[i]!,
          lon: lon[i]!,
          lat: lat[i]!,
          speed: Number.isNaN(speed) ? null : speed,
        });
        if (sample.length === SAMPLE) return sample;
      }
    }
  }
  return sample;
}
