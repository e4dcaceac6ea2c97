import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import type { UnitFix } from '../src/live/fixes.js';
import { fixDays } from '../src/storage/fixDays.js';
import type { Storage } from '../src/storage/storage.js';
import { cellMap } from '../src/stream/cellMap.js';
import { type FixIntake, fixIntake } from '../src/stream/fixIntake.js';
import { decodeMessage } from '../src/stream/message.js';
import { addCompany } from './addCompany.js';
import { type Given, onADatabase } from './testHost.js';

/** The intake commits the history and the order of arrival together, whoever sends at the same time. */

const START = Date.UTC(2026, 2, 2, 6);
const fixOf = (unitId: string, second: number): UnitFix => ({
  unitId,
  fix: { time: START + second * 1000, lon: 30, lat: 60 },
});
const many = (unitId: string, count: number): UnitFix[] =>
  Array.from({ length: count }, (_, i) => fixOf(unitId, i));

onADatabase((given: () => Given) => {
  let storage: Storage;
  beforeAll(() => {
    ({ storage } = given().database);
  });
  const open = (): FixIntake =>
    fixIntake({
      storage,
      days: fixDays(storage),
      cells: cellMap(storage),
      now: () => START,
      onTaken: () => {},
    });
  /** By company, the fixes of all messages in their order. */
  const arrived = async (companyId: string): Promise<Map<number, UnitFix[]>> => {
    const { rows } = await sql<{ cell: number; seq: string; payload: Uint8Array }>`
      select m.cell, m.seq, m.payload from cell_messages m join cells c on c.cell = m.cell
      where c.company_id = ${companyId} order by m.cell, m.seq`.execute(storage.db);
    const found = new Map<number, UnitFix[]>();
    const next = new Map<number, number>();
    for (const { cell, seq, payload } of rows) {
      // From 1 on, without a gap.
      expect(Number(seq)).toBe((next.get(cell) ?? 0) + 1);
      next.set(cell, Number(seq));
      const message = decodeMessage(payload, START);
      if (message.kind === 'fixes') found.set(cell, [...(found.get(cell) ?? []), ...message.fixes]);
    }
    return found;
  };

  test('each sender’s fixes keep their order in the cells of their units, without gaps, beside other senders', async () => {
    const ids = Array.from({ length: 1200 }, (_, i) => `order-${i}`);
    await addCompany(storage, 'order', { units: ids.map((id) => ({ id })) });
    const processes = [open(), open()];
    const sent = ids.slice(0, 60);
    await Promise.all(
      sent.map(async (unitId, i) => {
        for (let second = 0; second < 6; second++)
          await processes[i % 2]!('order', [fixOf(unitId, 2 * second), fixOf(unitId, 2 * second + 1)]);
      }),
    );
    const cells = await cellMap(storage).of('order');
    expect(cells.all.length).toBe(3);
    const found = await arrived('order');
    for (const unitId of sent) {
      const own = found.get(cells.of(unitId).cell)!.filter((one) => one.unitId === unitId);
      expect(own).toEqual(many(unitId, 12));
    }
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from fixes where unit_id like 'order-%'`.execute(storage.db);
    expect(rows[0]!.n).toBe(60 * 12);
  });

  test('beside a company that sends 20,000 fixes at once, another one waits for one statement', async () => {
    await addCompany(storage, 'big', { units: [{ id: 'big-0' }] });
    await addCompany(storage, 'small', { units: [{ id: 'small-0' }] });
    const take = open();
    let isDone = false;
    const big = take('big', many('big-0', 20_000)).then(() => {
      isDone = true;
    });
    for (let second = 0; second < 3; second++) await take('small', [fixOf('small-0', second)]);
    expect(isDone).toBe(false);
    await big;
    expect((await arrived('big')).values().next().value).toEqual(many('big-0', 20_000));
  });

  test('a request that cannot be stored fails alone, and leaves nothing', async () => {
    for (const id of ['good', 'bad']) await addCompany(storage, id, { units: [{ id: `${id}-0` }] });
    for (let i = 0; i < 3; i++) await addCompany(storage, `busy-${i}`, { units: [{ id: `busy-${i}` }] });
    const take = open();
    // Until their statements end the requests wait, and then share one.
    const busy = [0, 1, 2].map((i) => take(`busy-${i}`, many(`busy-${i}`, 500)));
    const nul = { time: START, lon: 30, lat: 60, note: '\0' } as never;
    const [first, bad, second] = await Promise.allSettled([
      take('good', [fixOf('good-0', 0)]),
      take('bad', [fixOf('bad-0', 0), { unitId: 'bad-0', fix: nul }]),
      take('good', [fixOf('good-0', 1)]),
    ]);
    await Promise.all(busy);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'text-invalid' } });
    expect([first.status, second.status]).toEqual(['fulfilled', 'fulfilled']);
    expect([...(await arrived('good')).values()]).toEqual([many('good-0', 2)]);
    expect([...(await arrived('bad')).values()]).toEqual([]);
    const { rows } = await sql<{ unit_id: string }>`
      select distinct unit_id from fixes where unit_id in ('good-0', 'bad-0')`.execute(storage.db);
    expect(rows).toEqual([{ unit_id: 'good-0' }]);
  });

  test('while the database is away, fixes of a company that was not met before are refused, and the process goes on', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const away: Storage = {
      ...storage,
      db: storage.db.withPlugin({
        transformQuery: () => {
          throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
        },
        transformResult: async ({ result }) => result,
      }),
    };
    const take = fixIntake({
      storage: away,
      days: fixDays(away),
      cells: cellMap(away),
      now: () => START,
      onTaken: () => {},
    });
    const all = await Promise.allSettled([
      take('new', many('new-0', 3)),
      take('new', many('new-0', 1)),
      take('other', many('other-0', 1)),
    ]);
    expect(all.map((one) => one.status === 'rejected' && (one.reason as { code: string }).code)).toEqual(
      all.map(() => 'ECONNREFUSED'),
    );
    for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  test('of fixes of one unit and time the better one is in the history, all are messages', async () => {
    await addCompany(storage, 'twice', { units: [{ id: 'twice-0' }] });
    const take = open();
    const at = (lon: number, accuracyMeters: number): UnitFix => ({
      unitId: 'twice-0',
      fix: { time: START, lon, lat: 60, accuracyMeters },
    });
    await take('twice', [at(30, 9), at(30.1, 5)]);
    await take('twice', [at(30.2, 7)]);
    await take('twice', [at(30.3, 3), at(30.4, 8)]);
    const { rows } = await sql<{ lon: number }>`
      select lon from fixes where unit_id = 'twice-0'`.execute(storage.db);
    expect(rows).toEqual([{ lon: 30.3 }]);
    const [all = []] = (await arrived('twice')).values();
    expect(all.map(({ fix }) => fix.lon)).toEqual([30, 30.1, 30.2, 30.3, 30.4]);
  });

  test('a cell and a day that a server lost with its last writes are made again; the cell of another company gets nothing', async () => {
    const lost = 'lost-unit';
    const other = 'next-unit';
    await addCompany(storage, 'lost', { units: [{ id: lost }] });
    await addCompany(storage, 'next', { units: [{ id: other }] });
    const take = open();
    const earlier = -5 * 86_400;
    await take('lost', [fixOf(lost, earlier)]);
    const { cell: base } = (await cellMap(storage).of('lost')).of(lost);
    for (const name of ['cells', 'cell_positions', 'cell_messages'])
      await sql`delete from ${sql.table(name)} where cell = ${base}`.execute(storage.db);
    await sql`drop table fixes_20260225`.execute(storage.db);
    // The server gives the number again.
    await storage.db
      .insertInto('cells')
      .values({ cell: base, company_id: 'next', modulus: 1, residue: 0, parent: null })
      .execute();
    await open()('next', [fixOf(other, 0)]);

    const taken = await take('lost', [fixOf(lost, earlier + 1)]);
    const made = (await cellMap(storage).of('lost')).of(lost).cell;
    expect(made).not.toBe(base);
    expect([...taken.keys()]).toEqual([made]);
    expect(await arrived('lost')).toEqual(new Map([[made, [fixOf(lost, earlier + 1)]]]));
    expect(await arrived('next')).toEqual(new Map([[base, [fixOf(other, 0)]]]));
    const { rows } = await sql<{ unit: string }>`
      select unit_id as unit from fixes where unit_id in (${lost}, ${other}) order by unit_id`.execute(
      storage.db,
    );
    expect(rows.map(({ unit }) => unit)).toEqual([lost, other]);
  });
});
