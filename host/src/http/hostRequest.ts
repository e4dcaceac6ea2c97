/** Requests that ask for another protocol and are answered in HTTP all the same (RFC 9110 section 7.8). */

import { IncomingMessage } from 'node:http';

/** Addresses of WebSockets. */
const SOCKETS = /^\/api_v1\/locator\/[^/?]+\/?(?:\?|$)/;

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
