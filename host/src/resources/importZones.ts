/** `POST /geozones/import`: stores all geozones of a file or none, or those without errors, and answers with every issue in the file. */

import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import type { TableHints, TableNote } from 'wayzone/interchange';
import { formatPlatformTime } from 'wayzone/schemas';
import type { Context } from '../context.js';
import { type FormFile, formFiles } from '../http/addBodies.js';
import { refusal, rethrowBroken, withFields } from '../http/refusal.js';
import { IMPORT_FORMATS, type ImportedTable, type ImportFormat } from '../jobs/jobTypes.js';
import type { Chunk } from '../jobs/pipe.js';
import { declare } from '../operation.js';
import { ISSUE } from '../schemaParts.js';
import { timeZoneOf } from '../storage/companyOf.js';
import { type Writer, write } from '../storage/rows.js';
import { authorOf } from './crud.js';

/** Parameters that answer the questions of a table, with the hint of `describeTable` that each is. Their values are checked by the library. */
const ANSWERS = [
  ['time_zone', 'timeZone', 'IANA zone of times without one; default: that of the company'],
  ['axis_order', 'axisOrder', 'order of pairs in one cell and in well-known text: lonlat or latlon'],
  ['radius_unit', 'radiusUnit', 'unit of radii: m, km, ft, mi or nmi'],
  ['coordinates', 'coordinates', 'form of positions: degrees, dms, ddmm, 1e-5, 1e-6 or 1e-7'],
  ['date_order', 'dateOrder', 'order of the numbers of dates: dmy, mdy or ymd'],
  ['encoding', 'encoding', 'encoding of a text: windows-1251, koi8-r, …'],
  ['delimiter', 'delimiter', 'delimiter of a text'],
  ['decimal', 'decimal', 'decimal mark: . or ,'],
  ['sheet', 'sheet', 'sheet of a workbook; default: the first with rows'],
].map(([parameter = '', hint = '', description = '']) => ({
  parameter,
  hint: hint as keyof TableHints,
  schema: { type: 'string', minLength: 1, maxLength: 100, description },
}));

/** Names of all parameters of the address. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'dry_run',
  'partial',
  ...ANSWERS.map(({ parameter }) => parameter),
]);

function answersOf(query: Readonly<Record<string, unknown>>): TableHints {
  return Object.fromEntries(
    ANSWERS.flatMap(({ parameter, hint }) =>
      query[parameter] === undefined ? [] : [[hint, query[parameter]]],
    ),
  ) as TableHints;
}

const NOTE = {
  type: 'object',
  required: ['code', 'message', 'parameter', 'value'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    parameter: { type: ['string', 'null'], description: 'the parameter that changes it' },
    value: { type: ['string', 'null'], description: 'its likeliest value' },
  },
};

const TABLE = {
  type: 'object',
  description:
    'what was assumed about a table that does not say everything, and what must be answered before it is read',
  required: ['assumptions', 'questions'],
  properties: { assumptions: { type: 'array', items: NOTE }, questions: { type: 'array', items: NOTE } },
};

/** Longest message: it may repeat texts of the file. */
const MOST_CHARACTERS = 2000;

interface Note {
  readonly code: string;
  readonly message: string;
  readonly parameter: string | null;
  readonly value: string | null;
}

/** Notes with the parameter of this operation instead of the flag of the command line. */
function notesOf({ assumptions, questions }: ImportedTable): { assumptions: Note[]; questions: Note[] } {
  const noteOf = ({ code, message, flag }: TableNote): Note => {
    const [name = '', value] = flag.split(' ');
    const parameter = name.slice(2).replaceAll('-', '_');
    const isKnown = ANSWERS.some((answer) => answer.parameter === parameter);
    return {
      code,
      message: message.slice(0, MOST_CHARACTERS),
      parameter: isKnown ? parameter : null,
      value: isKnown ? (value ?? null) : null,
    };
  };
  return { assumptions: assumptions.map(noteOf), questions: questions.map(noteOf) };
}

async function* chunksOf(file: FormFile['file']): AsyncGenerator<Uint8Array<ArrayBuffer>> {
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
    summary:
      'Imports a KML, KMZ, GeoJSON, GPX, CSV or XLSX file as geozones; stores all of them or none, with partial=true those without errors',
    tags: ['geozones'],
    perMinute: settings.importsPerMinute,
    bodyLimit: settings.maxBodyBytes,
    consumes: ['multipart/form-data'],
    body: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary' } },
    },
    querystring: {
      type: 'object',
      properties: {
        dry_run: { type: 'boolean', default: false, description: 'reads the file and stores nothing' },
        partial: {
          type: 'boolean',
          default: false,
          description: 'stores the zones without errors; without it a file with an error is not stored',
        },
        ...Object.fromEntries(ANSWERS.map(({ parameter, schema }) => [parameter, schema])),
      },
    },
    answer: {
      type: 'object',
      required: ['read', 'stored', 'issues'],
      properties: {
        read: { type: 'integer' },
        stored: { type: 'integer' },
        issues: { type: 'array', items: ISSUE },
        table: TABLE,
      },
    },
    async handler(request) {
      const { access, query } = request;
      const form = formFiles(request, PARAMETERS);
      const file = await form.first();
      if (file === undefined) throw new WayzoneError('required', 'file', 'expected a file, received none');
      const timeZone = await timeZoneOf(storage, access.companyId);
      const options = {
        format: formatOf(file.filename),
        created: formatPlatformTime(now(), { timeZone }),
        hints: { timeZone, fileName: file.filename.slice(0, 200), ...answersOf(query) },
        isDry: query.dry_run === true,
        isPartial: query.partial === true,
      };
      // Collects the pages until the file ends: an open transaction would block the company's other writers.
      const pages: Chunk[] = [];
      const job = zones.jobs.run(access.companyId, 'import', options, chunksOf(file.file));
      const { read, issues, isRefused, table } = await collected(job, pages).catch((error: unknown) => {
        throw withFields(error, parameterOf);
      });
      await form.checkEnd();
      const isStored = pages.length > 0 && !isRefused;
      if (isStored) {
        const insert = async (writer: Writer): Promise<number> => {
          for (const texts of pages) await writer.insertTexts('geozones', textOf(texts));
          return writer.version;
        };
        const author = authorOf(access, now());
        const version = await write(storage, access.companyId, insert, { author });
        await zones.reach(access.companyId, version);
      }
      const stored = isStored ? read : 0;
      return { read, stored, issues, ...(table === null ? {} : { table: notesOf(table) }) };
    },
  });
}

/** Adds the pages of a job, and returns its value. */
async function collected<Value>(job: AsyncIterator<Chunk, Value>, pages: Chunk[]): Promise<Value> {
  for (;;) {
    const page = await job.next();
    if (page.done === true) return page.value;
    pages.push(page.value);
  }
}

/** The parameter of a hint or an option of the reader. */
function parameterOf(field: string): string {
  const [, name = ''] = /^(?:options|table)\.(\w+)$/.exec(field) ?? [];
  return ANSWERS.find(({ hint }) => hint === name)?.parameter ?? field;
}

function textOf(page: Chunk): string {
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
