import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { seeded } from '../../test/volume.js';
import { survives } from './crash/survives.js';

/**
 * Cuts the power during writes: the host dies, and its data folder becomes what a disk would hold. The file layer `unsyncedFiles.mjs` drops
 * every write that was not synced; the cut keeps some of these writes at random, as disks do.
 */

const LAYER = resolve(import.meta.dirname, 'crash/unsyncedFiles.mjs');
const CUTS = 10;
const PAGE = 4096;

test('the embedded database loses no acknowledged write by a power cut', async () => {
  const base = mkdtempSync(join(tmpdir(), 'wayzone-power-'));
  const [folder, image] = [join(base, 'data'), join(base, 'image')];
  const random = seeded(CUTS);
  let kept = 0;
  let dropped = 0;

  /** Lets each page of the database that was written but not synced reach the disk with this chance. */
  function keepSome(own: string, its: string, chance: number): void {
    for (const entry of readdirSync(own, { withFileTypes: true })) {
      const [from, to] = [join(own, entry.name), join(its, entry.name)];
      if (!existsSync(to)) continue;
      if (entry.isDirectory()) keepSome(from, to, chance);
      else if (statSync(from).size >= statSync(to).size) keepPages(from, to, chance);
    }
  }

  function keepPages(from: string, to: string, chance: number): void {
    const [now, synced] = [readFileSync(from), readFileSync(to)];
    if (now.equals(synced)) return;
    const file = openSync(to, 'r+');
    for (let at = 0; at < now.length; at += PAGE) {
      const page = now.subarray(at, at + PAGE);
      if (page.equals(synced.subarray(at, at + PAGE))) continue;
      if (random() < chance) {
        writeSync(file, page, 0, page.length, at);
        kept++;
      } else dropped++;
    }
    closeSync(file);
  }

  function cutPower(): void {
    expect(existsSync(join(image, 'database'))).toBe(true);
    keepSome(join(folder, 'database'), join(image, 'database'), random() < 0.5 ? 0 : random());
    rmSync(folder, { recursive: true });
    renameSync(image, folder);
    cpSync(folder, image, { recursive: true });
  }

  try {
    const layer = {
      NODE_OPTIONS: `--import=${LAYER}`,
      DISK_FOLDER: folder,
      DISK_IMAGE: image,
      DATA_DIR: folder,
    };
    await survives(layer, CUTS, cutPower);
    expect(dropped + kept).toBeGreaterThan(0);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
});
