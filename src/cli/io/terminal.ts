/** Short texts that commands print on the terminal. */

import { messageOf } from '../../core/errors.js';
import type { IssueSummary, ReportInput, Summary } from '../../report/index.js';

const TOP_ZONES = 5;
const SHOWN_ISSUES_PER_CODE = 3;
const MAX_NAME = 44;

/** Text of a file without control characters, which a terminal would interpret. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

export function reportText(input: ReportInput, summary: Summary): string {
  const { zones, fixes, units, visits, movement, trips, time } = summary;
  const period = time.from === null ? 'none' : `${time.from} to ${time.to}`;
  const hours = (visits.totalSeconds / 3600).toFixed(1);
  const lines = [
    ...table(
      ['File', 'as', 'zones', 'tracks', 'fixes', 'trips', 'errors', 'warnings'],
      input.sources.map((source) => [
        shortPath(source.file),
        source.role,
        source.zones,
        source.tracks,
        source.fixes,
        source.trips,
        source.errors,
        source.warnings,
      ]),
    ),
    '',
    `Zones   ${zones.count} (${list(zones.byType)}), ${zones.visited} visited`,
    `Units   ${units.count}, ${units.withVisits} with visits`,
    `Fixes   ${fixesText(fixes)}`,
    `Time    ${period}`,
    `Visits  ${visits.count} (${list(visits.bySeen)}; ended: ${list(visits.byEnd)}), ${hours} h in all`,
    `Moved   ${counted(movement.trips, 'trip')}, ${(movement.distanceMeters / 1000).toFixed(1)} km; ${counted(movement.parkings, 'parking')}, ${counted(movement.stops, 'stop')}`,
    ...jumpLine(movement.cutUnits),
    ...(trips.count === 0
      ? []
      : [`Trips   ${counted(trips.count, 'run')} (${list(trips.byStatus)}), points: ${list(trips.points)}`]),
    ...notRead(input),
    ...mostVisited(input),
    ...issueLines(summary.issues),
  ];
  return `${lines.join('\n')}\n`;
}

/** The line that says how many units have trips that the rule of jumps may have cut wrongly. */
function jumpLine(count: number): string[] {
  if (count === 0) return [];
  const whose = count === 1 ? 'trips of 1 unit' : `trips of ${count} units`;
  return [
    `        ${whose} are cut by steps over tripdetector_maxdistancemsg that may be drives: see --jump speed`,
  ];
}

/** Number of fixes read, used and left out, with the reasons. */
export function fixesText({ read, used, leftOut }: Summary['fixes']): string {
  return `${read} read, ${used} used, ${read - used} left out (${list(leftOut)})`;
}

/** Names of the files that gave no data because of errors; their content is missing in the figures. */
function notRead({ sources }: ReportInput): string[] {
  const files = sources.filter(
    ({ zones, tracks, trips, errors }) => errors > 0 && zones + tracks + trips === 0,
  );
  if (files.length === 0) return [];
  return [
    '',
    `NOT READ: ${files.map(({ file }) => shortPath(file)).join(', ')}. The figures lack what is in there.`,
  ];
}

function mostVisited(input: ReportInput): string[] {
  const stays = new Map<string, { visits: number; units: Set<string>; ms: number }>();
  for (const { unitId, visits } of input.units) {
    for (const { zoneId, enter, exit } of visits) {
      const stay = stays.get(zoneId) ?? { visits: 0, units: new Set(), ms: 0 };
      stay.visits++;
      stay.units.add(unitId);
      stay.ms += exit === null ? 0 : exit - enter;
      stays.set(zoneId, stay);
    }
  }
  const names = new Map(input.zones.map(({ zone }) => [zone.id, zone.name]));
  const top = [...stays].sort(([, a], [, b]) => b.visits - a.visits).slice(0, TOP_ZONES);
  if (top.length === 0) return [];
  const rows = top.map(([id, { visits, units, ms }]) => [
    shorten(printable(names.get(id) ?? id), MAX_NAME),
    visits,
    units.size,
    (ms / 3_600_000).toFixed(1),
  ]);
  return ['', ...table(['Most visited', 'visits', 'units', 'hours'], rows)];
}

/** Fields of questions about a whole table. */
const QUESTION_FIELDS: ReadonlySet<string> = new Set(['speedUnit', 'timeZone', 'dateOrder', 'unit']);

/** A count with its noun: `1 error`, `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The issues grouped by code, with a few of each code in full. `rest`: where to find all of them. */
export function issueLines(issues: IssueSummary, rest: string = 'all in summary.json'): string[] {
  if (issues.list.length === 0) return ['Issues  none'];
  const lines = ['', `Issues  ${counted(issues.errors, 'error')}, ${counted(issues.warnings, 'warning')}`];
  for (const [key, count] of Object.entries(issues.byCode)) {
    lines.push(`  ${key}: ${count}`);
    const own = issues.list.filter((issue) => `${issue.severity} ${issue.code}` === key);
    // Assumptions and questions are printed in full, because they name the flags.
    const length = own.some(
      ({ code, field }) => code === 'table-assumed' || field === '' || QUESTION_FIELDS.has(field),
    )
      ? 2000
      : 160;
    for (const { file, line, field, message } of own.slice(0, SHOWN_ISSUES_PER_CODE)) {
      const place = [shortPath(file) + (line === undefined ? '' : `:${line}`), printable(field)];
      lines.push(`    ${place.filter(Boolean).join(' ')}: ${shorten(printable(message), length)}`);
    }
    if (own.length > SHOWN_ISSUES_PER_CODE) lines.push(`    … (${rest})`);
  }
  return lines;
}

function list(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([key, count]) => `${key} ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** The last two parts of a path. */
function shortPath(path: string): string {
  return printable(path.split(/[\\/]/).slice(-2).join('/'));
}

function shorten(text: string, length: number): string {
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** Lines of a table; texts are aligned left, numbers right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const texts = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, c) => Math.max(...texts.map((row) => Array.from(row[c] ?? '').length)));
  const numeric = head.map((_, c) => rows.every((row) => /^(-|[\d.]+)$/.test(String(row[c]))));
  return texts.map((row) =>
    row
      .map((text, c) => {
        const pad = ' '.repeat((widths[c] ?? 0) - Array.from(text).length);
        return numeric[c] ? pad + text : text + pad;
      })
      .join('  ')
      .trimEnd(),
  );
}

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'expected a file, received a folder',
  ENOSPC: 'no space left on the disk',
  EROFS: 'the disk is read-only',
};

/** The text for a person: `no such file`, with the path of the error if `withPath`; other errors keep their message. */
export function systemErrorText(error: unknown, withPath = false): string {
  const { code = '', path } = error as Partial<NodeJS.ErrnoException>;
  const words = error instanceof Error ? SYSTEM_WORDS[code] : undefined;
  if (words === undefined) return messageOf(error);
  return withPath && path !== undefined ? `${path}: ${words}` : words;
}
