/** Reads the name of a coordinate system from the command line. */

import type { Command } from 'commander';
import { WayzoneError } from '../../core/errors.js';
import type { Crs } from '../../interchange/index.js';
import { printable } from '../io/terminal.js';

/** The coordinate system; null if none is named. An unknown name ends the program with a usage error. */
export async function readCrs(
  command: Command,
  flag: '--crs' | '--to-crs',
  name: string | undefined,
): Promise<Crs | null> {
  if (name === undefined) return null;
  const { loadCrs } = await import('../../interchange/crs/loadCrs.js');
  try {
    return await loadCrs(name);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return command.error(`error: ${flag}: ${printable(error.message)}`);
  }
}
