import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { documentOf } from './checkAnswer.js';
import { type Caller, type Given, NOW, onBothDatabases, type TestHost } from './testHost.js';

/** Live outputs: events and locators; also pictures, and the figures of `/metrics`. */

const HOUR_MS = 3_600_000;
const YARD = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };

/** Longer than any drive of these tests, so that the unit's events are those of visits only. */
const NO_TRIPS = { tripdetector_mintriptime: '1000000' };

interface Message {
  readonly id: string;
  readonly event?: string;
  readonly data?: { readonly type: string; readonly unitId: string; readonly kind?: string };
}

function contract(given: () => Given): void {
  let hosted: TestHost;
  let admin: Caller;
  let url: string;
  let unitId: string;
  beforeAll(async () => {
    ({ hosted } = given());
    url = await hosted.host.app.listen({ host: '127.0.0.1', port: 0 });
    admin = await hosted.as(await hosted.company(), 'ADMIN');
    expect((await admin.send('POST', '/geozones', YARD)).status).toBe(200);
  });
  // The last position of a unit affects its next event, so each test has its own unit.
  beforeEach(async () => {
    const van = { name: 'Van', device_key: randomUUID(), settings: NO_TRIPS };
    const { body } = await admin.send('POST', '/units', van);
    unitId = (body as { id: string }).id;
  });

  let minute = 0;
  /** A drive through the yard. It gives two events; the last fix makes the second final. */
  const drive = async (caller: Caller = admin, id: string = unitId): Promise<void> => {
    const fixes = [29.97, 29.98, 30, 30.02, 30.03].map((lon) => ({
      unit_id: id,
      time: NOW - HOUR_MS + 60_000 * ++minute,
      lon,
      lat: 60,
    }));
    expect(await caller.send('POST', '/positions', fixes)).toMatchObject({ status: 200, body: { taken: 5 } });
  };

  const ticketOf = async (caller: Caller): Promise<string> => {
    const { status, body } = await caller.send('POST', '/tickets');
    expect(status).toBe(200);
    return (body as { ticket: string }).ticket;
  };

  /** Yields the messages of a stream. */
  async function* messages(address: string, headers: Record<string, string> = {}): AsyncGenerator<Message> {
    const answer = await fetch(`${url}/api_v1${address}`, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop()!;
      for (const part of parts) {
        const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
        if (fields['id'] !== undefined)
          yield { ...fields, ...(fields['data'] ? { data: JSON.parse(fields['data']) } : {}) } as Message;
      }
    }
  }

  async function take(stream: AsyncGenerator<Message>, count: number): Promise<Message[]> {
    const taken: Message[] = [];
    while (taken.length < count) {
      const { done, value } = await stream.next();
      if (done) throw new Error(`expected ${count} messages, received ${taken.length}`);
      taken.push(value);
    }
    return taken;
  }

  test('events arrive live, and a cursor resumes after the last one', async () => {
    const stream = messages(`/events?ticket=${await ticketOf(admin)}`);
    const [start] = await take(stream, 1);
    await drive();
    const [enter, exit] = await take(stream, 2);
    await stream.return(undefined);
    expect([enter?.event, exit?.event, enter?.data?.unitId]).toEqual(['enter', 'exit', unitId]);
    expect(new Set([start?.id, enter?.id, exit?.id]).size).toBe(3);

    const resumed = messages('/events', { ...admin.headers, 'last-event-id': enter!.id });
    expect((await take(resumed, 2))[1]).toEqual(exit);
    await resumed.return(undefined);
    const again = messages(`/events?cursor=${start!.id}`, admin.headers);
    expect((await take(again, 3)).slice(1)).toEqual([enter, exit]);
    await again.return(undefined);
    expect((await admin.send('GET', '/events?cursor=x')).status).toBe(422);
  });

  test('another company does not receive them', async () => {
    const other = await hosted.as(await hosted.company(), 'ADMIN');
    const stream = messages('/events?cursor=0', other.headers);
    expect((await take(stream, 1))[0]!.id).toBe('0');
    await drive();
    expect((await other.send('POST', '/geozones', YARD)).status).toBe(200);
    const unit = { name: 'Own', device_key: other.companyId, settings: NO_TRIPS };
    const { body } = await other.send('POST', '/units', unit);
    const own = (body as { id: string }).id;
    await drive(other, own);
    expect((await take(stream, 1))[0]).toMatchObject({ event: 'enter', data: { unitId: own } });
    await stream.return(undefined);
  });

  test('trips and parkings use the unit’s settings and match the document', async () => {
    const settings = { tripdetector_minparktime: 60, tripdetector_maxdistancemsg: '3000' };
    const lorry = { name: 'Lorry', device_key: randomUUID(), settings };
    const { body } = await admin.send('POST', '/units', lorry);
    const stream = messages(`/events?ticket=${await ticketOf(admin)}`);
    await take(stream, 1);
    await drive(admin, (body as { id: string }).id);
    await drive(admin, (body as { id: string }).id);
    const found = await take(stream, 10);
    await stream.return(undefined);
    expect(found.map(({ data }) => `${data?.type} ${data?.kind ?? 'visit'}`)).toEqual([
      'enter visit',
      'begin trip',
      'exit visit',
      // Through the yard on the way back, which is too long for one message.
      'enter visit',
      'exit visit',
      'enter visit',
      'exit visit',
      'end trip',
      'end unknown',
      'begin trip',
    ]);
    const { components } = await documentOf(hosted.host.app);
    const ajv = new Ajv2020({ strict: false });
    for (const { data } of found) {
      ajv.validate(components.schemas['Event']!, data);
      expect(ajv.errors).toBeNull();
    }
  });

  test('a ticket opens one stream', async () => {
    const ticket = await ticketOf(admin);
    const stream = messages(`/events?ticket=${ticket}`);
    await take(stream, 1);
    expect((await fetch(`${url}/api_v1/events?ticket=${ticket}`)).status).toBe(401);
    expect((await fetch(`${url}/api_v1/geozones?ticket=${await ticketOf(admin)}`)).status).toBe(401);
    await stream.return(undefined);
  });

  test('a stream ends when its token expires', async () => {
    const brief = await hosted.as(admin.companyId, 'READER', NOW + 2000);
    const stream = messages(`/events?ticket=${await ticketOf(brief)}`);
    while ((await stream.next()).done !== true);
  });

  const locator = async (expires: number): Promise<string> => {
    const { status, body } = await admin.send('POST', '/locators', {
      unit: { id: unitId },
      expires: String(expires),
    });
    expect({ status, body }).toMatchObject({ status: 200 });
    return (body as { id: string }).id;
  };
  interface Watched {
    readonly closed: Promise<unknown[]>;
    /** The n-th message, from 0. */
    readonly message: (n: number) => Promise<{ readonly _marker_latlon: number[]; readonly address: string }>;
  }
  const watch = async (id: string, ticket: string): Promise<Watched> => {
    const received: never[] = [];
    let resume = (): void => {};
    let closed!: Promise<unknown[]>;
    await hosted.host.app.injectWS(
      `/api_v1/locator/${id}?ticket=${ticket}`,
      {},
      {
        // The first message may arrive before the socket is returned.
        onInit(socket) {
          closed = once(socket, 'close');
          socket.on('message', (text: Buffer) => {
            received.push(JSON.parse(String(text)) as never);
            resume();
          });
        },
      },
    );
    return {
      closed,
      async message(n) {
        while (received.length <= n)
          await new Promise<void>((done) => {
            resume = done;
          });
        return received[n]!;
      },
    };
  };

  test('a locator sends the unit’s position, and each new position, until it is revoked', async () => {
    await drive();
    const id = await locator(NOW + HOUR_MS);
    const { body: listed } = await admin.send('GET', '/locators');
    expect(listed).toContainEqual(expect.objectContaining({ id, unit: { id: unitId } }));
    const { closed, message } = await watch(id, await ticketOf(admin));
    const first = await message(0);
    expect(first).toEqual({
      unit_name: 'Van',
      datepoint: expect.stringMatching(/^2026-03-02 \d\d:\d\d:00$/),
      _datepoint: NOW - HOUR_MS + 60_000 * minute,
      address: '',
      _marker_latlon: [60, 30.03],
    });
    const fix = { unit_id: unitId, time: NOW - HOUR_MS + 60_000 * ++minute, lon: 30, lat: 60 };
    await admin.send('POST', '/positions', [fix]);
    expect(await message(1)).toMatchObject({ address: 'Yard', _marker_latlon: [60, 30] });

    expect((await admin.send('GET', `/locator/${id}`)).body).toMatchObject({ unit_name: 'Van' });
    const other = await hosted.as(await hosted.company(), 'ADMIN');
    expect((await other.send('GET', `/locator/${id}`)).status).toBe(404);
    expect((await other.send('DELETE', `/locators/${id}`)).status).toBe(404);

    expect((await admin.send('DELETE', `/locators/${id}`)).status).toBe(200);
    expect((await closed)[0]).toBe(1008);
    expect((await admin.send('GET', `/locator/${id}`)).status).toBe(404);
  });

  test('a locator closes when it expires; an unknown one and a used ticket open nothing', async () => {
    const brief = await watch(await locator(NOW + 1500), await ticketOf(admin));
    expect((await brief.closed)[0]).toBe(1008);
    const unknown = await watch('no-such', await ticketOf(admin));
    expect((await unknown.closed)[0]).toBe(1008);
    const ticket = await ticketOf(admin);
    const used = await watch('no-such', ticket);
    await used.closed;
    await expect(watch('no-such', ticket)).rejects.toThrow('401');
    expect((await admin.send('POST', '/locators', { unit: { id: unitId }, expires: '0' })).status).toBe(422);
  });

  test('the metrics name routes by their patterns', async () => {
    await drive();
    const answer = await fetch(`${url}/metrics`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(Number(/^wayzone_fixes_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(5);
    expect(Number(/^wayzone_events_total\{type="enter"\} (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(1);
    expect(text).toContain('route="/api_v1/positions",status="200"');
    expect(text).not.toContain(admin.companyId);
  });
}

onBothDatabases(contract);
