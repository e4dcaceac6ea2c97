/** Runs the command line in a test, and writes its input files. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { run } from '../../src/cli/run.js';

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the program with the arguments as given. */
export async function asGiven(...argv: readonly (string | readonly string[])[]): Promise<Outcome> {
  let out = '';
  let err = '';
  const code = await run(argv.flat(), {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}

/** Runs the program with `--force`, where it writes a file: files of earlier steps of a test are replaced. */
export function wayzone(...argv: readonly (string | readonly string[])[]): Promise<Outcome> {
  const all = argv.flat();
  const writes =
    /^(?:convert|tiles)$/.test(all[0] ?? '') || all.some((flag) => /^--(?:out|save-profile)$/.test(flag));
  return asGiven(all, writes && !all.includes('--force') ? ['--force'] : []);
}

/** A folder that is removed after the tests, and functions for paths and files in it. */
export function testFolder(name: string): {
  readonly folder: string;
  readonly at: (file: string) => string;
  readonly put: (file: string, content: string | Uint8Array) => string;
} {
  const folder = mkdtempSync(join(tmpdir(), `wayzone-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (file: string): string => join(folder, file);
  const put = (file: string, content: string | Uint8Array): string => {
    writeFileSync(at(file), content);
    return at(file);
  };
  return { folder, at, put };
}
