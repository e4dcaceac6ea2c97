/** Declares the command `route`: options and help. Its work is loaded when the command runs. */

import { extname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { flagAmount } from '../../flags/flagRows.js';
import { addZoneFlags } from '../../flags/options.js';
import { ROUTE_ENDINGS } from '../../io/fileFormat.js';
import type { Io, Run } from '../../io/io.js';
import type { RouteFlags } from './route.js';

/** Adds the command `route`. */
export function routeCommand(program: Command, io: Io, run: Run): void {
  const command = program
    .command('route')
    .summary('the way through points, in the best order if asked, with instructions')
    .description(
      'Finds the way through points, as GET /routing/{points} does, with turn-by-turn instructions. Points are counted from 0.',
    )
    .argument('<points>', 'LAT,LON;LAT,LON;…')
    .optionsGroup('Engine:')
    .addOption(
      new Option(
        '--engine <name>',
        'straight needs no network, but ignores roads (default: "straight")',
      ).choices(['straight', 'osrm', 'valhalla']),
    )
    .option('--url <url>', 'URL of an OSRM or Valhalla server')
    .addOption(
      new Option(
        '--tiles <dir>',
        'run Valhalla in this process with these tiles; needs @valhallajs/valhallajs',
      ).conflicts('url'),
    )
    .option('--profile <name>', "OSRM's profile, Valhalla's costing: truck, bicycle, …")
    .option('--speed <kph>', 'speed of the straight engine (default: 50)', flagAmount)
    .option('--timeout <seconds>', 'longest wait for one answer of a server', flagAmount, 30)
    .option('--avoid <zones...>', 'files with zones to avoid (only with Valhalla)')
    .optionsGroup('Order:')
    .option(
      '--optimize',
      'find the best order; keeps the first and last point, unless --start, --end or --round-trip is given',
    )
    .option('--start <n>', 'begin at this point (implies --optimize)', index)
    .option('--end <n>', 'end at this point (implies --optimize)', index)
    .addOption(new Option('--round-trip', 'end at the first point (implies --optimize)').conflicts('end'))
    .addOption(
      new Option('--by <what>', 'quantity that the best order minimises')
        .choices(['duration', 'distance'])
        .default('duration'),
    )
    .option('--max-points <count>', 'largest number of points', count, 10)
    .optionsGroup('Output:')
    .option('--language <tag>', 'language of instructions, amounts and titles: en, ru, pt-BR, …', 'en')
    .addOption(
      new Option('--format <format>', 'format of standard output').choices(['text', 'json']).default('text'),
    )
    .option('--out <file>', 'file to write (.html, .json, .geojson, .kml or .gpx), whole or not at all')
    .option('--width <meters>', 'radius of the stops and width of the lines in .geojson and .kml', width, 100)
    .option(
      '--title <text>',
      'title of the page and of the route in files (default: "Route", in Russian "Маршрут")',
    );
  addZoneFlags(command)
    .addHelpText(
      'after',
      `
Examples:
  wayzone route "55.75,37.61;55.70,37.50;55.80,37.40" --optimize --language ru
  wayzone route "55.75,37.61;55.70,37.50;55.80,37.40" --start 0 --round-trip --out out/tour.html
  wayzone route "47.14,9.52;47.21,9.54" --engine osrm --url http://localhost:5000 --out way.kml
  wayzone route "47.14,9.52;47.21,9.54" --tiles valhalla_tiles --profile truck --avoid closed.geojson`,
    )
    .action((points: string, flags: RouteFlags) => {
      checkFlags(flags, command);
      return run(async () => (await import('./route.js')).route(points, flags, io));
    });
}

function checkFlags({ engine, url, tiles, speed, profile, avoid, out }: RouteFlags, command: Command): void {
  const wrong = (text: string): never => command.error(`error: ${text}`);
  const kind = engine ?? (tiles === undefined ? 'straight' : 'valhalla');
  if (kind !== 'valhalla' && tiles !== undefined) wrong('--tiles is for --engine valhalla');
  if (kind === 'straight' && url !== undefined) wrong('--url needs --engine osrm or valhalla');
  if (kind === 'osrm' && url === undefined) wrong('--engine osrm needs --url');
  if (kind === 'valhalla' && url === undefined && tiles === undefined) {
    wrong('--engine valhalla needs --url or --tiles');
  }
  if (kind === 'straight' ? profile !== undefined : speed !== undefined) {
    wrong(
      kind === 'straight' ? '--profile needs --engine osrm or valhalla' : '--speed is for --engine straight',
    );
  }
  if (kind !== 'valhalla' && avoid !== undefined) wrong('--avoid needs --engine valhalla');
  if (out !== undefined && !ROUTE_ENDINGS.includes(extname(out).toLowerCase())) {
    wrong(`--out must end in ${ROUTE_ENDINGS.join(', ')}`);
  }
}

function index(text: string): number {
  return whole(text, 0, 'Expected the number of a point, from 0.');
}

function count(text: string): number {
  return whole(text, 2, 'Expected a whole number from 2.');
}

function whole(text: string, least: number, message: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < least)
    throw new InvalidArgumentError(message);
  return value;
}

function width(text: string): number {
  const value = flagAmount(text);
  if (value === 0) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}
