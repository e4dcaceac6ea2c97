/** Reads every trap in one separate process, which measures time and memory. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrapResult } from './trapChild.js';
import { TRAPS } from './traps.js';

/** Runs the process. `loader`: options with which Node runs TypeScript. */
export function runTraps(loader: readonly string[] = ['--import', 'tsx']): TrapResult[] {
  const folder = mkdtempSync(join(tmpdir(), 'wayzone-traps-'));
  try {
    for (const [i, trap] of TRAPS.entries()) writeFileSync(join(folder, String(i)), trap.input());
    const script = fileURLToPath(new URL('trapChild.ts', import.meta.url));
    const args = ['--expose-gc', ...loader, script, folder];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as TrapResult[];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
