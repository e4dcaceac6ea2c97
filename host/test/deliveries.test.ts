import { Webhook } from 'standardwebhooks';
import { beforeAll, expect, test } from 'vitest';
import type { WayzoneError } from 'wayzone';
import { seeded } from '../../test/volume.js';
import { addressGuard } from '../src/delivery/addressGuard.js';
import { type Deliveries, MOST_ATTEMPTS, pauseOf, startDeliveries } from '../src/delivery/deliveries.js';
import { hostMetrics } from '../src/metrics.js';
import type { Storage } from '../src/storage/storage.js';
import { errorOfAsync } from './errorOfAsync.js';
import { type Received, receiver } from './receiver.js';
import { type Caller, type Given, NOW, onADatabase, type TestHost, testHost } from './testHost.js';

/** Events leave the house: webhooks that fail, dead letters, replays, rules of notifications. */

const MINUTE = 60_000;
const ZONE = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };

interface SinkWire {
  readonly id: string;
  readonly secret: string;
  readonly waiting: number;
  readonly dead: number;
  readonly cursor: string;
}

/** A unit drives to and fro through the yard once in `minutes`. */
const driveOf = (unitId: string, from: number, count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    unit_id: unitId,
    time: from + i * MINUTE,
    lon: 30 + 0.02 * Math.sin(i / 2),
    lat: 60,
  }));

function contract(given: () => Given): void {
  let hosted: TestHost;
  let storage: Storage;
  let clock = NOW;
  beforeAll(() => {
    hosted = given().hosted;
    storage = given().database.storage;
  });

  const started = (): Deliveries =>
    startDeliveries(
      storage,
      { deliverySeconds: 0, deliveryNetworks: ['127.0.0.0/8'] },
      hostMetrics(() => 0),
      { warn: () => {} },
      () => clock,
    );
  const fleet = async (units: number): Promise<{ admin: Caller; ids: string[]; zoneId: string }> => {
    const admin = await hosted.as(await hosted.company(), 'ADMIN');
    const { body: zone } = await admin.send('POST', '/geozones', ZONE);
    const ids: string[] = [];
    for (let i = 0; i < units; i++) {
      const unit = { name: `U${i}`, device_key: `${admin.companyId}-${i}` };
      ids.push(((await admin.send('POST', '/units', unit)).body as { id: string }).id);
    }
    return { admin, ids, zoneId: (zone as { id: string }).id };
  };
  const sinkOf = async (admin: Caller, url: string, more: object = {}): Promise<SinkWire> => {
    const body = { name: 'Receiver', kind: 'webhook', target: { url }, ...more };
    const answer = await admin.send('POST', '/event_sinks', body);
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ waiting: 0, dead: 0 })]);
    return answer.body;
  };
  const stateOf = async (admin: Caller): Promise<SinkWire> =>
    ((await admin.send('GET', '/event_sinks')).body as SinkWire[])[0]!;
  const drive = async (admin: Caller, ids: readonly string[], from: number, count = 30): Promise<void> => {
    const fixes = ids.flatMap((id) => driveOf(id, from, count));
    expect(await admin.send('POST', '/positions', fixes)).toMatchObject({ status: 200 });
  };
  /** The stored events of the company in the order of each unit. */
  const eventsOf = async (companyId: string, unitId: string): Promise<object[]> => {
    const rows = await storage.db
      .selectFrom('events')
      .select(['number', 'event'])
      .where('company_id', '=', companyId)
      .where('unit_id', '=', unitId)
      .orderBy('seq')
      .orderBy('ordinal')
      .execute();
    return rows.map(({ number, event }) => ({ id: `${companyId}.${number}`, ...event }));
  };
  const firstsOf = (taken: readonly Received[], unitId: string): object[] => {
    const seen = new Set<string>();
    return taken.flatMap(({ id, body }) => {
      if (body.unitId !== unitId || seen.has(id)) return [];
      seen.add(id);
      return [body];
    });
  };

  test('a receiver that fails gets every event of every unit in order, signed, each id once', async () => {
    const { admin, ids } = await fleet(3);
    const random = seeded(7);
    const hook = await receiver((_, response) => {
      const luck = random();
      if (luck < 0.2) response.writeHead(500).end();
      else if (luck < 0.3) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      else if (luck < 0.4) response.writeHead(429, { 'retry-after': '7' }).end();
      // The connection breaks before any answer.
      else if (luck < 0.5) response.destroy();
      // Taken, but the answer is lost: the event comes again with the same id.
      else if (luck < 0.6) {
        hook.taken.push(hook.tried.at(-1)!);
        response.destroy();
      } else return 'taken';
      return 'refused';
    });
    const { secret } = await sinkOf(admin, hook.url);
    await drive(admin, ids, NOW - 60 * MINUTE);
    const deliveries = started();
    for (let round = 0; round < 400; round++) {
      await deliveries.run();
      if ((await stateOf(admin)).waiting === 0) break;
      clock += 3 * 3_600_000;
    }
    expect(await stateOf(admin)).toMatchObject({ waiting: 0, dead: 0 });
    for (const id of ids) {
      const expected = await eventsOf(admin.companyId, id);
      expect(expected.length).toBeGreaterThan(5);
      expect(firstsOf(hook.taken, id)).toEqual(expected);
    }
    // An independent library verifies the signature. It takes times of the present only.
    const verifier = new Webhook(secret);
    for (const { raw, headers } of hook.tried) {
      expect(headers['webhook-signature']).toBe(
        verifier.sign(headers['webhook-id']!, new Date(1000 * Number(headers['webhook-timestamp'])), raw),
      );
    }
    hook.close();
    await deliveries.close();
  });

  test('an event that is never taken becomes a dead letter; other units go on; a retry sends it', async () => {
    const { admin, ids } = await fleet(2);
    let isBroken = true;
    const hook = await receiver(({ body }, response) => {
      if (!isBroken || body.unitId !== ids[0]) return 'taken';
      response.writeHead(503).end();
      return 'refused';
    });
    const { id } = await sinkOf(admin, hook.url, { types: ['enter'] });
    await drive(admin, ids, NOW - 60 * MINUTE);
    const deliveries = started();
    await deliveries.run();
    const isEnter = (event: object): boolean => (event as { type: string }).type === 'enter';
    const [first, second] = await Promise.all(ids.map((unit) => eventsOf(admin.companyId, unit)));
    expect(firstsOf(hook.taken, ids[1]!)).toEqual(second!.filter(isEnter));
    expect(hook.taken.some(({ body }) => body.unitId === ids[0])).toBe(false);
    for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
      // Not yet due: nothing is tried.
      const tried = hook.tried.length;
      await deliveries.run();
      expect(hook.tried.length).toBe(tried);
      clock += pauseOf(attempt);
      await deliveries.run();
    }
    const waiting = first!.filter(isEnter).length;
    expect(await stateOf(admin)).toMatchObject({ waiting: waiting - 1, dead: 1 });
    const { body: letters } = await admin.send('GET', `/event_sinks/${id}/dead_letters`);
    expect(letters).toMatchObject([{ unit_id: ids[0], attempts: MOST_ATTEMPTS, error: 'status 503' }]);
    isBroken = false;
    expect((await admin.send('POST', `/event_sinks/${id}/dead_letters/retry`)).body).toEqual({ count: 1 });
    clock += 3 * 3_600_000;
    await deliveries.run();
    expect(firstsOf(hook.taken, ids[0]!)).toEqual(first!.filter(isEnter));
    hook.close();
    await deliveries.close();
  });

  test('a replay sends the events after a cursor again with equal ids; a new sink gets later events only', async () => {
    const { admin, ids } = await fleet(1);
    await drive(admin, ids, NOW - 120 * MINUTE);
    const hook = await receiver();
    const { id, cursor } = await sinkOf(admin, hook.url);
    const deliveries = started();
    await deliveries.run();
    expect(hook.taken).toEqual([]);
    await drive(admin, ids, NOW - 60 * MINUTE);
    await deliveries.run();
    const all = await eventsOf(admin.companyId, ids[0]!);
    const later = hook.taken.map(({ body }) => body);
    expect(later.length).toBeGreaterThan(0);
    expect(all.slice(-later.length)).toEqual(later);
    expect((await admin.send('POST', `/event_sinks/${id}/replay`, { cursor })).status).toBe(200);
    await deliveries.run();
    expect(hook.taken.slice(later.length).map(({ body }) => body)).toEqual(later);
    expect((await admin.send('POST', `/event_sinks/${id}/replay`, { cursor: '0' })).status).toBe(200);
    await deliveries.run();
    expect(hook.taken.slice(2 * later.length).map(({ body }) => body)).toEqual(all);
    expect(await admin.send('POST', `/event_sinks/${id}/replay`, { cursor: 'x' })).toMatchObject({
      status: 422,
    });
    hook.close();
    await deliveries.close();
  });

  test('several processes send each event once', async () => {
    const { admin, ids } = await fleet(5);
    const hook = await receiver();
    await sinkOf(admin, hook.url);
    await drive(admin, ids, NOW - 60 * MINUTE);
    const processes = [started(), started(), started()];
    for (let round = 0; round < 20; round++) {
      await Promise.all(processes.map((one) => one.run()));
      if ((await stateOf(admin)).waiting === 0) break;
    }
    expect(hook.taken).toHaveLength(new Set(hook.taken.map(({ id }) => id)).size);
    for (const id of ids) expect(firstsOf(hook.taken, id)).toEqual(await eventsOf(admin.companyId, id));
    for (const one of processes) await one.close();
    hook.close();
  });

  test('rules tell of entry, exit, dwelling, silence and lateness, once each', async () => {
    const { admin, ids, zoneId } = await fleet(2);
    const hook = await receiver();
    const sink = await sinkOf(admin, hook.url, { types: [] });
    const rule = async (type: string, more: object = {}): Promise<string> => {
      const body = { name: type, type, sinks: [{ id: sink.id }], ...more };
      const answer = await admin.send('POST', '/notification_rules', body);
      expect([answer.status, answer.body]).toEqual([
        200,
        expect.objectContaining({ type, is_enabled: true }),
      ]);
      return (answer.body as { id: string }).id;
    };
    await rule('zone_enter', { units: [{ id: ids[0] }], geozones: [{ id: zoneId }] });
    const far = await admin.send('POST', '/geozones', { ...ZONE, geometry: [[40, 50]] });
    await rule('zone_exit', { geozones: [{ id: (far.body as { id: string }).id }] });
    await rule('zone_exit', { name: 'exit_here', geozones: [{ id: zoneId }] });
    await rule('dwell', { minutes: 20 });
    await rule('unit_silent', { minutes: 30 });
    await rule('trip_late');
    await rule('trip_overdue');
    const trip = {
      name: 'Late',
      unit: { id: ids[0] },
      activation_type: { key: 'time_of_first_point' },
      passage_order_type: { key: 'strict' },
      dates: ['2026-03-02'],
      // 11:00 UTC, two minutes before the unit comes, while it is seen.
      points: [{ ...ZONE, arrival: { time: '14:00', after_days: 0, deviation_minutes: 1 } }],
    };
    expect((await admin.send('POST', '/trips', trip)).status).toBe(200);
    // The second unit never comes to its point.
    const [point] = trip.points;
    const missed = { ...trip, unit: { id: ids[1] }, points: [{ ...point, geometry: [[35, 60]] }] };
    expect((await admin.send('POST', '/trips', missed)).status).toBe(200);
    // Into the yard at the third minute; the first unit stays there, the second leaves.
    const at = (unit: number, minute: number, lon: number): object => ({
      unit_id: ids[unit],
      time: NOW - 60 * MINUTE + minute * MINUTE,
      lon,
      lat: 60,
    });
    clock = NOW - 50 * MINUTE;
    const lons = [29.95, 29.97, 29.99, 30, 30, 30, 30, 30];
    await admin.send('POST', '/positions', [
      ...lons.map((lon, i) => at(0, i, lon)),
      ...lons.map((_, i) => at(1, i, 29.97 + 0.01 * i)),
    ]);
    const deliveries = started();
    await deliveries.run();
    const told = (): string[] =>
      hook.taken
        .map(({ body }) => {
          const {
            rule: one,
            unitId,
            event,
          } = body as unknown as {
            rule: { name: string };
            unitId: string;
            event?: { type: string };
          };
          return `${one.name} ${ids.indexOf(unitId)} ${event?.type ?? ''}`.trim();
        })
        .sort();
    const late = told().filter((line) => line.startsWith('trip_'));
    expect(told().filter((line) => !line.startsWith('trip_'))).toEqual([
      'exit_here 1 exit',
      'zone_enter 0 enter',
    ]);
    expect(late).toContain('trip_late 0 arrival_late');
    expect(late).toContain('trip_overdue 1 arrival_overdue');
    expect(late).not.toContain('trip_late 1 arrival_late');
    // 20 minutes after the entry, and 30 minutes after the last fix.
    clock = NOW - 30 * MINUTE;
    await deliveries.run();
    await deliveries.run();
    expect(told().filter((line) => line.startsWith('dwell'))).toEqual(['dwell 0']);
    expect(hook.taken.at(-1)!.body).toMatchObject({ type: 'notification', zoneId, rule: { type: 'dwell' } });
    clock = NOW;
    await deliveries.run();
    await deliveries.run();
    expect(told().filter((line) => line.startsWith('unit_silent'))).toEqual([
      'unit_silent 0',
      'unit_silent 1',
    ]);
    // The unit sends again and falls silent again.
    await admin.send('POST', '/positions', [at(1, 60, 31)]);
    await deliveries.run();
    clock = NOW + 31 * MINUTE;
    await deliveries.run();
    expect(told().filter((line) => line === 'unit_silent 1')).toHaveLength(2);
    expect(new Set(hook.taken.map(({ id }) => id)).size).toBe(hook.taken.length);
    clock = NOW;
    hook.close();
    await deliveries.close();
  });

  test('quiet hours hold a notification until their end', async () => {
    const { admin, ids } = await fleet(1);
    const hook = await receiver();
    const sink = await sinkOf(admin, hook.url, { types: [] });
    // 12:00 UTC is 15:00 on the company's clock.
    const quiet = { weekly: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '14:00', to: '16:30' }] };
    const rule = { name: 'Entry', type: 'zone_enter', sinks: [{ id: sink.id }], quiet_hours: quiet };
    expect((await admin.send('POST', '/notification_rules', rule)).status).toBe(200);
    await drive(admin, ids, NOW - 60 * MINUTE);
    const deliveries = started();
    await deliveries.run();
    clock = NOW + 90 * MINUTE - 1000;
    await deliveries.run();
    expect(hook.taken).toEqual([]);
    expect((await stateOf(admin)).waiting).toBeGreaterThan(0);
    clock = NOW + 90 * MINUTE;
    await deliveries.run();
    expect(hook.taken.length).toBeGreaterThan(0);
    expect((await stateOf(admin)).waiting).toBe(0);
    clock = NOW;
    hook.close();
    await deliveries.close();
  });

  test('sinks and rules that cannot work are refused; secrets are not answered; other companies see nothing', async () => {
    const { admin } = await fleet(0);
    const other = await hosted.as(await hosted.company(), 'ADMIN');
    const target = { url: 'mqtts://broker.example', password: 'p4ssword', username: 'u' };
    const { body: made } = await admin.send('POST', '/event_sinks', { name: 'M', kind: 'mqtt', target });
    const { id, secret } = made as SinkWire;
    const fieldOf = async (method: string, url: string, body: object): Promise<unknown> => {
      const { status, body: error } = await admin.send(method, url, body);
      return [status, (error as { errors?: { field: string }[] }).errors?.[0]?.field];
    };
    const sink = { name: 'S', kind: 'webhook', target: { url: 'https://a.example/' } };
    for (const [body, field] of [
      [{ ...sink, kind: 'fax' }, 'kind'],
      [{ ...sink, target: {} }, 'target.url'],
      [{ ...sink, target: { url: 'ftp://a.example' } }, 'target.url'],
      [{ ...sink, target: { url: 'https://u:p@a.example' } }, 'target.url'],
      [{ ...sink, kind: 'kafka', target: { url: 'kafka://host' } }, 'target.url'],
      [{ ...sink, kind: 'mqtt', target: { url: 'mqtt://a.example', topic: 'a/#' } }, 'target.topic'],
      [{ ...sink, target: { ...sink.target, more: 1 } }, 'target.more'],
      [{ ...sink, name: 'a\0b' }, 'name'],
    ] as const)
      expect([body, await fieldOf('POST', '/event_sinks', body)]).toEqual([body, [422, field]]);
    const rule = { name: 'R', type: 'dwell', minutes: 5, sinks: [{ id }] };
    for (const [body, field] of [
      [{ ...rule, type: 'flight' }, 'type'],
      [{ ...rule, minutes: undefined }, 'minutes'],
      [{ ...rule, type: 'zone_enter' }, 'minutes'],
      [{ ...rule, sinks: [{ id: 'none' }] }, 'sinks[0].id'],
      [{ ...rule, sinks: [] }, 'sinks'],
      [{ ...rule, type: 'unit_silent', geozones: [] }, 'geozones'],
      [
        { ...rule, quiet_hours: { weekly: [{ days: [8], from: '08:00', to: '09:00' }] } },
        'quiet_hours.weekly[0].days[0]',
      ],
    ] as const)
      expect([body, await fieldOf('POST', '/notification_rules', body)]).toEqual([body, [422, field]]);
    const renamed = { name: 'N', kind: 'mqtt', target: { url: target.url } };
    const put = await admin.send('PUT', `/event_sinks/${id}`, renamed);
    expect(put.status).toBe(200);
    const { target: kept } = await storage.db
      .selectFrom('event_sinks')
      .select('target')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(kept).toMatchObject({ password: 'p4ssword' });
    const shown = JSON.stringify([
      put.body,
      (await admin.send('GET', '/event_sinks')).body,
      (await admin.send('POST', '/company/history', {})).body,
    ]);
    expect(shown).toContain('"N"');
    expect(shown).not.toContain('p4ssword');
    expect(shown).not.toContain(secret);
    expect((await other.send('GET', '/event_sinks')).body).toEqual([]);
    for (const [method, url, body] of [
      ['PUT', `/event_sinks/${id}`, renamed],
      ['DELETE', `/event_sinks/${id}`, undefined],
      ['POST', `/event_sinks/${id}/replay`, { cursor: '0' }],
      ['GET', `/event_sinks/${id}/dead_letters`, undefined],
    ] as const)
      expect([url, (await other.send(method, url, body)).status]).toEqual([url, 404]);
    expect((await admin.send('DELETE', `/event_sinks/${id}`)).status).toBe(200);
    expect((await admin.send('GET', '/event_sinks')).body).toEqual([]);
  });

  test('a sink with a private address is neither created nor changed to one', async () => {
    const open = await testHost(storage, { deliveryNetworks: ['10.1.0.0/16'] });
    try {
      const admin = await open.as(await open.company(), 'ADMIN');
      const bodyOf = (kind: string, url: string): object => ({ name: 'Hook', kind, target: { url } });
      const good = bodyOf('webhook', 'https://fleet.invalid/hook');
      const { body, status } = await admin.send('POST', '/event_sinks', good);
      expect(status).toBe(200);
      const { id } = body as { id: string };
      for (const [kind, url] of [
        ['webhook', 'http://127.0.0.1/'],
        ['webhook', 'http://localhost:5432/'],
        ['webhook', 'http://2130706433/'],
        ['webhook', 'http://0x7f.1/'],
        ['webhook', 'https://0251.254.169.254/'],
        ['webhook', 'http://[::1]/'],
        ['webhook', 'http://[::ffff:169.254.169.254]/'],
        ['webhook', 'http://192.168.0.1./'],
        ['mqtt', 'mqtt://10.2.0.1'],
        ['mqtt', 'mqtts://2130706433:1883'],
        ['mqtt', 'mqtt://127.0.0.1.:1883'],
        ['mqtt', 'mqtt://[fd00::1]'],
        ['kafka', 'kafka://fleet.invalid:9092,172.16.0.1:9092'],
        ['kafka', 'kafka://[::ffff:a02:1]:9092'],
        ['kafka', 'kafkas://LOCALHOST.:9092'],
      ] as const)
        for (const [method, path] of [
          ['POST', '/event_sinks'],
          ['PUT', `/event_sinks/${id}`],
        ] as const)
          expect({ url, method, ...(await admin.send(method, path, bodyOf(kind, url))) }).toMatchObject({
            url,
            method,
            status: 422,
            body: {
              errors: [
                { field: 'target.url', message: expect.stringContaining('expected a public address') },
              ],
            },
          });
      expect((await admin.send('GET', '/event_sinks')).body).toEqual([
        expect.objectContaining({ id, target: { url: 'https://fleet.invalid/hook' } }),
      ]);
      for (const [kind, url] of [
        ['kafka', 'kafka://10.1.2.3:9092,10.1.2.4:9092'],
        ['mqtt', 'mqtt://93.184.216.34'],
      ] as const)
        expect((await admin.send('PUT', `/event_sinks/${id}`, bodyOf(kind, url))).status).toBe(200);
    } finally {
      await open.close();
    }
  });
}

onADatabase(contract);

test('sinks do not reach private networks, unless a setting allows it', async () => {
  const guard = addressGuard(['10.1.0.0/16']);
  for (const host of [
    '127.0.0.1',
    'localhost',
    '10.2.0.1',
    '169.254.169.254',
    '[::1]',
    '::ffff:127.0.0.1',
    'fd00::1',
    '0.0.0.0',
    '192.168.1.1',
    '127.0.0.1.',
    'localhost.',
    '2130706433',
    '::ffff:7f00:1',
    '::7f00:1',
    'fec0::1',
  ])
    expect([host, ((await errorOfAsync(guard.resolve(host))) as WayzoneError).field]).toEqual([
      host,
      'target.url',
    ]);
  const named = addressGuard([], async (name) => {
    if (name !== 'inside.example') throw new Error('ENOTFOUND');
    return ['93.184.216.34', '10.2.0.1'].map((address) => ({ address, family: 4 }));
  });
  const inside = await errorOfAsync(named.check(['gone.example', 'inside.example.']));
  expect(inside).toMatchObject({ code: 'option-value', field: 'target.url' });
  await named.check(['gone.example']);
  expect(await guard.resolve('10.1.2.3')).toEqual([{ address: '10.1.2.3', family: 4 }]);
  expect(await guard.resolve('[2606:4700::1]')).toEqual([{ address: '2606:4700::1', family: 6 }]);
});
