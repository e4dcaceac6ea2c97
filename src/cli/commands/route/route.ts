/** `wayzone route`: the route through points, in the given or the best order, with its instructions. */

import {
  type BuildRoutingOptions,
  buildRouting,
  type EngineRoute,
  type RouteRequest,
  type RoutingEngine,
} from '../../../routing/index.js';
import { readingOptions, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import type { Io, OutputStream } from '../../io/io.js';
import { reportIssues } from '../../io/reportIssues.js';
import { writeFile } from '../../io/writeFiles.js';
import { collect } from '../../shared/collect.js';
import { indexOfZones } from '../../shared/indexOfZones.js';
import { type BuiltRoute, contentOf, jsonOf, type RouteOutputFlags, routeTextOf } from './builtRoute.js';
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
