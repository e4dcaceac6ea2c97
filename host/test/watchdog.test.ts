import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** How a process with the watch ends, and what it writes. */
async function ended(work: string): Promise<[code: number | null, signal: string | null, said: string]> {
  const source = new URL('../src/stream/startWatchdog.ts', import.meta.url).href;
  const program = `
    import { startWatchdog } from ${JSON.stringify(source)};
    await startWatchdog({ beatMs: 20, mostLooks: 50 });
    ${work}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return [code, signal, said];
}

test('a process whose event loop answers no more is ended, and says why', async () => {
  const [code, signal, said] = await ended('for (;;);');
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  expect(said).toMatch(/^Ended: unit-endless: expected an answer/);
});

test('the watch keeps no process alive that has nothing left to do', async () => {
  expect(await ended('')).toEqual([0, null, '']);
});
