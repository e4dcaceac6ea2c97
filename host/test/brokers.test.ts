import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import { KAFKA, KAFKA_URL, MOSQUITTO, MOSQUITTO_PATH, needs } from '../../test/needs.js';
import { addressGuard } from '../src/delivery/addressGuard.js';
import { startDeliveries } from '../src/delivery/deliveries.js';
import { brokersOf, kafkaSender } from '../src/delivery/kafkaSender.js';
import type { Sink } from '../src/delivery/sink.js';
import { hostMetrics } from '../src/metrics.js';
import { errorOfAsync } from './errorOfAsync.js';
import { embedded, NOW, testHost } from './testHost.js';

/** Events go to brokers of MQTT and Kafka, over their restarts. */

const LOCAL = ['127.0.0.0/8', '::1'];
const MINUTE = 60_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

needs(MOSQUITTO).test(
  'an MQTT broker gets the events of each unit in order, over its restart (needs mosquitto)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wayzone-mqtt-'));
    const port = await freePort();
    writeFileSync(join(folder, 'conf'), `listener ${port} 127.0.0.1\nallow_anonymous true\n`);
    const url = `mqtt://127.0.0.1:${port}`;
    const start = (): ChildProcess =>
      spawn(MOSQUITTO_PATH, ['-c', join(folder, 'conf')], { stdio: 'ignore' });
    let broker = start();
    const received: { topic: string; id: string; text: string }[] = [];
    const subscribe = async (): Promise<{ end(): Promise<void> }> => {
      for (;;) {
        try {
          const client = await connectAsync(url, { protocolVersion: 5, reconnectPeriod: 0 });
          client.on('message', (topic, payload, { properties }) =>
            received.push({
              topic,
              id: String(properties?.userProperties?.['id']),
              text: payload.toString(),
            }),
          );
          await client.subscribeAsync('fleet/#', { qos: 1 });
          return { end: () => client.endAsync(true) };
        } catch {
          // The broker is not up yet.
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };
    let subscriber = await subscribe();

    const { storage } = await embedded();
    const hosted = await testHost(storage);
    const admin = await hosted.as(await hosted.company(), 'ADMIN');
    await admin.send('POST', '/geozones', {
      name: 'Yard',
      type: { key: 'circle' },
      geometry: [[30, 60]],
      width: 500,
    });
    const { body: unit } = await admin.send('POST', '/units', { name: 'Van' });
    const { id: unitId } = unit as { id: string };
    const made = await admin.send('POST', '/event_sinks', {
      name: 'M',
      kind: 'mqtt',
      target: { url, topic: 'fleet' },
    });
    expect(made.status).toBe(200);
    let clock = NOW;
    const deliveries = startDeliveries(
      storage,
      { deliverySeconds: 0, deliveryNetworks: LOCAL },
      hostMetrics(() => 0),
      { warn: () => {} },
      () => clock,
    );
    const drive = async (from: number): Promise<void> => {
      const fixes = Array.from({ length: 20 }, (_, i) => ({
        unit_id: unitId,
        time: from + i * MINUTE,
        lon: 30 + 0.02 * Math.sin(i / 2),
        lat: 60,
      }));
      expect((await admin.send('POST', '/positions', fixes)).status).toBe(200);
    };
    const waiting = async (): Promise<number> => {
      const { rows } = { rows: await storage.db.selectFrom('deliveries').select('ordinal').execute() };
      return rows.length;
    };
    const arrived = async (count: number): Promise<void> => {
      while (received.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
    };

    await drive(NOW - 120 * MINUTE);
    await deliveries.run();
    expect(await waiting()).toBe(0);
    const before = (await storage.db.selectFrom('events').select('seq').execute()).length;
    expect(before).toBeGreaterThan(4);
    await arrived(before);

    await subscriber.end();
    broker.kill('SIGKILL');
    await new Promise((resolve) => broker.once('exit', resolve));
    await drive(NOW - 60 * MINUTE);
    await deliveries.run();
    expect(await waiting()).toBeGreaterThan(0);
    broker = start();
    subscriber = await subscribe();
    for (let round = 0; round < 50 && (await waiting()) > 0; round++) {
      clock += 3 * 3_600_000;
      await deliveries.run();
    }
    expect(await waiting()).toBe(0);
    const stored = await storage.db
      .selectFrom('events')
      .select(['company_id', 'number', 'event'])
      .orderBy('seq')
      .orderBy('ordinal')
      .execute();
    await arrived(stored.length);
    expect(received).toEqual(
      stored.map(({ company_id: companyId, number, event }) => ({
        topic: `fleet/${unitId}`,
        id: `${companyId}.${number}`,
        text: expect.stringContaining(`"type":"${String(event['type'])}"`),
      })),
    );
    await subscriber.end();
    await deliveries.close();
    await hosted.close();
    broker.kill();
    rmSync(folder, { recursive: true });
  },
);

const SINK: Sink = {
  id: 'k',
  companyId: 'c',
  kind: 'kafka',
  target: { url: 'kafka://127.0.0.1:9092,127.0.0.1:9093', topic: 'fleet' },
  secret: '',
};
const MESSAGE = { id: '0.1.0', unitId: 'u', body: '{"type":"enter"}' };

test('a message of Kafka has the unit as its key; a failed connection is opened anew', async () => {
  expect(brokersOf('kafkas://a.example:1,b.example:2')).toEqual({
    brokers: ['a.example:1', 'b.example:2'],
    isSecure: true,
  });
  for (const url of ['kafka://a', 'kafka://', 'kafka://u@a:1', 'http://a:1', 'kafka://a:1/x'])
    expect([url, brokersOf(url)]).toEqual([url, null]);
  const calls: unknown[] = [];
  let failures = 1;
  const sender = kafkaSender(SINK, addressGuard(LOCAL), async (_, list) => ({
    connect: async () => {
      calls.push(list.brokers);
      if (failures-- > 0) throw new Error('away');
    },
    send: async (record) => {
      calls.push(record);
      return [];
    },
    disconnect: async () => void calls.push('closed'),
  }));
  expect(await errorOfAsync(sender.send(MESSAGE))).toMatchObject({ message: 'away' });
  await sender.send(MESSAGE);
  await sender.close();
  const brokers = ['127.0.0.1:9092', '127.0.0.1:9093'];
  const record = {
    topic: 'fleet',
    acks: -1,
    messages: [{ key: 'u', value: MESSAGE.body, headers: { id: '0.1.0' } }],
  };
  expect(calls).toEqual([brokers, brokers, record, 'closed']);
  const refused = kafkaSender(SINK, addressGuard([]));
  expect(await errorOfAsync(refused.send(MESSAGE))).toMatchObject({ field: 'target.url' });
});

test('a broker of Kafka that is away rejects the delivery', async () => {
  const port = await freePort();
  const sink = { ...SINK, target: { url: `kafka://127.0.0.1:${port}` } };
  const sender = kafkaSender(sink, addressGuard(LOCAL));
  expect(String(await errorOfAsync(sender.send(MESSAGE)))).toMatch(/ECONNREFUSED|Connection/);
  await sender.close();
});

needs(KAFKA).test('Kafka gets a message with its key and id (needs WAYZONE_KAFKA)', async () => {
  const { brokers } = brokersOf(KAFKA_URL!)!;
  const topic = `wayzone-${process.pid}`;
  const sender = kafkaSender(
    { ...SINK, target: { url: KAFKA_URL!, topic } },
    addressGuard(['0.0.0.0/0', '::/0']),
  );
  await sender.send(MESSAGE);
  await sender.close();
  const consumer = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING }).consumer({
    groupId: topic,
  });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const taken = await new Promise<unknown[]>((resolve) => {
    void consumer.run({
      eachMessage: async ({ message }) =>
        resolve([String(message.key), String(message.value), String(message.headers?.['id'])]),
    });
  });
  expect(taken).toEqual(['u', MESSAGE.body, '0.1.0']);
  await consumer.disconnect();
});
