/** `wayzone route`: the route through points, in the given or the best order, with its instructions. */

import { extname } from 'node:path';
import { type RoutePageInput, routePage, routeWords } from '../../../report/index.js';
import {
  type BuildRoutingOptions,
  buildRouting,
  type EngineRoute,
  type RouteRequest,
  type RoutingAnswer,
  type RoutingEngine,
  routeFromRouting,
} from '../../../routing/index.js';
import { amountTexts } from '../../../routing/routingColumns.js';
import { readingOptions, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import { type Io, type OutputStream, reportIssues } from '../../io/io.js';
import { pageFiles } from '../../io/pageFiles.js';
import { printable, table } from '../../io/terminal.js';
import { writeFile } from '../../io/writeAside.js';
import { collect } from '../../shared/collect.js';
import { indexOfZones } from '../../shared/indexOfZones.js';
import { type EngineFlags, routeEngine } from './routeEngine.js';

export interface RouteFlags extends EngineFlags, RouteOutputFlags, ZoneFlags {
  readonly avoid?: readonly string[];
  readonly optimize?: boolean;
  readonly start?: number;
  readonly end?: number;
  readonly roundTrip?: boolean;
  readonly by: 'duration' | 'distance';
  readonly maxPoints: number;
  readonly format: 'text' | 'json';
  readonly out?: string;
}

export async function route(points: string, flags: RouteFlags, io: Io): Promise<boolean> {
  const avoided = await avoidZones(flags.avoid ?? [], flags, io.stderr);
  if (avoided === null) return false;
  const built = await build(points, flags, avoided);
  if (flags.out !== undefined) {
    const text = await contentOf(built, flags.out, flags);
    io.stderr.write(`Written to ${await writeFile(flags.out, text)}\n`);
  }
  if (built.engine === STRAIGHT) io.stderr.write(STRAIGHT_NOTE);
  io.stdout.write(flags.format === 'json' ? jsonOf(built.result) : routeTextOf(built, flags));
  return true;
}

const STRAIGHT = 'straight-line';
const STRAIGHT_NOTE =
  'Straight lines between the points, 1.3 times as long, not roads; for roads: --engine osrm --url URL, or --tiles DIR\n';

async function build(
  points: string,
  flags: RouteFlags,
  avoided: Pick<BuildRoutingOptions, 'avoidZones' | 'zoneOptions'>,
): Promise<BuiltRoute> {
  const engine = await routeEngine(flags, process.cwd());
  let route: EngineRoute | null = null as EngineRoute | null;
  const listening: RoutingEngine = {
    ...engine,
    route: async (places, request) => {
      route = await engine.route(places, request);
      return route;
    },
  };
  const { language, by, maxPoints } = flags;
  const result = await buildRouting(points, {
    ...avoided,
    engine: listening,
    optimize: orderOf(flags),
    language,
    by,
    maxPoints,
  });
  return { result, route: route!, engine: engine.name };
}

function orderOf({
  optimize = false,
  start,
  end,
  roundTrip,
}: RouteFlags): NonNullable<BuildRoutingOptions['optimize']> {
  if (start === undefined && end === undefined && roundTrip === undefined) return optimize;
  return {
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(roundTrip === undefined ? {} : { roundTrip }),
  };
}

/** Returns null if a file could not be read: no zone may be dropped silently. Issues go to `stderr`. */
async function avoidZones(
  files: readonly string[],
  flags: ZoneFlags,
  stderr: OutputStream,
): Promise<Pick<RouteRequest, 'avoidZones' | 'zoneOptions'> | null> {
  if (files.length === 0) return {};
  const collected = await collect({ zones: files, tracks: [] }, readingOptions(flags), stderr);
  const options = zoneOptions(flags);
  const index = indexOfZones(collected, options);
  if (!reportIssues(collected.issues, stderr)) return null;
  return { avoidZones: collected.zones.filter(({ id }) => index.has(id)), zoneOptions: options };
}

/** Options of the files that a route is written to. */
interface RouteOutputFlags {
  readonly language: string;
  readonly width: number;
  readonly title?: string;
}

/** A route with the lengths of its steps, which the wire format lacks. */
interface BuiltRoute {
  readonly result: RoutingAnswer;
  readonly route: EngineRoute;
  readonly engine: string;
}

/** The content of a file, in the format of its extension. */
async function contentOf(built: BuiltRoute, file: string, flags: RouteOutputFlags): Promise<string> {
  const title = titleOf(flags);
  const routeOf = (): ReturnType<typeof routeFromRouting> =>
    routeFromRouting(built.result, {
      name: title,
      widthMeters: flags.width,
    });
  switch (extname(file).toLowerCase()) {
    case '.html':
      return routePage(pageInput(built, flags), await pageFiles('route'));
    case '.kml': {
      const { toKml } = await import('../../../interchange/kml/toKml.js');
      return toKml([], { name: title, routes: [routeOf()] });
    }
    case '.gpx': {
      const { toGpx } = await import('../../../interchange/gpx/toGpx.js');
      return toGpx({ routes: [routeOf()] });
    }
    case '.geojson': {
      const { toFeatureCollection } = await import('../../../interchange/geojson/writeFeatureCollection.js');
      const options = { all: true, lines: 'line', circles: 'point', routes: [routeOf()] } as const;
      return `${JSON.stringify(toFeatureCollection([], options))}\n`;
    }
    default:
      return jsonOf(built.result);
  }
}

function jsonOf(result: RoutingAnswer): string {
  return `${JSON.stringify(result, null, 2)}\n`;
}

/** The given title, else the page's word for a route. */
function titleOf({ title, language }: RouteOutputFlags): string {
  return title ?? routeWords(language).title;
}

function pageInput(built: BuiltRoute, flags: RouteOutputFlags): RoutePageInput {
  const { language } = flags;
  const { result, route, engine } = built;
  const texts = amountTexts(language);
  return {
    title: titleOf(flags),
    language,
    engine,
    stops: [result.values[0]!.from!, ...result.values.map((row) => row.to!)],
    distance: texts.distance(route.distanceMeters),
    duration: texts.duration(route.durationSeconds),
    legs: result.values.map((row, i) => {
      const { steps } = route.legs[i]!;
      const total = steps.reduce((sum, step) => sum + step.distanceMeters, 0);
      let gone = 0;
      return {
        points: row.points,
        distance: row.distance_text!,
        duration: row.duration_text!,
        instructions: row.instructions!.map((text, j) => {
          const meters = steps[j]!.distanceMeters;
          const share = total > 0 ? Math.min(1, gone / total) : 0;
          gone += meters;
          return { text, distance: meters > 0 ? texts.distance(meters) : '', share };
        }),
      };
    }),
  };
}

function routeTextOf(
  { result: { columns, values }, route }: BuiltRoute,
  { language }: RouteOutputFlags,
): string {
  const shown = ['order', 'from', 'to', 'distance_text', 'duration_text'] as const;
  const texts = amountTexts(language);
  const titles = shown.map((key) => columns.find((column) => column.key === key)!.value);
  const rows = values.map((row) => shown.map((key) => row[key]!));
  const total = ['', '', '', texts.distance(route.distanceMeters), texts.duration(route.durationSeconds)];
  const lines = table(titles, values.length > 1 ? [...rows, total] : rows);
  for (const { order, instructions = [] } of values) {
    lines.push('', `${order} → ${order! + 1}`, ...instructions.map((text) => `  ${printable(text)}`));
  }
  return `${lines.join('\n')}\n`;
}
