/** `POST /geozones/import`: stores all geozones of a file or none, and answers with every issue in the file. */

import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import { formatPlatformTime } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { refusal } from '../http/refusal.js';
import { declare } from '../operation.js';
import { type Writer, write } from '../storage/rows.js';
import { IMPORT_FORMATS, type ImportFormat } from '../threads/jobTypes.js';
import type { Piece } from '../threads/pipe.js';
import { authorOf, timeZoneOf } from './crud.js';

type Chunks = AsyncIterable<Uint8Array<ArrayBuffer>>;

const ISSUE = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    severity: { type: 'string' },
    field: { type: 'string' },
    message: { type: 'string' },
  },
};

interface Multipart {
  file(): Promise<
    { readonly filename: string; readonly file: Chunks & { readonly truncated: boolean } } | undefined
  >;
}

/** Throws 400 for a truncated form: the error of the multipart reader then has no status. */
function rethrowBroken(error: unknown): never {
  if (typeof (error as { statusCode?: unknown }).statusCode === 'number') throw error;
  throw refusal(400, 'expected a whole multipart form, received a broken one');
}

async function* chunksOf(
  file: Chunks & { readonly truncated: boolean },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* file;
  } catch (error) {
    rethrowBroken(error);
  }
  if (file.truncated) throw refusal(413, 'expected a smaller file, received one above the size limit');
}

export function importZones(app: FastifyInstance, context: Context): void {
  const { storage, zones, settings, now } = context;
  declare(app, {
    method: 'POST',
    url: '/geozones/import',
    summary: 'Imports a KML, KMZ, GeoJSON, GPX or CSV file as geozones; stores all of them or none',
    tags: ['geozones'],
    perMinute: settings.importsPerMinute,
    bodyLimit: settings.maxBodyBytes,
    consumes: ['multipart/form-data'],
    body: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    },
    querystring: { type: 'object', properties: { dry_run: { type: 'string', enum: ['true', 'false'] } } },
    answer: {
      type: 'object',
      required: ['read', 'stored', 'issues'],
      properties: {
        read: { type: 'integer' },
        stored: { type: 'integer' },
        issues: { type: 'array', items: ISSUE },
      },
    },
    async handler(request) {
      const { access, query } = request;
      const file = await (request as unknown as Multipart).file().catch(rethrowBroken);
      if (file === undefined) throw new WayzoneError('required', 'file', 'expected a file, received none');
      const options = {
        format: formatOf(file.filename),
        created: formatPlatformTime(now(), { timeZone: await timeZoneOf(context, access.companyId) }),
        isDry: query['dry_run'] === 'true',
      };
      // Collects the pages until the file ends: an open transaction would block the company's other writers.
      const pages: Piece[] = [];
      const job = zones.jobs.run('import', options, chunksOf(file.file));
      let page = await job.next();
      for (; page.done !== true; page = await job.next()) pages.push(page.value);
      const { read, issues } = page.value;
      if (pages.length > 0) {
        const insert = async (writer: Writer): Promise<number> => {
          for (const texts of pages) await writer.insertTexts('geozones', textOf(texts));
          return writer.version;
        };
        const author = authorOf(access, now());
        const version = await write(storage, access.companyId, insert, { author });
        await zones.reach(access.companyId, version);
      }
      return { read, stored: pages.length > 0 ? read : 0, issues };
    },
  });
}

function textOf(page: Piece): string {
  return typeof page === 'string' ? page : new TextDecoder().decode(page);
}

/** The format by the file name's extension. */
function formatOf(filename: string): ImportFormat {
  const ending = filename.toLowerCase().split('.').at(-1);
  const format = IMPORT_FORMATS.find((name) => name === ending);
  if (format === undefined)
    throw new WayzoneError(
      'format-unknown',
      'file',
      `expected a file named .${IMPORT_FORMATS.join(', .')}, received ${filename.slice(0, 60)}`,
    );
  return format;
}
