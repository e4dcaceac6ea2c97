/** `wayzone report`: read, measure, index, find visits, write. */

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeClock } from '../../../core/localClock.js';
import { type Filled, valuesOf } from '../../../core/options.js';
import type { TrackGradation, TripDetectorSettings } from '../../../core/trackSettings.js';
import type { Geozone, ZoneOptions } from '../../../core/wire.js';
import { toFeatureCollection } from '../../../interchange/geojson/writeFeatureCollection.js';
import { toKml } from '../../../interchange/kml/toKml.js';
import {
  DEFAULT_GRADATION,
  MOVEMENT_COLUMNS,
  movementRows,
  type ReportInput,
  type ReportUnit,
  type ReportZone,
  reportPage,
  reportWordsIn,
  summarize,
  TRIP_POINT_COLUMNS,
  tripPointRows,
  VISIT_COLUMNS,
  visitsTable,
} from '../../../report/index.js';
import type { ReportRow } from '../../../report/reportRow.js';
import {
  detectTrips,
  findVisits,
  type GapOptions,
  gradeTrack,
  measureVisits,
  meterTrack,
  readTrack,
  splitByZone,
  sumByZone,
  type TrackOptions,
  type VisitOptions,
} from '../../../tracks/index.js';
import { GAP_OPTIONS } from '../../../tracks/meter/gapRules.js';
import type { ZoneIndex } from '../../../zones/zoneIndex.js';
import { gradationOf, type MovementFlags, settingsOf } from '../../flags/movementFlags.js';
import type { TrackFlags, ZoneFlags } from '../../flags/options.js';
import type { RowFlags } from '../../flags/tableFlags.js';
import type { TripFlags } from '../../flags/tripFlags.js';
import { tripOptions } from '../../flags/tripOptions.js';
import { type Io, startProgress } from '../../io/io.js';
import { pageFiles } from '../../io/pageFiles.js';
import type { ReadingOptions } from '../../io/readingOptions.js';
import { planHints, readTrips } from '../../io/readTrips.js';
import { rowForm } from '../../io/rowForm.js';
import { printable, reportText } from '../../io/terminal.js';
import { refuseInputs, writeFiles } from '../../io/writeAside.js';
import { PACKAGE_ROOT } from '../../packageRoot.js';
import { type Collected, collect } from '../../shared/collect.js';
import { exchangedZones } from '../../shared/exchangedZones.js';
import { indexOfZones } from '../../shared/indexOfZones.js';
import { allFixes } from '../../shared/unitTracks.js';
import { type Asking, conductOf, meetingsOf, readAsking } from './conductOf.js';
import type { BasemapFlags, ConductFlags } from './reportFlags.js';
import { readDays, reportTrips, reportZone } from './reportTrips.js';

const EXAMPLE_ZONES = ['city-zones.geojson', 'city-zones.kml'];
const EXAMPLE_TRACKS = ['city-day.csv', 'city-night.csv', 'city-van.gpx'];
const EXAMPLE_TRIPS = ['city-trips.json'];
const EXAMPLE_TIME_ZONE = 'Europe/Moscow';
const EXAMPLE_BASEMAP = 'city-town.pmtiles';

export interface ReportFlags
  extends ZoneFlags,
    TrackFlags,
    TripFlags,
    MovementFlags,
    RowFlags,
    ConductFlags,
    BasemapFlags {
  readonly timeZone?: string;
  readonly zones?: readonly string[];
  readonly tracks?: readonly string[];
  readonly trips?: readonly string[];
  readonly gradation?: string;
  readonly out: string;
  readonly title?: string;
  readonly company?: string;
  readonly language: string;
}

export interface ReportOptions {
  readonly zones: readonly string[];
  readonly tracks: readonly string[];
  readonly trips: readonly string[];
  readonly flags: ReportFlags;
  readonly out: string;
  readonly reading: ReadingOptions;
  readonly zoneOptions: ZoneOptions;
  readonly visitOptions: VisitOptions;
  readonly fixOptions: TrackOptions;
}

/** Writes the report. Returns whether everything could be read. Throws if the files cannot be written. */
export async function report(given: ReportOptions, io: Io): Promise<boolean> {
  const example = given.zones.length === 0 && given.tracks.length === 0 && given.trips.length === 0;
  const options = example ? exampleOptions(given) : given;
  const { timeZone, title, company, language } = options.flags;
  if (timeZone !== undefined) makeClock(timeZone);
  const read = await collect(options, options.reading, io.stderr);
  const { index, zones } = indexZones(read, options);
  const { issues } = read;
  const fitting = exchangedZones(index, read.units, issues, { ...options.flags, tracks: options.tracks });
  const collected = { ...read, units: fitting ?? [] };
  const { trips, sources } = await readTrips(
    options.trips,
    issues,
    collected.zones,
    planHints(options.reading.table),
  );
  const gradation = (await gradationOf(options.flags.gradation)) ?? DEFAULT_GRADATION;
  const settings = await settingsOf(options.flags.settings);
  const asking = await readAsking(options.flags, settings, options.reading, io.stderr);
  const units = await unitsOf(collected, index, { ...options, gradation, settings, asking }, io);
  const input: ReportInput = {
    title: title ?? reportWordsIn(language).title,
    company: company ?? (example ? 'Example City' : null),
    language,
    measures: options.flags.units,
    basemap: await basemapOf(options.flags, { zones, units }, io),
    timeZone: timeZone ?? null,
    zones,
    units,
    trips:
      timeZone === undefined
        ? []
        : reportTrips(
            trips,
            units,
            tripOptions(options.flags, timeZone),
            readDays(options.flags.date),
            issues,
          ),
    asked: asking.asked,
    route: asking.route,
    meetings: meetingsOf(
      asking,
      units.map(({ track }) => track),
    ),
    gradation,
    sources: [...collected.sources, ...sources],
    issues,
    maxGapSeconds: gapsOf(options).maxGapSeconds,
  };
  const summary = summarize(input);
  const files = await contents(input, options);
  const outputs = [...files.keys()].map((name) => join(options.out, name));
  await refuseInputs(
    [
      ...options.zones,
      ...options.tracks,
      ...options.trips,
      ...(options.flags.basemap === undefined ? [] : [options.flags.basemap]),
    ],
    outputs,
    'name another folder in --out',
  );
  const written = await writeFiles(options.out, files);
  // Print only after the files are written: a closed standard output must not prevent them.
  if (example) io.stdout.write('No --zones, --tracks or --trips: the example city of the package is read.\n');
  io.stdout.write(reportText(input, summary));
  io.stdout.write(`\nWritten to ${printable(options.out)}: ${written.join(', ')}\n`);
  return summary.issues.errors === 0;
}

/** Reads the base map. The reader of archives is loaded only if an archive is given. */
async function basemapOf(
  flags: BasemapFlags,
  seen: Pick<ReportInput, 'zones' | 'units'>,
  io: Io,
): Promise<ReportInput['basemap']> {
  if (flags.tiles === undefined && flags.basemap === undefined) return null;
  const { readBasemap } = await import('./readBasemap.js');
  return readBasemap(flags, seen, (line) => void io.stderr.write(line));
}

function exampleOptions(given: ReportOptions): ReportOptions {
  const path = (name: string): string => fileURLToPath(new URL(`dist/example/${name}`, PACKAGE_ROOT));
  const reading: ReadingOptions = { ...given.reading, speedUnit: 'kph' };
  const hasMap = given.flags.tiles !== undefined || given.flags.basemap !== undefined;
  return {
    ...given,
    zones: EXAMPLE_ZONES.map(path),
    tracks: EXAMPLE_TRACKS.map(path),
    trips: EXAMPLE_TRIPS.map(path),
    flags: {
      timeZone: EXAMPLE_TIME_ZONE,
      ...given.flags,
      ...(hasMap ? {} : { basemap: path(EXAMPLE_BASEMAP) }),
    },
    reading,
  };
}

/** The zones that can be indexed and measured. Every other zone becomes an issue of its file. */
function indexZones(
  collected: Collected,
  options: ReportOptions,
): { index: ZoneIndex<Geozone>; zones: ReportZone[] } {
  const measured: ReportZone[] = [];
  const index = indexOfZones(collected, options.zoneOptions, (zone) => {
    measured.push(reportZone(zone, options.zoneOptions));
  });
  return { index, zones: measured.filter(({ zone }) => index.has(zone.id)) };
}

interface UnitOptions extends ReportOptions {
  readonly gradation: TrackGradation;
  readonly settings: TripDetectorSettings;
  readonly asking: Asking;
}

/** The options of gaps, with their defaults. */
function gapsOf({ visitOptions }: Pick<ReportOptions, 'visitOptions'>): Filled<GapOptions> {
  return valuesOf(visitOptions, GAP_OPTIONS);
}

async function unitsOf(
  collected: Collected,
  index: ZoneIndex<Geozone>,
  options: UnitOptions,
  io: Io,
): Promise<ReportUnit[]> {
  const progress = await startProgress(io.stderr, collected.units.length, 'units {bar} {value}/{total}');
  try {
    return collected.units.map(({ unitId, fixes }) => {
      const track = readTrack(allFixes(fixes), options.fixOptions);
      const visits = findVisits(track, index, options.visitOptions);
      const movement = detectTrips(track, options.settings, { jump: options.flags.jump });
      const gaps = gapsOf(options);
      const { maxGapSeconds } = gaps;
      const grades = gradeTrack(track, options.gradation, { maxGapSeconds });
      progress.step();
      const meter = meterTrack(track, options.settings, gaps);
      const measures = measureVisits(visits, meter).map(({ measure }) => measure);
      const runs = splitByZone(track, index, { ...gaps, settings: options.settings });
      const sums = sumByZone(runs, meter, { by: 'day', timeZone: options.flags.timeZone ?? 'UTC' });
      const { settings } = options;
      const conduct = conductOf(options.asking, { track, visits, meter, index, settings, gaps });
      const whole = meter.between(track.time[0] ?? 0, track.time[track.length - 1] ?? 0);
      return { unitId, track, visits, measures, whole, sums, movement, grades, conduct };
    });
  } finally {
    collected.close();
    progress.stop();
  }
}

async function contents(input: ReportInput, options: ReportOptions): Promise<ReadonlyMap<string, string>> {
  const zones = input.zones.map(({ zone }) => zone);
  const { zoneOptions } = options;
  const table = <Row extends ReportRow<string>>(columns: readonly string[], rows: readonly Row[]): string => {
    const form = rowForm<Row>(columns, options.flags);
    return form.head() + form.text(rows);
  };
  const moves = input.units.flatMap(({ unitId, movement }) => movementRows(unitId, movement));
  const { language } = reportWordsIn(input.language);
  const runs = input.trips.flatMap((run) => tripPointRows(run, language));
  const trips: [string, string][] =
    input.trips.length === 0 ? [] : [['trips.csv', table(TRIP_POINT_COLUMNS, runs)]];
  return new Map([
    ['index.html', reportPage(input, await pageFiles('report'))],
    ['visits.csv', table(VISIT_COLUMNS, visitsTable(input))],
    ['movement.csv', table(MOVEMENT_COLUMNS, moves)],
    ...trips,
    ['zones.geojson', `${JSON.stringify(toFeatureCollection(zones, { ...zoneOptions, all: true }))}\n`],
    ['zones.kml', toKml(zones, { ...zoneOptions, name: input.title })],
    ['summary.json', `${JSON.stringify(summarize(input), null, 2)}\n`],
  ]);
}
