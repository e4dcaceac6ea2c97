/** The fields in which two reports differ. Interpolated and narrowed times may differ by a millisecond or two. */

import type { SlowReport } from './slowModel.js';

const MILLISECONDS = 2;
/** The distance of a part of a step may be measured in another way. */
const DISTANCE_SHARE = 0.005;

export function differences(slow: SlowReport, fast: object): string[] {
  const found: string[] = [];
  compare(comparable(slow), comparable(fast as SlowReport), '', found);
  return found;
}

/** A zone with several points may be named after any of them; an absent `hasGap` is false. */
function comparable(report: SlowReport): object {
  const { from, to } = report.window;
  return {
    ...report,
    holes: report.holes?.map((hole) => ({
      ...hole,
      from: Math.max(from, hole.from),
      to: Math.min(to, hole.to),
    })),
    points: report.points.map((point) => ({
      ...point,
      visit: point.visit && { ...point.visit, zoneId: null, hasGap: point.visit.hasGap === true },
    })),
  };
}

function compare(a: unknown, b: unknown, path: string, found: string[]): void {
  if (typeof a === 'number' && typeof b === 'number') {
    const slack = path.endsWith('distanceMeters')
      ? 1 + DISTANCE_SHARE * Math.abs(a)
      : path.endsWith('Seconds')
        ? MILLISECONDS / 1000
        : Math.abs(a) > 1e11
          ? MILLISECONDS
          : 1e-12;
    if (Math.abs(a - b) > slack) found.push(`${path}: ${said(a)} by the slow model, ${said(b)}`);
  } else if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') {
    if (a !== b) found.push(`${path}: ${said(a)} by the slow model, ${said(b)}`);
  } else if (Array.isArray(a) && Array.isArray(b) && a.length !== b.length) {
    found.push(`${path}: ${said(a)} by the slow model, ${said(b)}`);
  } else {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
      compare((a as never)[key], (b as never)[key], path === '' ? key : `${path}.${key}`, found);
  }
}

/** Times as text. */
const said = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'number' && part > 1e11 ? new Date(part).toISOString().slice(5, 23) : part,
  ) ?? 'nothing';
