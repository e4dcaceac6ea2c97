/**
 * Kafka: an idempotent producer that waits for all replicas; the unit is the key, so that its events stay in order. Of the clients `kafkajs` alone
 * takes a `socketFactory`, by which the address of every broker is checked that a cluster names (docs/host/deliveries.md). It loads with the first sink.
 */

import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ISocketFactory, Producer } from 'kafkajs';
import type { AddressGuard } from './addressGuard.js';
import type { Sender, Sink } from './sink.js';

const ANSWER_MS = 10_000;

export interface BrokerList {
  readonly brokers: readonly string[];
  readonly isSecure: boolean;
}

/** Brokers of `kafka://host:port,host:port`; null for another text. */
export function brokersOf(url: string): BrokerList | null {
  const found = /^kafka(s?):\/\/([^/?#@]+)\/?$/.exec(url);
  const brokers = found?.[2]?.split(',') ?? [];
  const isList =
    brokers.length > 0 && brokers.every((one) => /^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i.test(one));
  return isList ? { brokers, isSecure: found?.[1] === 's' } : null;
}

/** The names or addresses of brokers, without ports. */
export const hostsOf = ({ brokers }: BrokerList): string[] => brokers.map((one) => one.replace(/:\d+$/, ''));

/** The part of a producer that a sink needs. */
export type KafkaProducer = Pick<Producer, 'connect' | 'send' | 'disconnect'>;

export type OpenProducer = (sink: Sink, list: BrokerList, guard: AddressGuard) => Promise<KafkaProducer>;

export function kafkaSender(sink: Sink, guard: AddressGuard, open: OpenProducer = openProducer): Sender {
  const { topic = 'wayzone', url } = sink.target;
  const list = brokersOf(url)!;
  let producer: Promise<KafkaProducer> | null = null;

  const connected = async (): Promise<KafkaProducer> => {
    for (const host of hostsOf(list)) await guard.resolve(host);
    const opened = await open(sink, list, guard);
    await opened.connect();
    return opened;
  };

  return {
    async send({ id, unitId, body }) {
      producer ??= connected().catch((error: unknown) => {
        producer = null;
        throw error;
      });
      const opened = await producer;
      await opened.send({ topic, acks: -1, messages: [{ key: unitId, value: body, headers: { id } }] });
    },
    async close() {
      const opened = await producer?.catch(() => null);
      await opened?.disconnect();
    },
  };
}

async function openProducer(
  { id, target }: Sink,
  { brokers, isSecure }: BrokerList,
  guard: AddressGuard,
): Promise<KafkaProducer> {
  const { Kafka, logLevel } = await import('kafkajs');
  const { username, password } = target;
  const kafka = new Kafka({
    clientId: `wayzone-${id}`,
    brokers: [...brokers],
    ssl: isSecure,
    socketFactory: guardedSockets(guard),
    connectionTimeout: ANSWER_MS,
    requestTimeout: ANSWER_MS,
    logLevel: logLevel.NOTHING,
    // The deliveries have their own retries.
    retry: { retries: 1 },
    ...(username === undefined || password === undefined
      ? {}
      : { sasl: { mechanism: 'scram-sha-256' as const, username, password } }),
  });
  return kafka.producer({ idempotent: true, maxInFlightRequests: 1, retry: { retries: 1 } });
}

/** Checks every address: a cluster names its other brokers itself. */
function guardedSockets(guard: AddressGuard): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const { lookup } = guard;
    // A name without an address is never connected to.
    const name = guard.refuses(host) ? 'refused.invalid' : host;
    const socket = ssl
      ? connectSecurely({ host: name, port, lookup, servername: host, ...ssl }, onConnect)
      : connect({ host: name, port, lookup }, onConnect);
    return socket.setKeepAlive(true, 60_000);
  };
}
