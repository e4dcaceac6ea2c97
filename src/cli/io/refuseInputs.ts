/** Refuses outputs that would overwrite an input. */

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WayzoneError } from '../../core/errors.js';
import { STANDARD } from './standardInput.js';

/** Throws `output-is-input` if an output is also an input or another output, under any name. `hint`: advice for the user. */
export async function refuseInputs(
  inputs: readonly string[],
  outputs: readonly string[],
  hint: string,
): Promise<void> {
  const names = new Map<string, string>();
  for (const input of inputs) for (const name of await namesOf(input)) names.set(name, 'an input');
  for (const output of outputs) {
    const own = await namesOf(output);
    for (const name of own) {
      const taken = names.get(name);
      if (taken === undefined) continue;
      throw new WayzoneError(
        'output-is-input',
        '',
        `${output} is ${taken} too, and would be overwritten; ${hint}`,
      );
    }
    for (const name of own) names.set(name, 'another output');
  }
}

/** The path, and for a regular file its device and inode, which symbolic and hard links share. */
async function namesOf(path: string): Promise<string[]> {
  if (path === STANDARD) return [];
  const place = `path ${resolve(path)}`;
  try {
    const stats = await stat(path, { bigint: true });
    return stats.isFile() ? [place, `file ${stats.dev} ${stats.ino}`] : [];
  } catch {
    return [place];
  }
}
