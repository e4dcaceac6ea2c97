import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { sql } from 'kysely';
import { connectAsync } from 'mqtt';
import { afterEach, expect, test } from 'vitest';
import {
  KAFKA_JARS,
  KAFKA_JARS_PATH,
  MOSQUITTO,
  MOSQUITTO_PATH,
  NATS_SERVER,
  needs,
} from '../../test/needs.js';
import { LONG, seeded } from '../../test/volume.js';
import { natsSource } from '../src/sources/natsSource.js';
import { type Refused, type SourceMessage, takeMessages } from '../src/sources/source.js';
import { errorOfAsync } from './errorOfAsync.js';
import { embedded, NOW, type TestHost, testHost } from './testHost.js';

/** Brokers in front of a host: whatever is killed, each message's fixes are stored, once. */

const MAIN = resolve(import.meta.dirname, '../dist/main.js');
const KILLS = LONG ? 30 : 2;
const KEYS = Array.from({ length: 5 }, (_, i) => `tracker-of-a-van-${i}`);

const closing: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** A host behind a front that at times is away, says 503, or loses the answer. */
interface Front {
  readonly url: string;
  readonly token: string;
  readonly hosted: TestHost;
  /** The share of requests that fail, in one of the ways by turns. */
  failing: number;
  /** Times of the stored fixes by device key. */
  stored(): Promise<Record<string, number[]>>;
}

async function frontOf(): Promise<Front> {
  const { storage } = await embedded();
  const hosted = await testHost(storage);
  const companyId = await hosted.company();
  const editor = await hosted.as(companyId, 'ADMIN');
  const ids = new Map<string, string>();
  for (const key of KEYS) {
    const { body } = await editor.send('POST', '/units', { name: `Van of ${key}`, device_key: key });
    ids.set((body as { id: string }).id, key);
  }
  const random = seeded(7);
  let turn = 0;
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const fails = random() < front.failing ? (['away', 'full', 'lost'] as const)[turn++ % 3] : null;
        if (fails === 'away') return request.socket.destroy();
        if (fails === 'full') return response.writeHead(503).end('{"code": "stream-full"}');
        return hosted.host.app.inject(
          {
            method: request.method as 'POST',
            url: request.url!,
            headers: request.headers as Record<string, string>,
            payload: Buffer.concat(parts),
          },
          (_, answer) => {
            if (fails === 'lost') request.socket.destroy();
            else
              response
                .writeHead(answer!.statusCode, { 'content-type': 'application/json' })
                .end(answer!.payload);
          },
        );
      });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: (editor.headers as { authorization: string }).authorization.slice(7),
    hosted,
    failing: 0,
    async stored() {
      const { rows } = await sql<{ id: string; time: string }>`
        select unit_id as id, time from fixes order by time`.execute(storage.db);
      const times: Record<string, number[]> = Object.fromEntries(KEYS.map((key) => [key, []]));
      for (const { id, time } of rows) times[ids.get(id)!]!.push(Number(time));
      return times;
    },
  };
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await hosted.close();
  });
  return front;
}

const fixOf = (minute: number): object => ({
  time: NOW - 86_400_000 + minute * 1000,
  lon: 30 + minute / 1e5,
  lat: 60,
});

test('fixes are sent until they are stored; what is never taken is reported with its place', async () => {
  const front = await frontOf();
  front.failing = 0.5;
  const refused: Refused[] = [];
  const stop = new AbortController();
  const take = takeMessages({
    to: front.url,
    token: front.token,
    signal: stop.signal,
    onRefused: (one) => refused.push(one),
    onWaiting: () => {},
    pauseMs: 1,
  });
  const message = (place: string, body: unknown, deviceKey: string | null = null): SourceMessage => ({
    place,
    text: typeof body === 'string' ? body : JSON.stringify(body),
    deviceKey,
  });
  await take([
    message('a', { ...fixOf(0), device_key: KEYS[0] }),
    message('b', [fixOf(1), { ...fixOf(2), lon: 'east' }], KEYS[0]),
    message('c', `${JSON.stringify(fixOf(3))}\n${JSON.stringify(fixOf(4))}\n`, KEYS[1]),
    message('d', '{"time": 1'),
    message('e', fixOf(5), 'nobody'),
    message('f', 'null', KEYS[0]),
    message('g', '['.repeat(100_000)),
    message('h', fixOf(6)),
  ]);
  const start = NOW - 86_400_000;
  expect(await front.stored()).toMatchObject({
    [KEYS[0]!]: [start, start + 1000],
    [KEYS[1]!]: [start + 3000, start + 4000],
  });
  expect(refused.map(({ place, code, field }) => [place, code, field])).toEqual([
    ['d', 'json-syntax', ''],
    ['g', 'json-syntax', ''],
    ['b', 4221, '[1].lon'],
    ['e', 4221, '[0].unit_id'],
    ['f', 4221, '[0].unit_id'],
    ['h', 4221, '[0].unit_id'],
  ]);
  front.failing = 1;
  const waiting = take([message('i', fixOf(7), KEYS[0])]);
  await sleep(50);
  stop.abort();
  expect(await errorOfAsync(waiting)).toMatchObject({ name: 'AbortError' });
  front.failing = 0;
  const stranger = takeMessages({
    ...front,
    to: front.url,
    token: 'x',
    signal: new AbortController().signal,
    onRefused: () => {},
    onWaiting: () => {},
  });
  expect(await errorOfAsync(stranger([message('j', fixOf(8), KEYS[0])]))).toMatchObject({
    code: 401,
  });
});

/** A broker that a test kills and starts. */
interface TestBroker {
  readonly url: string;
  readonly topic: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Resolves when the broker has the message. Rejects otherwise. */
  publish(key: string, text: string): Promise<void>;
}

/** Publishes the fixes of all units while source, broker and host are killed in turns; then compares. */
async function contract(broker: TestBroker): Promise<void> {
  const front = await frontOf();
  let source = startSource(front, broker);
  closing.push(async () => {
    source.kill('SIGKILL');
  });
  // A broker of MQTT keeps messages from the first subscription on.
  await once(source.stdout!, 'data');
  let isDone = false;
  const sent: Record<string, number[]> = {};
  const senders = KEYS.map(async (key) => {
    const times: number[] = [];
    sent[key] = times;
    for (let i = 0; !isDone; i++) {
      const fix = fixOf(i) as { time: number };
      // A publisher sends again until it has an answer.
      for (;;) {
        const isTaken = await broker.publish(key, JSON.stringify(fix)).then(
          () => true,
          () => false,
        );
        if (isTaken) break;
        await sleep(50);
      }
      times.push(fix.time);
      await sleep(30);
    }
  });
  const hasMore = async (): Promise<void> => {
    const before = count(await front.stored());
    while (count(await front.stored()) === before) await sleep(50);
  };
  await hasMore();
  for (let i = 0; i < KILLS; i++) {
    front.failing = 0.3;
    if (i % 2 === 0) {
      source.kill('SIGKILL');
      await once(source, 'exit');
      source = startSource(front, broker);
    } else {
      await broker.kill();
      await broker.start();
    }
    await hasMore();
    front.failing = 0;
  }
  isDone = true;
  await Promise.all(senders);
  while (count(await front.stored()) < count(sent)) await sleep(50);
  expect(await front.stored()).toEqual(sent);
  source.kill('SIGTERM');
  expect(await once(source, 'exit')).toEqual([0, null]);
}

const count = (times: Readonly<Record<string, readonly number[]>>): number =>
  Object.values(times).reduce((sum, { length }) => sum + length, 0);

function startSource(front: Front, { url, topic }: TestBroker): ChildProcess {
  return spawn(
    process.execPath,
    [MAIN, 'source', '--from', url, '--topic', topic, '--to', front.url, '--group', 'test'],
    { env: { ...process.env, SOURCE_TOKEN: front.token }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
}

function folderOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `wayzone-${name}-`));
  closing.push(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts and kills a program. */
function programOf(file: string, args: readonly string[], signal: NodeJS.Signals = 'SIGKILL') {
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    child = null;
  };
  closing.push(kill);
  return {
    kill,
    start(): void {
      child = spawn(file, args, { stdio: 'ignore' });
    },
  };
}

/** Repeats until it succeeds. */
async function eventually<T>(open: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch {
      await sleep(50);
    }
  }
}

/** A started nats-server, and a connection to it. */
async function natsServer(): Promise<{
  url: string;
  program: ReturnType<typeof programOf>;
  connection: Awaited<ReturnType<typeof connect>>;
  manager: Awaited<ReturnType<typeof jetstreamManager>>;
}> {
  const port = await freePort();
  const url = `nats://127.0.0.1:${port}`;
  const program = programOf('nats-server', [
    '-a',
    '127.0.0.1',
    '-p',
    String(port),
    '-js',
    '-sd',
    folderOf('nats'),
  ]);
  program.start();
  const connection = await connect({
    servers: url,
    waitOnFirstConnect: true,
    reconnectTimeWait: 50,
    maxReconnectAttempts: -1,
  });
  closing.push(() => connection.close());
  const manager = await eventually(() => jetstreamManager(connection));
  return { url, program, connection, manager };
}

needs(NATS_SERVER).test('NATS JetStream (needs nats-server)', async () => {
  const { url, program, connection, manager } = await natsServer();
  await manager.streams.add({ name: 'FLEET', subjects: ['fleet.>'], storage: StorageType.File });
  const stream = jetstream(connection, { timeout: 1000 });
  await contract({
    url,
    topic: 'fleet.>',
    kill: program.kill,
    start: async () => program.start(),
    publish: async (key, text) => void (await stream.publish(`fleet.${key}`, text)),
  });
});

needs(NATS_SERVER).test('a stream that is gone is reported (needs nats-server)', async () => {
  const { url, manager } = await natsServer();
  await manager.streams.add({ name: 'FLEET', subjects: ['fleet.>'] });
  // The client's first word may be that heartbeats are missed, or that the consumer was deleted; then the stream is not found.
  const said: string[] = [];
  const isNamed = new Promise<void>((resolve, reject) => {
    const onWaiting = (text: string): void => {
      said.push(text);
      if (/not found|deleted/.test(text)) resolve();
    };
    natsSource(
      { url, topic: 'fleet.>', group: 'test', username: null, password: null, onWaiting },
      async () => {},
    ).then((source) => {
      closing.push(() => source.close());
      return manager.streams.delete('FLEET');
    }, reject);
  });
  await isNamed;
  for (const text of said) expect(text).toMatch(/^NATS: ./);
});

needs(MOSQUITTO).test('MQTT (needs mosquitto)', async () => {
  const folder = folderOf('mqtt');
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  writeFileSync(
    join(folder, 'conf'),
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence true\npersistence_location ${folder}/\nmax_queued_messages 0\nuser root\n`,
  );
  // mosquitto writes what it has when it ends.
  const program = programOf(MOSQUITTO_PATH, ['-c', join(folder, 'conf')], 'SIGTERM');
  program.start();
  const open = (): ReturnType<typeof connectAsync> =>
    eventually(() => connectAsync(url, { protocolVersion: 5, reconnectPeriod: 0 }));
  let client = await open();
  closing.push(() => client.endAsync(true));
  await contract({
    url,
    topic: 'fleet/+',
    kill: async () => {
      await program.kill();
      await client.endAsync(true);
    },
    start: async () => {
      program.start();
      client = await open();
    },
    async publish(key, text) {
      const own = client;
      if (!own.connected) throw new Error('away');
      await new Promise<void>((resolve, reject) => {
        const lost = (): void => reject(new Error('closed'));
        own.once('close', lost);
        own.publish(`fleet/${key}`, text, { qos: 1 }, (error) => {
          own.off('close', lost);
          if (error) reject(error);
          else resolve();
        });
      });
    },
  });
});

needs(KAFKA_JARS).test('Kafka (needs npm run test:kafka)', async () => {
  const folder = folderOf('kafka');
  const [port, controller] = [await freePort(), await freePort()];
  const properties = join(folder, 'server.properties');
  mkdirSync(join(folder, 'logs'));
  writeFileSync(
    properties,
    Object.entries({
      'process.roles': 'broker,controller',
      'node.id': '1',
      'controller.quorum.voters': `1@127.0.0.1:${controller}`,
      listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
      'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
      'controller.listener.names': 'CONTROLLER',
      'log.dirs': join(folder, 'logs'),
      'offsets.topic.replication.factor': '1',
      'offsets.topic.num.partitions': '2',
      'group.initial.rebalance.delay.ms': '0',
      'transaction.state.log.replication.factor': '1',
      'transaction.state.log.min.isr': '1',
    })
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  );
  const java = ['-Xmx256m', '-cp', join(KAFKA_JARS_PATH, '*')];
  execFileSync(
    'java',
    [...java, 'kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qk', '-c', properties],
    {
      stdio: 'ignore',
    },
  );
  const program = programOf('java', [...java, 'kafka.Kafka', properties]);
  program.start();
  const kafka = new Kafka({
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
  });
  const admin = kafka.admin();
  await eventually(() => admin.connect());
  await eventually(() =>
    admin.createTopics({ waitForLeaders: true, topics: [{ topic: 'fleet', numPartitions: 3 }] }),
  );
  await admin.disconnect();
  const producer = kafka.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: { retries: 0 },
  });
  closing.push(() => producer.disconnect());
  await producer.connect();
  await contract({
    url: `kafka://127.0.0.1:${port}`,
    topic: 'fleet',
    kill: program.kill,
    start: async () => {
      program.start();
      await eventually(() => producer.connect());
    },
    publish: async (key, value) =>
      void (await producer.send({ topic: 'fleet', acks: -1, messages: [{ key, value }] })),
  });
});
