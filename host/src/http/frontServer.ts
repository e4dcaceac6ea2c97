/** One listening server in front of several applications. Each request goes to one of them, as if that had received it. */

import { createServer, IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { WayzoneError } from 'wayzone';
import { refuseUnread } from './refusal.js';

/** Addresses of WebSockets. */
const SOCKETS = /^\/api_v1\/locator\/[^/?]+\/?(?:\?|$)/;

interface FrontOptions {
  /** The application for a request; an error is the answer to it, by any application that runs, or by the front without one. */
  readonly choose: (request: IncomingMessage) => Promise<FastifyInstance>;
  /** Any application that runs. */
  readonly any: () => FastifyInstance | null;
  /** Answers of the front itself, by their paths. */
  readonly own: Readonly<Record<string, () => Promise<OwnAnswer>>>;
}

export interface OwnAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export interface FrontServer {
  /** Returns the address. */
  listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  /** Takes no further connections. */
  stop(): void;
  /** Ends the connections that are left. */
  close(): Promise<void>;
}

/** As the applications have them. */
const REQUEST_MS = 600_000;
const KEEP_ALIVE_MS = 72_000;

export function frontServer({ choose, any, own }: FrontOptions): FrontServer {
  const server = createServer({
    IncomingMessage: HostRequest,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  const chosen = async (request: IncomingMessage): Promise<FastifyInstance> => {
    try {
      return await choose(request);
    } catch (error) {
      const app = any();
      if (app === null) throw error;
      (request as HostRequest).refusal = error as Error;
      return app;
    }
  };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = own[(request.url ?? '').split('?', 1)[0]!];
    if (answer !== undefined && request.method === 'GET')
      return void answer().then(
        (one) => send(response, one),
        (error: unknown) => send(response, refused(error)),
      );
    chosen(request).then(
      (app) => app.server.emit('request', request, response),
      (error: unknown) => send(response, refused(error)),
    );
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // The client may leave meanwhile.
    const ignore = (): void => {};
    socket.on('error', ignore);
    chosen(request).then(
      (app) => {
        socket.off('error', ignore);
        app.server.emit('upgrade', request, socket, head);
      },
      () => socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n'),
    );
  });
  server.on('clientError', refuseUnread);
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port }, () => {
          const { address, port: bound, family } = server.address() as AddressInfo;
          resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
        });
      }),
    stop: () => void server.close(),
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) server.closeAllConnections();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, { status, type, body }: OwnAnswer): void {
  if (status === 503) response.setHeader('retry-after', 5);
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}

function refused(error: unknown): OwnAnswer {
  const known = error instanceof WayzoneError ? error : null;
  const body = known?.toJSON() ?? { code: 500, message: 'internal error', field: '' };
  return { status: known?.status ?? 500, type: 'application/json', body: JSON.stringify(body) };
}

/**
 * A request that asks for another protocol than the WebSocket of its address, such as HTTP/2 without TLS, is answered as if it had not asked.
 * Node hands every request with `Upgrade` to the server of WebSockets, which refuses the others.
 */
export class HostRequest extends IncomingMessage {
  declare asksForUpgrade: boolean;
  /** The answer that a server in front has decided on. */
  declare refusal?: Error;

  // Node writes the property before the headers, and reads it after them.
  get upgrade(): boolean {
    const asks =
      this.asksForUpgrade && /^websocket$/i.test(this.headers.upgrade ?? '') && SOCKETS.test(this.url ?? '');
    return asks || (this.asksForUpgrade && this.method === 'CONNECT');
  }

  set upgrade(value: boolean) {
    this.asksForUpgrade = value;
  }
}
