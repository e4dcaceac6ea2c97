/** Keeps existing output files unless `--force` is given. */

import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { unwritable } from './standardOutput.js';

/** Options whose value is a file to write; `-` is standard output. */
export const OUTPUTS: ReadonlySet<string> = new Set(['out', 'issues']);

/** Commands whose last argument is a file to write. */
const WRITERS: ReadonlySet<string> = new Set(['convert', 'tiles']);

/** A file that shows that a folder holds a page. */
const PAGE = 'index.html';

/**
 * Adds `--force` to a command that writes files. Without it, the command stops before its work if one of them exists. An output that is also an
 * input is left to the command, which reports it.
 */
export function keepOutputs(command: Command): void {
  const { options } = command;
  const writesLast = WRITERS.has(command.name());
  const names = options.map((option) => option.attributeName());
  const outputs = names.filter((name) => OUTPUTS.has(name) || name === 'saveProfile');
  if (outputs.length === 0 && !writesLast) return;
  if (!names.includes('force')) command.option('--force', 'replace existing output files');
  command.hook('preAction', async () => {
    if (command.getOptionValue('force') === true) return;
    const args = (command as unknown as { processedArgs: readonly unknown[] }).processedArgs.flat();
    const written: unknown[] = outputs.map((name) => command.getOptionValue(name));
    if (writesLast && args.length > 1) written.push(args.pop());
    const inputs = names
      .filter((name) => !outputs.includes(name))
      .map((name) => command.getOptionValue(name));
    const read = await Promise.all([...args, ...inputs.flat()].map(statOf));
    for (const path of written) {
      const found = await statOf(path);
      const isInput = read.some((other) => other?.ino === found?.ino && other?.dev === found?.dev);
      if (typeof path !== 'string' || found === null || isInput || !(await isKept(path, found))) continue;
      throw unwritable(path, 'it exists; --force replaces it');
    }
  });
}

async function statOf(path: unknown): Promise<Stats | null> {
  return typeof path === 'string' ? stat(path).catch(() => null) : null;
}

/** Whether a file is at the path, or a page in the folder there. A pipe, a device or standard output is written to. */
async function isKept(path: string, found: Stats): Promise<boolean> {
  const { isStandardOutput } = await import('./output.js');
  if (await isStandardOutput(path)) return false;
  return found.isDirectory() ? (await statOf(join(path, PAGE))) !== null : found.isFile();
}
