/** Scripted HTTP servers on loopback for the tests of engines. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WayzoneError } from '../../src/index.js';
import type { Fetch } from '../../src/routing/index.js';

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface Loopback {
  readonly url: string;
  /** The paths requested so far, in order. */
  readonly requests: { readonly path: string; readonly body: string }[];
  close(): Promise<void>;
}

export async function serve(handler: Handler): Promise<Loopback> {
  const requests: { path: string; body: string }[] = [];
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      requests.push({ path: request.url ?? '', body });
      handler(request, response, body);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The global `fetch` with its wider types. */
export const realFetch: Fetch = async (url, init) => await fetch(url, init);

/** The error that a promise rejects with. */
export async function rejected(promise: Promise<unknown>): Promise<WayzoneError> {
  try {
    await promise;
  } catch (error) {
    return error as WayzoneError;
  }
  throw new Error('nothing was thrown');
}
