/** A receiver of webhooks that can fail. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly id: string;
  readonly body: { readonly id: string; readonly unitId: string; readonly type: string } & Readonly<
    Record<string, unknown>
  >;
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Receiver {
  readonly url: string;
  /** What was taken with 200, in the order of arrival. */
  readonly taken: Received[];
  readonly tried: Received[];
  close(): void;
}

/** `answer` decides on each request; without an answer the request is taken. */
export async function receiver(
  answer: (received: Received, response: ServerResponse) => 'refused' | 'taken' = () => 'taken',
): Promise<Receiver> {
  const taken: Received[] = [];
  const tried: Received[] = [];
  const server = createServer((request, response) => {
    void take(request).then((received) => {
      tried.push(received);
      if (answer(received, response) === 'refused') return;
      taken.push(received);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, taken, tried, close: () => void server.close() };
}

async function take(request: IncomingMessage): Promise<Received> {
  const raw = await text(request);
  const headers = request.headers as Record<string, string>;
  return { id: headers['webhook-id']!, body: JSON.parse(raw) as Received['body'], raw, headers };
}
