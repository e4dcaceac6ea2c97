/** A disk of a test that can be filled: a tmpfs, which needs root. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Need } from '../../../test/needs.js';

export interface SmallDisk {
  readonly folder: string;
  /** Whether the disk is there. */
  readonly need: Need;
  /** Leaves no block free. */
  fill(): void;
  /** Gives the blocks free that `fill` took. */
  empty(): void;
  remove(): void;
}

/** `size` as `mount` takes it, such as `48m`. */
export function smallDisk(size: string): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    need: { name: 'root and tmpfs', isThere: status === 0 },
    fill() {
      for (const block of [1 << 20, 4096])
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(block), { flag: 'a' });
        } catch (error) {
          expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
        }
    },
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      if (status === 0) execFileSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
