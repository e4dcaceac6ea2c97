/** A small disk that a test can fill: a tmpfs, which needs root. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Need } from '../../../test/needs.js';

export interface SmallDisk {
  readonly folder: string;
  /** Whether the disk could be mounted. */
  readonly need: Need;
  /** Fills the disk completely. */
  fill(): void;
  /** Frees the space that `fill` took. */
  empty(): void;
  remove(): void;
}

/** `size` in the form of `mount`, such as `48m`. */
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
