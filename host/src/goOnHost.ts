/** `wayzone-host go-on --partition N`: resumes a partition after an operator has accepted the loss of its messages. */

import { parseArgs } from 'node:util';
import { WayzoneError } from 'wayzone';
import { hostJobs } from './jobs/jobs.js';
import { openStorage } from './openStorage.js';
import type { Settings } from './settings.js';
import { fixDays } from './storage/fixDays.js';
import { type GoneOn, goOn } from './stream/goOn.js';
import { openLog } from './stream/openStream.js';
import { zoneSource } from './stream/zoneSource.js';

/** Throws `option-value` if no valid partition is given, and the errors of `goOn`. */
export async function goOnHost(
  settings: Settings,
  args: readonly string[],
): Promise<GoneOn & { readonly partition: number }> {
  const partition = readPartition(args);
  const storage = await openStorage(settings);
  const jobs = hostJobs();
  try {
    const opened = await openLog(settings, storage);
    const gone = await goOn(partition, {
      ...opened,
      storage,
      days: fixDays(storage),
      zones: zoneSource(storage, jobs),
      now: Date.now(),
    });
    await opened.log.close();
    return { partition, ...gone };
  } finally {
    jobs.close();
    await storage.close();
  }
}

function readPartition(args: readonly string[]): number {
  const options = { partition: { type: 'string' }, json: { type: 'boolean' } } as const;
  const { partition = '' } = parseArgs({ args: [...args], options, strict: false }).values;
  if (typeof partition === 'string' && /^\d{1,4}$/.test(partition)) return Number(partition);
  throw new WayzoneError(
    'option-value',
    '--partition',
    `expected the number of a partition, received ${String(partition)}`,
  );
}
