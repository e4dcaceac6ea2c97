import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import { drainUnread } from '../src/http/addBodies.js';
import { type Caller, type Given, onADatabase, type TestHost } from './testHost.js';

/** A request that is answered before its body has ended leaves its keep-alive connection to the next request, or closes it. */

/** The answers of a connection, one after the other. */
function answersOf(socket: Socket): () => Promise<{ status: number; isLast: boolean }> {
  let received = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.on('close', () => {
    isClosed = true;
  });
  socket.on('error', () => {});
  return async () => {
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      const head = received.slice(0, Math.max(end, 0)).toLowerCase();
      const length = Number(/content-length: (\d+)/.exec(head)?.[1] ?? 0);
      if (end !== -1 && received.length >= end + 4 + length) {
        received = received.slice(end + 4 + length);
        return { status: Number(head.split(' ')[1]), isLast: head.includes('connection: close') };
      }
      if (isClosed) return { status: 0, isLast: true };
      await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => {});
    }
  };
}

const MEBIBYTE = 2 ** 20;

interface Refused {
  readonly name: string;
  readonly target: string;
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: readonly string[];
  readonly isAnonymous?: true;
}

function form(name: string, content: Buffer | string, more: string = ''): Buffer {
  const head = `--b\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(head),
    Buffer.from(content as string),
    Buffer.from(`\r\n${more}--b--\r\n`),
  ]);
}

const FORM = 'multipart/form-data; boundary=b';
const long = (bytes: number): Buffer => Buffer.alloc(bytes, 'no such file ');
const FIELDS = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(5000);
const CSV = 'name,lon,lat\nA,30,60\n';

/** Bodies that are refused before their end: by the name of the file, its content, its size, the caller, the type, the encoding. */
const REFUSED: readonly Refused[] = [
  {
    name: 'unknown format',
    target: '/geozones/import',
    status: 422,
    type: FORM,
    body: form('a.txt', long(300_000)),
  },
  {
    name: 'no KMZ',
    target: '/geozones/import',
    status: 200,
    type: FORM,
    body: form('a.kmz', long(3 * MEBIBYTE)),
  },
  {
    name: 'no XLSX',
    target: '/geozones/import',
    status: 200,
    type: FORM,
    body: form('a.xlsx', long(3 * MEBIBYTE)),
  },
  {
    name: 'fields after the file',
    target: '/geozones/import?dry_run=true',
    status: 413,
    type: FORM,
    body: form('a.csv', CSV, FIELDS),
  },
  {
    name: 'two files',
    target: '/geozones/import?dry_run=true',
    status: 422,
    type: FORM,
    body: form('a.csv', CSV, form('b.csv', long(MEBIBYTE)).toString().slice(0, -7)),
  },
  {
    name: 'no picture',
    target: '/upload_photos/geozones',
    status: 422,
    type: FORM,
    body: form('a.png', long(2 * MEBIBYTE)),
  },
  {
    name: 'a picture that is too large',
    target: '/upload_photos/geozones',
    status: 413,
    type: FORM,
    body: form('a.png', long(8 * MEBIBYTE)),
  },
  {
    name: 'no form',
    target: '/upload_photos/geozones',
    status: 415,
    type: 'image/png',
    body: long(MEBIBYTE),
  },
  {
    name: 'no token',
    target: '/geozones/import',
    status: 401,
    type: FORM,
    body: form('a.kml', long(MEBIBYTE)),
    isAnonymous: true,
  },
  { name: 'no JSON', target: '/geozones', status: 415, type: 'text/plain', body: long(MEBIBYTE) },
  {
    name: 'too long for JSON',
    target: '/geozones',
    status: 413,
    type: 'application/json',
    body: long(9 * MEBIBYTE),
  },
  {
    name: 'unknown encoding',
    target: '/geozones',
    status: 415,
    type: 'application/json',
    body: long(MEBIBYTE),
    headers: ['content-encoding: zstd'],
  },
  {
    name: 'a bomb',
    target: '/geozones',
    status: 413,
    type: 'application/json',
    body: gzipSync(Buffer.alloc(600 * MEBIBYTE)),
    headers: ['content-encoding: gzip'],
  },
  {
    name: 'no gzip',
    target: '/geozones',
    status: 400,
    type: 'application/json',
    body: long(500_000),
    headers: ['content-encoding: gzip'],
  },
  {
    name: 'unknown address',
    target: '/no/such',
    status: 404,
    type: FORM,
    body: form('a.kml', long(MEBIBYTE)),
  },
  { name: 'other method', target: '/me', status: 405, type: FORM, body: form('a.kml', long(MEBIBYTE)) },
  {
    name: 'no form of a tracker',
    target: '/osmand',
    status: 415,
    type: 'text/plain',
    body: long(MEBIBYTE),
    isAnonymous: true,
  },
];

function contract(given: () => Given): void {
  let hosted: TestHost;
  let caller: Caller;
  let port: number;
  beforeAll(async () => {
    ({ hosted } = given());
    caller = await hosted.as(await hosted.company(), 'ADMIN');
    await hosted.host.app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = hosted.host.app.server.address() as AddressInfo);
  });

  const headOf = (method: string, target: string, headers: readonly string[], isAnonymous: boolean): string =>
    [
      `${method} /api_v1${target} HTTP/1.1`,
      'host: x',
      ...(isAnonymous ? [] : [`authorization: ${caller.headers['authorization']}`]),
      ...headers,
      '\r\n',
    ].join('\r\n');

  for (const isChunked of [false, true])
    test(`every refused body ${isChunked ? 'in chunks' : 'with a length'} leaves the connection to the next request`, async () => {
      const found: unknown[] = [];
      for (const { name, target, type, body, headers = [], isAnonymous = false } of REFUSED) {
        const socket = connect(port, '127.0.0.1');
        const next = answersOf(socket);
        const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${body.length}`;
        socket.write(headOf('POST', target, [`content-type: ${type}`, length, ...headers], isAnonymous));
        if (isChunked) socket.write(`${body.length.toString(16)}\r\n`);
        socket.write(body);
        if (isChunked) socket.write('\r\n0\r\n\r\n');
        const { status } = await next();
        socket.write(headOf('GET', '/me', [], false));
        found.push([name, status, (await next()).status]);
        socket.destroy();
      }
      expect(found).toEqual(REFUSED.map(({ name, status }) => [name, status, 200]));
    });
}

onADatabase(contract);

test('a rest above the limits closes the connection: by its length, by its bytes, by its time', async () => {
  const app = Fastify({ bodyLimit: 1 });
  drainUnread(app, { mostBytes: 1000, mostMs: 20 });
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.post('/', (request) => {
    // What is read and left off.
    request.raw.read(0);
    return 'refused';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sent = async (head: string, body: string): Promise<{ status: number; isLast: boolean }> => {
    const socket = connect(port, '127.0.0.1');
    const next = answersOf(socket);
    const closed = once(socket, 'close');
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-type: x/y\r\n${head}\r\n\r\n${body}`);
    const answer = await next();
    await closed;
    return answer;
  };
  expect(await sent('content-length: 5000', 'x'.repeat(10))).toEqual({ status: 200, isLast: true });
  expect(await sent('transfer-encoding: chunked', `800\r\n${'x'.repeat(2048)}`)).toEqual({
    status: 200,
    isLast: false,
  });
  // The client never sends the rest.
  expect(await sent('content-length: 500', 'x')).toEqual({ status: 200, isLast: false });
  await app.close();
});
