import { afterAll, beforeAll, test } from 'vitest';
import { needs, POSTGRESQL } from '../../../test/needs.js';
import { type SmallDisk, smallDisk } from './smallDisk.js';
import { type VanCluster, vanCluster } from './vanCluster.js';

export interface FullDisk {
  /** What is on the disk. */
  readonly name: string;
  /** In the form of `mount`, such as `48m`. */
  readonly size: string;
  readonly folder: 'databaseFolder' | 'walFolder';
}

/** A test on a cluster of which one folder is a disk that the test fills. Skipped without root or PostgreSQL. */
export function testFullDisk(
  { name, size, folder }: FullDisk,
  title: string,
  run: (given: VanCluster, disk: SmallDisk) => Promise<void>,
): void {
  const disk = smallDisk(size);
  needs(disk.need, POSTGRESQL).describe(`a full disk of ${name} (needs root, PostgreSQL)`, () => {
    let given: VanCluster;
    beforeAll(async () => {
      given = await vanCluster({ [folder]: disk.folder });
    });
    afterAll(async () => {
      disk.empty();
      await given?.cluster.close();
      disk.remove();
    });

    test(title, () => run(given, disk));
  });
}
