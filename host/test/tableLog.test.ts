import { sql } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import { needs, POSTGRESQL } from '../../test/needs.js';
import { prepareStream } from '../src/stream/prepareStream.js';
import { tableLog } from '../src/stream/tableLog.js';
import { type Database, ownPostgres } from './testHost.js';

/** The log as a table of the database. */

const postgres = needs(POSTGRESQL);
postgres.describe('on PostgreSQL (needs PostgreSQL)', () => {
  let database: Database;
  beforeAll(async () => {
    database = await ownPostgres();
  });
  afterAll(async () => {
    await database.storage.close();
    database.remove();
  });

  postgres.test('messages are taken while a checkpoint of their partition is under way', async () => {
    const { storage } = database;
    await prepareStream(storage, { log: 'table' });
    const log = tableLog(storage, () => 1_772_431_200_000);
    const message = (text: string) => ({ partition: 0, payload: Buffer.from(text) });
    expect(await log.publish([message('a'), message('b')])).toEqual([1, 2]);
    await storage.db.transaction().execute(async (trx) => {
      // As a checkpoint does until its commit.
      await sql`update partitions set position = 2 where partition = 0`.execute(trx);
      expect(await log.publish([message('c')])).toEqual([3]);
    });
    expect(await log.state(0)).toMatchObject({ first: 1, last: 3 });
    await log.close();
  });
});
