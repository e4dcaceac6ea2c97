import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEvents } from 'wayzone/operator';
import { buildCity, type City, fixAt } from './page/city.js';
import { type PageHost, pageHost } from './page/openPage.js';
import { NOW } from './testHost.js';

describe('the operations of the map', () => {
  let host: PageHost;
  let city: City;
  beforeAll(async () => {
    host = await pageHost();
    city = await buildCity(host.owner);
  });
  afterAll(() => host.close());

  interface Line {
    readonly unitId: string;
    readonly fixes: readonly (readonly number[])[];
  }
  const day = async (query: string): Promise<Line[]> => {
    const { status, body } = await host.owner.send('GET', `/fleet/day?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    const lines = String(body).split('\n');
    expect(lines.pop()).toBe('');
    return lines.map((line) => JSON.parse(line) as Line);
  };

  test('a day has the first fix of each step of all units, by name', async () => {
    const span = `from=${NOW - 3_600_000}&to=${NOW}`;
    const [first, second, third] = city.units;
    const whole = await day(`${span}&seconds=1`);
    expect(whole.map(({ unitId, fixes }) => [unitId, fixes.length])).toEqual([
      [third, 1],
      [first, 30],
      [second, 20],
    ]);
    // A step of five minutes begins at a multiple of five minutes.
    const stepped = await day(`${span}&seconds=300`);
    const expected = whole.map(({ unitId, fixes }) => ({
      unitId,
      fixes: fixes.filter(
        ([time], i) => i === 0 || Math.floor(time! / 300_000) !== Math.floor(fixes[i - 1]![0]! / 300_000),
      ),
    }));
    expect(stepped).toEqual(expected);
    expect(await day(`from=${NOW + 1}&to=${NOW + 2}`)).toEqual([]);
  });

  test('a day refuses a span of more than 26 hours, a reversed one, and other steps', async () => {
    for (const [query, field] of [
      [`from=0&to=${27 * 3_600_000}`, 'to'],
      ['from=1&to=0', 'to'],
      ['to=1', 'from'],
      ['from=0&to=1&seconds=0', 'seconds'],
      ['from=0&to=1&seconds=1e2', 'seconds'],
    ]) {
      const { status, body } = await host.owner.send('GET', `/fleet/day?${query}`);
      expect([query, status, (body as { errors: [{ field: string }] }).errors[0].field]).toEqual([
        query,
        422,
        field,
      ]);
    }
  });

  test('the visits of a zone are those of its events, and another company sees neither', async () => {
    const [depot] = city.zones;
    const { body } = await host.owner.send('GET', `/geozones/${depot}/visits`);
    expect(body).toEqual([{ unitId: city.units[0], enter: expect.any(Number), exit: null }]);
    const { body: visits } = await host.owner.send(
      'GET',
      `/units/${city.units[0]}/visits?from=${NOW - 3_600_000}&to=${NOW}`,
    );
    const own = (visits as { zoneId: string; enter: number }[]).filter(({ zoneId }) => zoneId === depot);
    expect(own.map(({ enter }) => enter)).toEqual((body as { enter: number }[]).map(({ enter }) => enter));

    const other = await host.api.as(await host.api.company(), 'ADMIN');
    expect((await other.send('GET', `/geozones/${depot}/visits`)).status).toBe(400);
    expect((await other.send('GET', `/fleet/day?from=${NOW - 3_600_000}&to=${NOW}`)).body).toBe('');
  });

  test('of many events the visits are those that the last 20,000 of each cell describe', async () => {
    const { db } = host.api.host.storage;
    const companyId = await host.api.company();
    const owner = await host.api.as(companyId, 'ADMIN');
    const zone = { name: 'Yard', type: { key: 'circle' }, geometry: [[30, 60]], width: 500 };
    const { id } = (await owner.send('POST', '/geozones', zone)).body as { id: string };
    // Each unit enters and leaves; some visits are revised: gone, or with another end. Cell -1 has the same numbers.
    await sql`
      insert into events (company_id, cell, seq, ordinal, unit_id, time, number, event)
      select ${companyId}, p, i, o, unit, time, i * 4 + o * 2 + p, jsonb_build_object('unitId', unit, 'zoneId', zone, 'time', time) || case
          when o = 1 then jsonb_build_object('type', 'revised', 'was', visit, 'is', case when i % 3 = 0 then null else visit || '{"exit": 7}' end)
          when i % 2 = 0 then jsonb_build_object('type', 'enter', 'bounds', '[1, 2]'::jsonb, 'reason', 'crossed', 'visit', null)
          else jsonb_build_object('type', 'exit', 'bounds', '[1, 2]'::jsonb, 'reason', 'crossed', 'visit', visit) end
      from (
        select p, i, o, zone, 'u' || p || '-' || (i / 2) % 7 as unit, (i / 2) * 1000 as time,
          jsonb_build_object('zoneId', zone, 'enter', (i / 2) * 1000, 'exit', i * 1000, 'seen', 'crossed', 'end', 'crossed') as visit
        from (values (0), (-1)) as cells(p), generate_series(1, 15000) as numbers(i), (values (0), (1)) as ordinals(o),
          lateral (select case when i % 5 = 0 then 'other' else ${id} end as zone) as zones
        where o = 0 or i % 11 = 0
      ) as rows`.execute(db);
    const rows: {
      cell: number;
      seq: number;
      ordinal: number;
      event: { zoneId: string; unitId: string };
    }[] = (
      await sql<never>`select cell, seq::integer as seq, ordinal, event from events where company_id = ${companyId}`.execute(
        db,
      )
    ).rows;
    const ordered = rows.toSorted((a, b) => a.seq - b.seq || a.ordinal - b.ordinal);
    const latest = [0, -1].flatMap((p) => ordered.filter(({ cell }) => cell === p).slice(-20_000));
    const units = new Set(latest.map(({ event }) => event.unitId));
    const visits = [...units].flatMap((unitId) => {
      const own = latest.filter(({ event }) => event.unitId === unitId && event.zoneId === id);
      const events = own.map(({ event }) => event) as never[];
      return describeEvents('visits', events).map(({ enter, exit }) => ({ unitId, enter, exit }));
    });
    const expected = visits
      .toSorted((a, b) => b.enter - a.enter || (a.unitId < b.unitId ? -1 : 1))
      .slice(0, 20);
    expect((await owner.send('GET', `/geozones/${id}/visits`)).body).toEqual(expected);
    expect(expected.some(({ exit }) => exit === 7)).toBe(true);
  });

  test('a stream with positions begins with the latest position of each unit and its zones', async () => {
    const end = new AbortController();
    const answer = await fetch(`${host.url}/api_v1/events?positions=true`, {
      headers: host.owner.headers,
      signal: end.signal,
    });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (wanted: RegExp): Promise<string> => {
      while (!wanted.test(text)) text += (await reader.read()).value;
      const [, found] = wanted.exec(text)!;
      text = '';
      return found!;
    };
    const POSITIONS = /event: positions\ndata: (.*)\n\nevent: zones/;
    const { units } = JSON.parse(await until(POSITIONS)) as {
      units: { unitId: string; zoneIds: string[] }[];
    };
    const [depot, , road, hostile] = city.zones;
    const [first, second, third] = city.units;
    expect(Object.fromEntries(units.map(({ unitId, zoneIds }) => [unitId, zoneIds]))).toEqual({
      [first!]: [depot],
      [second!]: [road],
      [third!]: [hostile],
    });
    // Only what is new follows: one unit after one fix.
    await host.owner.send('POST', '/positions', [fixAt(second!, 30.3, 59.93, 0.1, 5)]);
    const next = JSON.parse(await until(/event: positions\ndata: (.*)\n\n/)) as { units: object[] };
    expect(next.units).toEqual([
      {
        unitId: second,
        time: NOW - 6000,
        lon: 30.3,
        lat: 59.93,
        speedKph: 5,
        courseDegrees: null,
        ignition: null,
        zoneIds: [depot],
      },
    ]);
    end.abort();
    await reader.cancel().catch(() => {});
  });
});
