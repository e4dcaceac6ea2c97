/** The output of `wayzone route`, on the terminal and in files. */

import { extname } from 'node:path';
import { type RoutePageInput, routePage, routeWords } from '../../../report/index.js';
import { amountTexts } from '../../../routing/amountTexts.js';
import { type EngineRoute, type RoutingAnswer, routeFromRouting } from '../../../routing/index.js';
import { pageFiles } from '../../io/pageFiles.js';
import { printable, table } from '../../io/terminal.js';

/** Options of the files that a route is written to. */
export interface RouteOutputFlags {
  readonly language: string;
  readonly width: number;
  readonly title?: string;
}

/** A route with the lengths of its steps, which the wire format lacks. */
export interface BuiltRoute {
  readonly result: RoutingAnswer;
  readonly route: EngineRoute;
  readonly engine: string;
}

/** The content of a file, in the format of its extension. */
export async function contentOf(built: BuiltRoute, file: string, flags: RouteOutputFlags): Promise<string> {
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

export function jsonOf(result: RoutingAnswer): string {
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

export function routeTextOf(
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
