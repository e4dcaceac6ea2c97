/**
 * MQTT 5: a session that the broker keeps. Up to 500 messages are handed over at once and acknowledged after their fixes are committed; the client
 * `mqtt` acknowledges one message before it shows the next, so this speaks the few packets itself, by that client's codec.
 */

import { connect as connectPlain, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import type { IConnackPacket, IPublishPacket, ISubackPacket, Packet } from 'mqtt-packet';
import { failureSignal, MOST_MESSAGES, type Source, type SourceOptions, type Take } from './source.js';

/** Seconds for which the broker keeps messages of a source that is away. */
const SESSION_SECONDS = 7 * 86_400;
const KEEPALIVE_SECONDS = 30;
const RECONNECT_MS = 1000;
/** First reason code of a failure (MQTT 5.0, section 2.4). */
const FAILURE = 0x80;

/** A connection whose subscription the broker has confirmed. */
interface Session {
  /** Messages that nobody took yet. */
  readonly waiting: IPublishPacket[];
  readonly send: (packet: Packet) => void;
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

/** The last level of a topic is a device key. Throws when no broker answers, or it refuses the user or the topic. */
export async function mqttSource(options: SourceOptions, take: Take): Promise<Source> {
  const { ended, fail } = failureSignal();
  let isClosing = false;
  let wake: () => void = () => {};
  const open = (): Promise<Session> => openSession(options, () => wake());
  let session = await open();
  const loop = (async () => {
    while (!isClosing) {
      if (!session.isOpen()) {
        await sleep(RECONNECT_MS);
        // The broker sends unacknowledged messages again.
        session = await open().catch((error: unknown) => {
          if (!isClosing) options.onWaiting(`MQTT: ${String(error)}`, RECONNECT_MS);
          return session;
        });
        continue;
      }
      const own = session;
      const packets = own.waiting.splice(0, MOST_MESSAGES);
      if (packets.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (own.waiting.length > 0 || !own.isOpen() || isClosing) resolve();
        });
        continue;
      }
      await take(
        packets.map(({ topic, payload }) => ({
          place: topic,
          text: payload.toString(),
          deviceKey: topic.split('/').at(-1)!,
        })),
      );
      for (const { messageId } of packets)
        if (messageId !== undefined) own.send({ cmd: 'puback', messageId, reasonCode: 0 });
    }
  })();
  loop.catch((error: unknown) => {
    if (!isClosing) fail(error);
  });
  return {
    ended,
    async close() {
      isClosing = true;
      wake();
      await loop.catch(() => {});
      session.send({ cmd: 'disconnect' });
      session.close();
    },
  };
}

async function openSession(
  { url, topic, group, username, password }: SourceOptions,
  onChange: () => void,
): Promise<Session> {
  const { generate, parser: makeParser } = await import('mqtt-packet');
  const { protocol, hostname: host, port } = new URL(url);
  const isSecure = protocol === 'mqtts:';
  const socket: Socket = isSecure
    ? connectSecurely({ host, port: Number(port || 8883), servername: host })
    : connectPlain({ host, port: Number(port || 1883) });
  const version = { protocolVersion: 5 } as const;
  const send = (packet: Packet): void => {
    if (socket.writable) socket.write(generate(packet, version));
  };
  const waiting: IPublishPacket[] = [];
  const parser = makeParser(version);
  let pinging: NodeJS.Timeout | undefined;
  socket.setTimeout(2000 * KEEPALIVE_SECONDS, () => socket.destroy());
  socket.on('data', (part) => parser.parse(part));
  await new Promise<void>((resolve, reject) => {
    socket.on('close', () => {
      clearInterval(pinging);
      reject(Object.assign(new Error('the broker closed the connection'), { code: 'ECONNRESET' }));
      onChange();
    });
    socket.on('error', reject);
    parser.on('error', (error) => socket.destroy(error));
    parser.on('packet', (packet: Packet) => {
      if (packet.cmd === 'publish') {
        waiting.push(packet);
        onChange();
      } else if (packet.cmd === 'connack') {
        if (refuses(packet)) return reject(refusal('user', packet.reasonCode));
        send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos: 1 }] });
      } else if (packet.cmd === 'suback') {
        const [code] = (packet as ISubackPacket).granted as number[];
        if (code! >= FAILURE) return reject(refusal('topic', code));
        resolve();
      } else if (packet.cmd === 'disconnect') socket.destroy();
    });
    send({
      cmd: 'connect',
      protocolId: 'MQTT',
      ...version,
      clean: false,
      clientId: group,
      keepalive: KEEPALIVE_SECONDS,
      properties: { sessionExpiryInterval: SESSION_SECONDS, receiveMaximum: MOST_MESSAGES },
      ...(username === null ? {} : { username }),
      ...(password === null ? {} : { password: Buffer.from(password) }),
    });
    pinging = setInterval(() => send({ cmd: 'pingreq' }), (1000 * KEEPALIVE_SECONDS) / 2);
  }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  return { waiting, send, isOpen: () => !socket.destroyed, close: () => socket.end() };
}

const refuses = ({ reasonCode = 0 }: IConnackPacket): boolean => reasonCode >= FAILURE;

function refusal(what: string, code: number | undefined): Error {
  return Object.assign(
    new Error(`expected a ${what} that the broker accepts, received reason code ${code}`),
    {
      code: 'mqtt-refused',
    },
  );
}
