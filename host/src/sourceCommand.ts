/** `wayzone-host source`: reads fixes from a broker and hands them to a host. The broker is a buffer for the time in which the host is away. */

import { parseArgs } from 'node:util';
import { WayzoneError } from 'wayzone';
import { awaitServer, type Server } from './awaitServer.js';
import { brokersOf } from './delivery/kafkaSender.js';
import { type Source, type SourceOptions, type Take, takeMessages } from './sources/source.js';

type Open = (options: SourceOptions, take: Take) => Promise<Source>;

interface Kind {
  readonly server: Server;
  readonly load: () => Promise<Open>;
}

const KAFKA: Kind = {
  server: 'Kafka',
  load: async () => (await import('./sources/kafkaSource.js')).kafkaSource,
};
const NATS: Kind = { server: 'NATS', load: async () => (await import('./sources/natsSource.js')).natsSource };
const MQTT: Kind = { server: 'MQTT', load: async () => (await import('./sources/mqttSource.js')).mqttSource };
/** By the scheme of the address. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['kafka', KAFKA],
  ['kafkas', KAFKA],
  ['nats', NATS],
  ['tls', NATS],
  ['mqtt', MQTT],
  ['mqtts', MQTT],
]);

/**
 * `source --from URL --topic T --to URL [--group G]`; the token in `SOURCE_TOKEN`, the broker's user in `SOURCE_USERNAME` and `SOURCE_PASSWORD`.
 * Refused fixes and waiting are lines of JSON on standard error. Waits for the broker. Throws `option-value` for a wrong option.
 */
export async function sourceCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Source> {
  const text = { type: 'string' } as const;
  const options = { from: text, topic: text, to: text, group: text, json: { type: 'boolean' } } as const;
  const {
    from = '',
    topic = '',
    to = '',
    group = 'wayzone',
  } = parseArgs({ args: [...args], options }).values;
  const kind = KINDS.get(from.split(':')[0]!);
  if (kind === undefined || (kind === KAFKA && brokersOf(from) === null))
    throw wrong('--from', 'the address of a broker (kafka:, nats: or mqtt:)', from);
  if (topic === '') throw wrong('--topic', 'a topic, subject or topic filter', topic);
  if (!/^https?:$/.test(URL.canParse(to) ? new URL(to).protocol : ''))
    throw wrong('--to', 'the address of a host', to);
  const {
    SOURCE_TOKEN: token = '',
    SOURCE_USERNAME: username = null,
    SOURCE_PASSWORD: password = null,
  } = env;
  if (token === '') throw wrong('SOURCE_TOKEN', 'a token of the host', token);

  const stop = new AbortController();
  const report = (line: object): void => void process.stderr.write(`${JSON.stringify(line)}\n`);
  const onWaiting = (reason: string, ms: number): void => report({ waiting: reason, ms });
  const take = takeMessages({
    to: to.replace(/\/$/, ''),
    token,
    signal: stop.signal,
    onRefused: (refused) => report({ refused }),
    onWaiting,
  });
  const open = await kind.load();
  const source = await awaitServer(kind.server, () =>
    open({ url: from, topic, group, username, password, onWaiting }, take),
  );
  return {
    ended: source.ended,
    async close() {
      stop.abort();
      await source.close();
    },
  };
}

function wrong(field: string, expected: string, received: string): WayzoneError {
  return new WayzoneError(
    'option-value',
    field,
    `expected ${expected}, received ${received.slice(0, 60) || 'none'}`,
  );
}
