/** MQTT 5: publishes with QoS 1, so that the broker has the event before it counts as delivered. The client loads with the first sink. */

import type { MqttClient } from 'mqtt';
import type { AddressGuard } from './addressGuard.js';
import type { Sender, Sink } from './sink.js';

const CONNECT_MS = 10_000;

/** Topic `<topic>/<unit id>`; the id of the event is the user property `id`. */
export function mqttSender({ id, target }: Sink, guard: AddressGuard): Sender {
  const { url, topic = 'wayzone', username, password } = target;
  let client: Promise<MqttClient> | null = null;

  const open = async (): Promise<MqttClient> => {
    const { hostname } = new URL(url);
    const [first] = await guard.resolve(hostname);
    const { connectAsync } = await import('mqtt');
    const opened = await connectAsync(url, {
      // The checked address; `servername` keeps the name for TLS.
      host: first!.address,
      servername: hostname,
      clientId: `wayzone-${id}-${process.pid}`,
      protocolVersion: 5,
      clean: true,
      connectTimeout: CONNECT_MS,
      // A lost connection is opened again by the next event.
      reconnectPeriod: 0,
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password }),
    });
    opened.on('error', () => {});
    opened.on('close', () => {
      client = null;
    });
    return opened;
  };

  return {
    async send(message) {
      client ??= open().catch((error: unknown) => {
        client = null;
        throw error;
      });
      const opened = await client;
      const sent = opened.publishAsync(`${topic}/${message.unitId}`, message.body, {
        qos: 1,
        properties: { contentType: 'application/json', userProperties: { id: message.id } },
      });
      await within(CONNECT_MS, sent, opened);
    },
    async close() {
      const opened = await client?.catch(() => null);
      await opened?.endAsync(true);
    },
  };
}

/** Rejects when the broker does not acknowledge in time, or the connection closes: the client then keeps the message for ever. */
async function within(ms: number, sent: Promise<unknown>, client: MqttClient): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let closed: (() => void) | undefined;
  const failed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no acknowledgement within ${ms / 1000} s`)), ms);
    closed = () => reject(new Error('the connection to the broker closed'));
    client.once('close', closed);
  });
  try {
    await Promise.race([sent, failed]);
  } finally {
    clearTimeout(timer);
    if (closed !== undefined) client.removeListener('close', closed);
  }
}
