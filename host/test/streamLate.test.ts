import { expect, test } from 'vitest';
import { type Fix, ZoneIndex } from 'wayzone';
import { describeEvents } from 'wayzone/operator';
import { detectTrips, findVisits, readTrack } from 'wayzone/tracks';
import { seeded } from '../../test/volume.js';
import type { StreamEvent } from '../src/stream/streamEvent.js';
import { batchMovement } from './batchMovement.js';
import { memoryRun } from './memoryRun.js';

/** Fixes of several days arrive hours late and in any order. The final events equal those of the batch. In memory, without a database. */

const START = Date.UTC(2026, 2, 2);
const MINUTE = 60_000;
const DAY = 1440;
const ZONES = new ZoneIndex(
  [0, 4, 8, 30].map((at) => ({
    id: `zone ${at}`,
    type: { key: 'circle' as const },
    geometry: [[30 + at / 100, 60]] as [number, number][],
    width: at === 30 ? 12_000 : 400,
  })),
);

interface Drive {
  readonly fixes: readonly Fix[];
  readonly settings: object;
}

/** Drives and rests of a unit over some days, with gaps and nights. */
function driveOf(random: () => number): Drive {
  const fixes: Fix[] = [];
  const hasSpeed = random() < 0.6;
  const everyMinutes = 1 + Math.floor(3 * random());
  const mostDrives = random() < 0.2 ? 1 : 1000;
  let [minute, at, direction, drives] = [0, 0, 1, 0];
  let odometer = 0;
  const days = 3 + Math.floor(4 * random());
  while (minute < days * DAY) {
    const dice = random();
    const isDrive = dice < 0.5 && drives < mostDrives;
    const lasts = isDrive ? 3 + 30 * random() : dice < 0.9 ? 2 + 40 * random() : 400 * random();
    if (isDrive) drives++;
    for (const end = minute + lasts; minute < end; minute += everyMinutes) {
      const step = isDrive ? 0.006 * everyMinutes * direction : 0;
      if (Math.abs(at + step) > 0.5) direction = -direction;
      at += isDrive ? 0.006 * everyMinutes * direction : (random() - 0.5) * 1e-5;
      odometer += isDrive ? 340 * everyMinutes : 0;
      fixes.push({
        time: START + Math.round(minute * MINUTE),
        lon: 30 + at,
        lat: 60,
        ...(hasSpeed && random() < 0.9 ? { speedKph: isDrive ? 20 : 0 } : {}),
        ...(random() < 0.7 ? { mileageMeters: Math.round(odometer) } : {}),
        ...(random() < 0.5 ? { ignition: isDrive } : {}),
      });
    }
    // Switched off.
    if (random() < 0.1) minute += 600 * random();
    if (random() < 0.02) minute += 2 * DAY * random();
  }
  const settings = {
    tripdetector_minparktime: [120, 300, 1200][Math.floor(3 * random())]!,
    tripdetector_maxdistancemsg: 5000,
    ...(random() < 0.3 ? { tripdetector_mileagedetect: 'mileage_mileage_sensor' } : {}),
    ...(random() < 0.3 ? { key_tripdetector_movedetect: 'ignition' } : {}),
    ...(random() < 0.3 ? { tripdetector_gpscorrect: 1 } : {}),
  };
  return { fixes, settings };
}

/** Splits the fixes into messages. Some messages come hours late, some twice. */
function messagesOf(fixes: readonly Fix[], random: () => number): Fix[][] {
  const runs: { readonly due: number; readonly run: Fix[] }[] = [];
  for (let from = 0; from < fixes.length; ) {
    const run = fixes.slice(from, from + 1 + Math.floor(60 * random()));
    from += run.length;
    const delay = random() < 0.15 ? 2 * DAY * MINUTE * random() : 0;
    runs.push({ due: run.at(-1)!.time + delay, run });
    if (random() < 0.05) runs.push({ due: run.at(-1)!.time + DAY * MINUTE * random(), run });
  }
  return runs.sort((a, b) => a.due - b.due).map(({ run }) => run);
}

async function eventsOf({ fixes, settings }: Drive, random: () => number): Promise<readonly StreamEvent[]> {
  const run = memoryRun(ZONES, { settings });
  let clock = START;
  const next = async (own?: readonly Fix[]): Promise<void> => {
    await run.handle(clock, own);
    // Some outputs wait for a later checkpoint. Some of these are lost with the worker.
    if (random() < 0.5) run.commit();
    if (random() < 0.05) await run.restart();
  };
  for (const message of messagesOf(fixes, random)) {
    clock = Math.max(clock, ...message.map(({ time }) => time));
    await next(message);
    if (random() < 0.5) await next();
  }
  clock += 10 * MINUTE;
  await run.handle(clock);
  run.commit();
  return run.events;
}

test('the events with their revisions equal the visits, trips, parkings and stops of the batch', async () => {
  let [revised, items] = [0, 0];
  for (let seed = 1; seed <= 16; seed++) {
    const random = seeded(seed);
    const drive = driveOf(random);
    const events = await eventsOf(drive, random);
    const track = readTrack(drive.fixes);
    const emitted = describeEvents('movement', events);
    expect(emitted, `seed ${seed}`).toEqual(batchMovement(detectTrips(track, drive.settings), emitted));
    const text = (visit: { zoneId: string; enter: number; exit: number | null }): string =>
      JSON.stringify(visit.exit === null ? [visit.zoneId, visit.enter] : visit);
    expect(describeEvents('visits', events).map(text).sort(), `seed ${seed}`).toEqual(
      findVisits(track, ZONES).map(text).sort(),
    );
    revised += events.filter(({ type }) => type === 'revised').length;
    items += emitted.length;
  }
  expect([revised > 100, items > 200]).toEqual([true, true]);
});
