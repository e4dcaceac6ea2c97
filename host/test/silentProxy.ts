/** A TCP proxy whose connections can fall silent: they stay open, and nothing arrives any more. New connections work. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface SilentProxy {
  readonly port: number;
  /** Number of connections so far. */
  readonly connections: number;
  /** Makes the open connections silent; with `later`, all later ones too. */
  silence(options?: { readonly later?: boolean }): void;
  close(): void;
}

export async function silentProxy(
  to: { readonly host: string; readonly port: number } | string,
): Promise<SilentProxy> {
  const pairs: [Socket, Socket][] = [];
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = typeof to === 'string' ? connect(to) : connect(to);
    pairs.push([client, upstream]);
    if (isSilent) client.resume();
    else {
      client.pipe(upstream);
      upstream.pipe(client);
    }
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        upstream.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return pairs.length;
    },
    silence({ later = false } = {}) {
      isSilent = later;
      for (const [client, upstream] of pairs) {
        client.unpipe(upstream);
        upstream.unpipe(client);
        // Reads on, so that the other side notices nothing.
        client.resume();
        upstream.resume();
      }
    },
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
