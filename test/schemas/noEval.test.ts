import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs a module in a fresh Node process and returns its output. */
function node(code: string, ...flags: string[]): string {
  const args = [...flags, '--import', 'tsx', '--input-type=module', '-e', code];
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

test('validation needs no code generation: it works where the host forbids eval', () => {
  const code = `
    import { validateGeozone } from './src/schemas/index.ts';
    let forbidden = false;
    try { new Function('return 1')(); } catch { forbidden = true; }
    const zone = { name: 'A', type: { key: 'point' }, geometry: [[1, 2]] };
    let reason = '';
    try { validateGeozone({ ...zone, name: 7 }); } catch (error) { reason = error.errors[0].reason; }
    console.log(forbidden, validateGeozone(zone).type.value, reason);
  `;
  expect(node(code, '--disallow-code-generation-from-strings')).toBe('true Point type');
});
