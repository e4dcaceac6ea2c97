/**
 * A backend of twelve endpoints on Node's own HTTP server: geozones, lists, exchange of files, positions, trips and routing. Rows are in
 * memory; put your database in their place.
 *
 *   npx tsx examples/backend/server.ts 8080
 */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  completeGeozone,
  type Fix,
  type Geozone,
  lineToPolygon,
  notFound,
  requestError,
  WayzoneError,
  ZoneIndex,
} from 'wayzone';
import { fromKml, toKml } from 'wayzone/interchange';
import { filterGeozones, selectByIds, selectForExport } from 'wayzone/listing';
import { buildRouting } from 'wayzone/routing';
import { type Trip, validateGeozone, validateTrip } from 'wayzone/schemas';
import { readTrack, VisitTracker } from 'wayzone/tracks';
import { evaluateTrip } from 'wayzone/trips';

interface Request {
  /** The values of the route's `:names`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The body as text; empty without one. */
  readonly text: string;
}

/** A text is sent as KML, anything else as JSON. */
type Handler = (request: Request) => unknown;

const TIME_ZONE = 'Europe/Moscow';

/** A server with empty stores. */
export function createBackend(): Server {
  const zones = new Map<string, Geozone>();
  const fixes = new Map<string, Fix[]>();
  const index = new ZoneIndex<Geozone>([]);
  const tracker = new VisitTracker(index, { minInsideSeconds: 30 });

  /** Stores a geozone that a client sent. The index is edited in place. */
  const store = (sent: unknown, id: string): Geozone => {
    const zone = { ...completeGeozone(validateGeozone(sent)), id };
    if (zones.has(id)) index.update(zone);
    else index.add(zone);
    zones.set(id, zone);
    return zone;
  };
  const found = (id: string): Geozone => {
    const zone = zones.get(id);
    if (zone === undefined) throw notFound('geozone', id);
    return zone;
  };

  const routes: readonly (readonly [method: string, path: string, handler: Handler])[] = [
    ['GET', '/geozones', ({ query }) => selectByIds([...zones.values()], query.get('ids') ?? undefined)],
    ['POST', '/geozones', ({ text }) => store(jsonOf(text), randomUUID())],
    ['PUT', '/geozones/:id', ({ params, text }) => store(jsonOf(text), found(params['id']!).id)],
    [
      'DELETE',
      '/geozones/:id',
      ({ params }) => {
        const zone = found(params['id']!);
        zones.delete(zone.id);
        index.remove(zone.id);
        return { ...zone, is_delete: true };
      },
    ],
    ['POST', '/geozones/filter', ({ text }) => filterGeozones([...zones.values()], jsonOf(text) as object)],
    ['POST', '/geozones/line_to_polygon', ({ text }) => lineToPolygon(jsonOf(text) as never)],
    [
      'POST',
      '/geozones/export_kml',
      ({ text }) => toKml(selectForExport([...zones.values()], [], jsonOf(text) as object)),
    ],
    [
      'POST',
      '/geozones/import',
      ({ text }) => {
        const { value, issues } = fromKml(text);
        return { stored: value.zones.map((zone) => store(zone, randomUUID()).id), issues };
      },
    ],
    [
      'GET',
      '/positions/:lon/:lat/geozones',
      ({ params }) => index.at([Number(params['lon']), Number(params['lat'])]).map((id) => zones.get(id)),
    ],
    [
      'POST',
      '/positions',
      ({ text }) => {
        const sent = jsonOf(text) as readonly (Fix & { readonly unit_id: string })[];
        return sent.flatMap(({ unit_id: unitId, ...fix }) => {
          fixes.set(unitId, [...(fixes.get(unitId) ?? []), fix]);
          return tracker.push(unitId, fix);
        });
      },
    ],
    [
      'POST',
      '/trips/report',
      ({ text, query }) => {
        const trip = validateTrip(jsonOf(text)) as Trip;
        const track = readTrack(fixes.get(trip.unit.id) ?? []);
        return evaluateTrip(trip, query.get('date') ?? trip.dates[0]!, track, { timeZone: TIME_ZONE });
      },
    ],
    ['GET', '/routing/:points', ({ params }) => buildRouting(params['points']!, { language: 'en' })],
  ];

  const reply = async (message: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const send = (status: number, body: unknown): void => {
      const type = typeof body === 'string' ? 'application/vnd.google-earth.kml+xml' : 'application/json';
      answer.writeHead(status, { 'content-type': type });
      answer.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    try {
      const url = new URL(message.url!, 'http://host');
      for (const [method, path, handler] of routes) {
        const params = method === message.method ? paramsOf(path, url.pathname) : null;
        if (params === null) continue;
        return send(200, await handler({ params, query: url.searchParams, text: await textOf(message) }));
      }
      throw requestError(404);
    } catch (error) {
      if (error instanceof WayzoneError) send(error.statusCode, error.toJSON());
      else send(500, { code: 500, message: 'internal error' });
    }
  };
  return createServer((message, answer) => void reply(message, answer));
}

/** The values of the names in `path`; null if the address is another one. */
function paramsOf(path: string, address: string): Record<string, string> | null {
  const [names, parts] = [path.split('/'), address.split('/')];
  if (names.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    if (name.startsWith(':')) params[name.slice(1)] = decodeURIComponent(parts[i]!);
    else if (name !== parts[i]) return null;
  }
  return params;
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WayzoneError('json-syntax', '', 'expected a body of JSON, received another text');
  }
}

if (process.argv[1]?.endsWith('backend/server.ts')) createBackend().listen(Number(process.argv[2] ?? 8080));
