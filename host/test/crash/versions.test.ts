import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NATS_SERVER, needs, POSTGRESQL } from '../../../test/needs.js';
import type { UnitFix } from '../../src/live/unitFix.js';
import { encodeFixes } from '../../src/stream/message.js';
import { natsLog } from '../../src/stream/natsLog.js';
import { partOf } from '../../src/stream/partOf.js';
import { addCompany } from '../addCompany.js';
import { type Cluster, MAIN, startCluster } from './cluster.js';
import { endStream } from './endStream.js';
import { fixAt, idZones } from './fleet.js';
import { differenceOf, fromLog, storedEvents, storedFixes } from './oracle.js';

/**
 * Workers of two versions run at once, as in a deploy. The older one cannot read states of the newer one, reports it, and leaves these cells
 * to it. The newer program is a copy of this one with the next state version.
 */

const PARTITIONS = 4;
const LATENESS_SECONDS = 2;
const UNITS = Array.from({ length: 40 }, (_, i) => `unit-${i}`);

needs(POSTGRESQL, NATS_SERVER).describe('two versions of workers (needs PostgreSQL, nats-server)', () => {
  let cluster: Cluster;
  let folder: string;
  let newer: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(dirname(MAIN), 'newer-'));
    for (const name of readdirSync(dirname(MAIN)))
      if (!name.startsWith('newer-'))
        cpSync(join(dirname(MAIN), name), join(folder, name), { recursive: true });
    newer = join(folder, 'main.js');
    const states = join(folder, 'stream/readState.js');
    const text = readFileSync(states, 'utf8');
    const version = Number(/^const VERSION = (\d+);$/m.exec(text)![1]);
    const older = `{"v":${version},"unit":`;
    writeFileSync(
      states,
      text
        .replace(/^const VERSION = \d+;$/m, `const VERSION = ${version + 1};`)
        .replace('text.startsWith(HEAD)', `(text.startsWith(HEAD) || text.startsWith('${older}'))`),
    );
    expect(readFileSync(states, 'utf8')).toContain(`|| text.startsWith('${older}')`);
    expect(readFileSync(states, 'utf8')).toContain('{"v":${VERSION},');
    cluster = await startCluster({
      workers: 1,
      apis: 1,
      environment: {
        PARTITIONS: String(PARTITIONS),
        LATENESS_SECONDS: String(LATENESS_SECONDS),
        STATE_SECONDS: '1',
        LOG_KEEP_SECONDS: '86400',
        LOG_MEGABYTES: '8',
      },
      prepare: ({ storage }) => addCompany(storage, 'c', { zones: idZones() }),
    });
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('cells go from version to version and back, and nothing is lost, doubled or changed', async () => {
    const { storage } = cluster.database;
    const { db } = storage;
    const log = await natsLog(cluster.natsUrl, { maxBytes: 8 * 2 ** 20 });
    const start = Date.now();
    /** Ten times the speed on roads, so that a unit passes zones in seconds. */
    const fixOf = (unit: number, time: number) => ({ ...fixAt(unit, start + (time - start) * 10), time });
    const last = new Map<number, number>();
    const drive = async (rounds: number): Promise<void> => {
      for (let i = 0; i < rounds; i++) {
        const time = Date.now();
        const parts = new Map<number, UnitFix[]>();
        for (const [unit, unitId] of UNITS.entries()) {
          const cell = partOf(unitId, PARTITIONS);
          parts.set(cell, [...(parts.get(cell) ?? []), { unitId, fix: fixOf(unit, time) }]);
        }
        const messages = [...parts].map(([cell, own]) => ({
          cell,
          payload: encodeFixes('c', own),
        }));
        const seqs = await log.publish(messages);
        messages.forEach(({ cell }, k) => void last.set(cell, seqs[k]!));
        await sleep(50);
      }
    };
    const cells = () => db.selectFrom('cells').selectAll().orderBy('cell').execute();
    const isCommitted = async (): Promise<boolean> =>
      (await cells()).every(({ cell, position }) => Number(position) >= last.get(cell)!);
    const untilCommitted = async (): Promise<void> => {
      while (!(await isCommitted())) await sleep(50);
    };
    const ownersOf = async (): Promise<number> =>
      new Set((await cells()).map(({ owner, unproven }) => (unproven === 0 ? owner : null))).size;
    const health = async (): Promise<{ status: string; unread?: { reason: string }[] }> =>
      (await (await fetch(`${cluster.apis[0]!.url}/ready`)).json()) as never;
    const versionsOf = async (): Promise<Set<unknown>> => {
      const rows = await db.selectFrom('unit_states').select('state').execute();
      return new Set(rows.map(({ state }) => (JSON.parse(state) as { v: unknown }).v));
    };

    // The workers create the streams.
    while ((await cells()).some(({ position }) => Number(position) === 0)) await sleep(50);
    await drive(30);
    await untilCommitted();
    // Both run, and the newer one takes over cells with states of the older one.
    const next = await cluster.addWorker(newer);
    while ((await ownersOf()) < 2) await drive(1);
    while ((await versionsOf()).size < 2) await drive(1);
    await drive(15);
    await untilCommitted();
    // The newer one ends. The older one takes its cells and cannot read their states.
    await next.stop();
    while (!(await health()).unread?.some(({ reason }) => reason === 'state-version')) await drive(1);
    // The newer one returns, and takes the cells that the older one left, beyond its share.
    const again = await cluster.addWorker(newer);
    await drive(15);
    await untilCommitted();
    while ((await health()).status !== 'ok') await sleep(100);
    await cluster.workers[0]!.stop();
    await drive(15);
    await untilCommitted();
    await again.restart();
    await drive(15);

    await endStream(cluster, LATENESS_SECONDS);
    const oracle = await fromLog(storage, log, PARTITIONS, LATENESS_SECONDS);
    const events = differenceOf(oracle.events, await storedEvents(storage));
    const fixes = differenceOf(oracle.fixes, await storedFixes(storage));
    expect([events, fixes]).toEqual(
      Array.from({ length: 2 }, () => ({ lost: 0, doubled: 0, changed: 0, examples: [] })),
    );
    expect(oracle.events.size).toBeGreaterThan(50);
    expect(oracle.fixes.size).toBeGreaterThan(90 * UNITS.length);
    await log.close();
  });
});
