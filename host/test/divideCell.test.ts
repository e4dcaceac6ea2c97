import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents } from 'wayzone/operator';
import { findVisits, readTrack } from 'wayzone/tracks';
import { POSTGRESQL } from '../../test/needs.js';
import { LONG, seeded } from '../../test/volume.js';
import type { UnitFix } from '../src/live/fixes.js';
import { fixDays } from '../src/storage/fixDays.js';
import { type WireRow, write } from '../src/storage/rows.js';
import type { Storage } from '../src/storage/storage.js';
import { divideCell, handOver } from '../src/stream/divideCell.js';
import { type LiveStream, liveStream } from '../src/stream/liveStream.js';
import { encodeFixes } from '../src/stream/message.js';
import { emittedMeetings } from '../src/stream/pairRuns.js';
import { listSetAside, resolveSetAside } from '../src/stream/setAside.js';
import { isMeetingEvent } from '../src/stream/streamEvent.js';
import { addCompany } from './addCompany.js';
import { eventsInOrder } from './eventsInOrder.js';
import { type Database, embedded, ownPostgres } from './testHost.js';
import { addTo, testStream } from './testStream.js';

/** A company's cells are divided while fixes arrive, and nothing of its events changes. */

const START = Date.UTC(2026, 2, 2, 6);
const MINUTE = 60_000;
const MINUTES = 48;
const UNITS = 12;
const zoneAt = (id: string, lon: number): WireRow =>
  ({ id, name: id, type: { key: 'circle' }, geometry: [[lon, 60]], width: 500 }) as WireRow;
/** To and fro through the yard in 20 minutes, each unit at its own time; a unit and its trailer together. */
const fixAt = (unit: number, minute: number): Fix => ({
  time: START + minute * MINUTE,
  lon: 30 + (Math.abs(((minute + (unit >> 1)) % 20) - 10) - 5) / 250,
  lat: 60,
});

const databases: readonly (readonly [string, () => Promise<Database>])[] = [
  // Half a minute each: the ordinary run takes one of the two.
  ...(LONG || !POSTGRESQL.isThere ? [['the embedded database', embedded] as const] : []),
  ...(POSTGRESQL.isThere ? [['PostgreSQL', ownPostgres] as const] : []),
];
describe.each(databases)('on %s', (_, open) => {
  let database: Database;
  let storage: Storage;
  beforeAll(async () => {
    database = await open();
    ({ storage } = database);
  });
  afterAll(async () => {
    await storage?.close();
    database?.remove();
  });
  let time = START;
  const now = (): number => time;
  const sender = (): LiveStream => liveStream({ storage, days: fixDays(storage), worker: null, now });
  const cellsOf = async (companyId: string): Promise<number[]> => {
    const { rows } = await sql<{ cell: number }>`
      select cell from cells where company_id = ${companyId} and last is null order by cell`.execute(
      storage.db,
    );
    return rows.map(({ cell }) => cell);
  };
  /** Waits until all messages of a company are handled, no cell waits for another one, and their clocks are past `clock`. */
  const drained = async (companyId: string, clock = 0): Promise<void> => {
    for (;;) {
      const { rows } = await sql<{ left: string }>`
        select count(*) as left from cells left join cell_positions using (cell)
        where company_id = ${companyId}
          and (position is null or position < head or last is not null or clock < ${clock})`.execute(
        storage.db,
      );
      if (rows[0]!.left === '0') return;
      await sleep(20);
    }
  };
  const add = (id: string): Promise<void> =>
    addCompany(storage, id, {
      zones: [zoneAt(`${id}-yard`, 30)],
      units: Array.from({ length: UNITS }, (_, i) => ({ id: `${id}-${i}` })),
    });
  const addTrip = (companyId: string, unit: number): Promise<unknown> =>
    write(storage, companyId, (writer) =>
      writer.insert('trips', [
        {
          id: `${companyId}-trip-${unit}`,
          name: 'trip',
          unit: { id: `${companyId}-${unit}` },
          activation_type: { key: 'entrance_to_first_point' },
          passage_order_type: { key: 'arbitrary' },
          dates: ['2026-03-02'],
          points: [30, 30.015].map((lon) => ({
            ...zoneAt('point', lon),
            arrival: { time: '06:30', deviation_minutes: 20 },
          })),
        } as unknown as WireRow,
      ]),
    );
  /** What the events of all units describe. The names of units and zones are those of `companyId`. */
  const described = async (companyId: string): Promise<unknown[]> => {
    const all: unknown[] = [];
    for (let i = 0; i < UNITS; i++) {
      const events = await eventsInOrder(storage, { unit_id: `${companyId}-${i}` });
      all.push({
        visits: describeEvents('visits', events),
        movement: describeEvents('movement', events),
        trips: describeEvents(
          'trips',
          events.filter((event) => 'tripId' in event && !('kind' in event)),
        ),
        meetings: emittedMeetings(events.filter(isMeetingEvent)),
      });
    }
    return JSON.parse(JSON.stringify(all).replaceAll(`${companyId}-`, '')) as unknown[];
  };
  /** Two senders, whose maps of cells are stale after a division; a tenth of the fixes is late, beyond the lateness. */
  const drive = async (companyId: string, onMinute: (minute: number) => Promise<unknown>): Promise<void> => {
    await add(companyId);
    for (const unit of [0, 1, 2]) await addTrip(companyId, unit);
    await storage.db
      .updateTable('units')
      .set({ row: JSON.stringify({ trailers: [{ trailer: { id: `${companyId}-3` }, meters: 100 }] }) })
      .where('id', '=', `${companyId}-2`)
      .execute();
    const random = seeded(7);
    const senders = [sender(), sender()];
    const late: UnitFix[][] = [];
    for (let minute = 0; minute < MINUTES; minute++) {
      time = START + minute * MINUTE;
      const due: UnitFix[][] = [late[minute] ?? [], []];
      for (let unit = 0; unit < UNITS; unit++) {
        const one = { unitId: `${companyId}-${unit}`, fix: fixAt(unit, minute) };
        const at = random() < 0.1 ? minute + 1 + Math.floor(5 * random()) : minute;
        if (at === minute || at >= MINUTES) due[(unit + minute) % 2]!.push(one);
        else late[at] = [...(late[at] ?? []), one];
      }
      await Promise.all([...due.map((fixes, i) => senders[i]!.push(companyId, fixes)), onMinute(minute)]);
    }
    for (const one of senders) await one.close();
    // The clock ends what waits.
    for (let i = 0; i < 4; i++) {
      await drained(companyId);
      time += 30 * MINUTE;
      await drained(companyId, time - 5 * MINUTE);
      await sleep(400);
    }
    await drained(companyId);
  };

  test('a company whose cells divide has the events of one whose cells do not', async () => {
    const whole = testStream({ storage, now, tickMs: 1000 });
    await drive('whole', async () => {});
    await whole.close();
    expect((await cellsOf('whole')).length).toBe(1);

    const workers = (storage.url === null ? [0] : [0, 1]).map(() =>
      testStream({ storage, now, tickMs: 1000, mostUnits: 8 }),
    );
    const random = seeded(3);
    await drive('parts', async (minute) => {
      if (minute < 12 || minute % 3 !== 0) return;
      const cells = await cellsOf('parts');
      await divideCell(storage, cells[Math.floor(random() * cells.length)]!, 2 + (minute % 2));
    });
    for (const one of workers) await one.close();

    const cells = await cellsOf('parts');
    expect(cells.length).toBeGreaterThan(9);
    const { rows: gone } = await sql`
      select from cell_positions p where not exists (select from cells c where c.cell = p.cell)
      union all select from unit_states s where not exists (select from cells c where c.cell = s.cell)
      union all select from cell_zones z where not exists (select from cells c where c.cell = z.cell)
      union all select from cell_messages m where not exists (select from cells c where c.cell = m.cell)`.execute(
      storage.db,
    );
    expect(gone).toEqual([]);
    const found = (await described('parts')) as {
      visits: unknown[];
      trips: unknown[];
      meetings: unknown[];
    }[];
    expect(found).toEqual(await described('whole'));
    const index = new ZoneIndex([zoneAt('yard', 30) as never]);
    const batch = findVisits(readTrack(Array.from({ length: MINUTES }, (_, i) => fixAt(5, i))), index);
    expect(found[5]!.visits.length).toBe(batch.length);
    expect(found[0]!.trips.length).toBeGreaterThan(1);
    expect(found[2]!.meetings.length).toBeGreaterThan(0);
  });

  test('a unit that is set aside moves with its cell, and is followed again', async () => {
    await add('aside');
    time = START + 10 * MINUTE;
    const live = testStream({ storage, now });
    const fixes = (from: number, to: number): UnitFix[] =>
      Array.from({ length: to - from }, (_, i) => ({ unitId: 'aside-4', fix: fixAt(4, from + i) }));
    await live.push('aside', fixes(0, 10));
    const bad = { unitId: 'aside-4', fix: { ...fixAt(4, 10), lon: 'x' as never } };
    const before = await addTo(storage, 'aside', 'aside-4', time, encodeFixes('aside', [bad]));
    await live.push('aside', fixes(11, 40));
    await divideCell(storage, before, 4);
    // Its part waits for the messages of the cell.
    time = START + 60 * MINUTE;
    const [waiting] = await listSetAside(storage);
    expect(waiting).toMatchObject({ unitId: 'aside-4' });
    await resolveSetAside(storage, { unitId: 'aside-4' }, 'skip', time);
    await live.push('aside', fixes(40, 60));
    await drained('aside');
    await live.close();
    expect(await listSetAside(storage)).toEqual([]);
    expect((await cellsOf('aside')).includes(before)).toBe(false);
    const own = [...fixes(0, 10), ...fixes(11, 60)].map(({ fix }) => fix);
    const batch = findVisits(readTrack(own), new ZoneIndex([zoneAt('aside-yard', 30) as never]));
    const events = await eventsInOrder(storage, { unit_id: 'aside-4' });
    const textOf = (one: { enter: number; exit: number | null }): string => `${one.enter} ${one.exit}`;
    expect(describeEvents('visits', events).map(textOf)).toEqual(batch.map(textOf));
  });

  test('a closed cell takes no message, and is handed over only after its last one, by the worker that has written it', async () => {
    await add('closed');
    time = START + 10 * MINUTE;
    const first = sender();
    await first.push('closed', [{ unitId: 'closed-0', fix: fixAt(0, 0) }]);
    const [cell] = await cellsOf('closed');
    await divideCell(storage, cell!, 2);
    await divideCell(storage, cell!, 2);
    expect((await cellsOf('closed')).length).toBe(2);
    expect(await handOver(storage, cell!, 0)).toBe(false);
    // A process of an earlier version knows nothing of closed cells.
    await expect(
      sql`update cells set head = head + 1 where cell = ${cell}`.execute(storage.db),
    ).rejects.toThrow(/cells_closed/);
    await first.push('closed', [{ unitId: 'closed-0', fix: fixAt(0, 1) }]);
    const { rows } = await sql<{ last: string; head: string }>`
      select last, head from cells where company_id = 'closed' order by head desc, last`.execute(storage.db);
    expect(rows).toEqual([
      { last: null, head: '2' },
      { last: '1', head: '1' },
      { last: null, head: '1' },
    ]);
    await first.close();
    const live = testStream({ storage, now });
    await live.push('closed', [{ unitId: 'closed-0', fix: fixAt(0, 2) }]);
    await live.close();
    const { rows: left } = await sql<{ position: string }>`
      select position from cells join cell_positions using (cell) where company_id = 'closed' order by position`.execute(
      storage.db,
    );
    expect(left.map(({ position }) => position)).toEqual(['1', '3']);
    expect(await handOver(storage, cell!, 1)).toBe(false);
  });
});
