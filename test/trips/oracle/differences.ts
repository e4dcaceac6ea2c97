/** The differences of two reports. Bounds computed from distances are rounded to milliseconds, so they may differ by one. */

import type { SlowReport } from './slowReport.js';

export function differences(expected: SlowReport, received: unknown): string[] {
  const found: string[] = [];
  compare('', expected, received, found);
  return found;
}

function compare(path: string, a: unknown, b: unknown, found: string[]): void {
  if (typeof a === 'number' && typeof b === 'number') {
    if (Math.abs(a - b) > slack(path, a)) found.push(`${path}: ${String(a)} / ${String(b)}`);
  } else if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      compare(`${path}/${key}`, a[key], b[key], found);
    }
  } else if (!Object.is(a ?? null, b ?? null) && !(path.endsWith('/hasGap') && !a && !b)) {
    found.push(`${path}: ${JSON.stringify(a)} / ${JSON.stringify(b)}`);
  }
}

function slack(path: string, value: number): number {
  if (path.includes('Bounds/')) return 1;
  if (path.endsWith('DeviationSeconds') || path.endsWith('/seconds')) return 0.001_001;
  // Tolerance for the rounding of sums of hundreds of steps.
  if (path.endsWith('/distanceMeters')) return 1e-6 + 1e-9 * value;
  return 0;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
