/** Bodies of requests: JSON, forms and files, with their limits; the rest of an unread body is read and dropped. */

import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WayzoneError } from 'wayzone';
import { schemaCheck } from '../schemaCheck.js';
import { checkText } from '../storage/checkText.js';
import { refusal, rethrowBroken } from './refusal.js';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
const ANY_BODY = schemaCheck({ type: ['object', 'array'] }, 'body');
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_MS = 10_000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Characters of the decoded body; 0 without one. */
    bodyLength: number;
  }
}

export function addBodies(app: FastifyInstance): void {
  // No operation accepts plain text: it gets 415 like any other media type.
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('bodyLength', 0);
  // Many clients send `content-type: application/json` without a body, for example with DELETE.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    request.bodyLength = text.length;
    if (request.routeOptions.config.hasTextBody === true) done(null, text);
    else if (text === '') done(null, null);
    else if (isDeep(text as string))
      done(refusal(400, `expected JSON of at most ${MOST_LEVELS} levels, received more`));
    else
      void parse(request, text as string, (error, value) => {
        const { config, schema } = request.routeOptions;
        try {
          if (error !== null) throw unparsed(text as string);
          // No schema allows the body `null`; a request without a body is another case.
          if (value === null && schema?.body !== undefined) ANY_BODY(value);
          if (config.checksItems !== true) checkText(value, text as string);
        } catch (invalid) {
          return done(invalid as Error);
        }
        done(null, value);
      });
  });
  app.addHook('preParsing', (request, _, payload, done) => {
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity') return done(null, payload);
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
    if (isForm || !Object.hasOwn(DECODERS, encoding))
      return done(
        refusal(415, `expected content-encoding gzip, deflate or br of JSON, received ${encoding}`),
      );
    const decoder = Object.assign(DECODERS[encoding as keyof typeof DECODERS](), {
      receivedEncodedLength: 0,
    });
    // Fastify checks the received bytes against content-length, and the decoded bytes against the body limit.
    payload.on('data', (chunk: Uint8Array) => {
      decoder.receivedEncodedLength += chunk.length;
    });
    payload.on('error', (error) => decoder.destroy(error));
    decoder.on('error', (error) =>
      Object.assign(error, { statusCode: 400, message: `expected a body of ${encoding}, received another` }),
    );
    payload.pipe(decoder);
    done(null, decoder);
  });
}

/** The error of a body that was not parsed: it is not JSON, or a field of it would change the prototype of an object. */
function unparsed(text: string): Error {
  try {
    JSON.parse(text);
  } catch {
    return refusal(400, 'expected JSON, received another body');
  }
  return refusal(400, 'expected no fields `__proto__` and `constructor.prototype`, received one');
}

/** Parses a query string. The values of a repeated parameter are joined with commas: `ids=a&ids=b` is `ids=a,b`. */
export function parseQuery(text: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(fields);
}

/** Maximum nesting of a body. The wire's deepest shape, a trip point's `parts`, has 8 levels. */
export const MOST_LEVELS = 64;

/** Whether JSON text is nested deeper than `MOST_LEVELS`. Checked before parsing, which would overflow the stack of what reads the value. */
export function isDeep(text: string): boolean {
  let level = 0;
  let isText = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isText) {
      if (code === BACKSLASH) i++;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++level > MOST_LEVELS) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level--;
  }
  return false;
}

type Chunks = AsyncIterable<Uint8Array<ArrayBuffer>>;

export interface FormFile {
  readonly type: 'file';
  readonly filename: string;
  readonly file: Chunks & { readonly truncated: boolean };
  toBuffer(): Promise<Buffer>;
}

type FormParts = AsyncIterator<FormFile | { readonly type: 'field'; readonly fieldname: string }>;

/** The parts of a form. `parameters`: names of the address's parameters. A form field of such a name is refused, because it would be ignored. */
export function formFiles(
  request: unknown,
  parameters: ReadonlySet<string> = new Set(),
  fileSize?: number,
): { first(): Promise<FormFile | undefined>; checkEnd(): Promise<void> } {
  // A second file is let in, to be named.
  const limits = { files: 2, ...(fileSize === undefined ? {} : { fileSize }) };
  const parts = (request as { parts(options: object): FormParts }).parts({ limits });
  const next = async (): Promise<FormFile | undefined> => {
    for (;;) {
      const { done, value: part } = await parts.next().catch(rethrowBroken);
      if (done === true) return undefined;
      if (part.type === 'file') return part;
      if (parameters.has(part.fieldname))
        throw new WayzoneError(
          'option-value',
          part.fieldname,
          'expected a parameter of the address, received a field of the form',
        );
    }
  };
  return {
    first: next,
    /** Throws if another part follows the file that was read. */
    async checkEnd() {
      if ((await next()) !== undefined)
        throw new WayzoneError('option-value', 'file', 'expected one file, received several');
    },
  };
}

interface DrainOptions {
  /** Bytes of a body that are discarded after its answer. Default 16 MiB. */
  readonly mostBytes?: number;
  /** Milliseconds that the rest of a body may take. Default 10,000. */
  readonly mostMs?: number;
}

/** Discards the rest of such a body. A rest that is longer or slower than the limits closes the connection, on which nothing else can follow. */
export function drainUnread(
  app: FastifyInstance,
  { mostBytes = MOST_BYTES, mostMs = MOST_MS }: DrainOptions = {},
): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isUnread(request)) {
      // Fastify closes the connections of some refusals, often before their clients have read the answer.
      reply.removeHeader('connection');
      // The client then knows that it need not send the rest.
      if (Number(request.headers['content-length']) > mostBytes) reply.header('connection', 'close');
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    done();
    if (!isUnread(request)) return;
    const { raw } = request;
    const close = (): void => void raw.destroy();
    const timer = setTimeout(close, mostMs).unref();
    let bytes = 0;
    raw.unpipe();
    raw.on('data', (chunk: Uint8Array) => {
      bytes += chunk.length;
      if (bytes > mostBytes) close();
    });
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => clearTimeout(timer));
    raw.once('error', close);
    raw.resume();
  });
}

function isUnread({ raw }: FastifyRequest): boolean {
  return !raw.complete && !raw.readableEnded && !raw.destroyed;
}
