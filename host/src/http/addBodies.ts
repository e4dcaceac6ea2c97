/** Reads request bodies: decompresses them, and accepts an empty body as JSON `null`. */

import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { schemaCheck } from '../schemaCheck.js';
import { checkText } from '../storage/checkText.js';
import { isDeep, MOST_LEVELS } from './isDeep.js';
import { refusal } from './refusal.js';

const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const ANY_BODY = schemaCheck({ type: ['object', 'array'] }, 'body');

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
