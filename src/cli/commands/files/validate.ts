/** `wayzone validate`: lists every issue of files. */

import type { ForeignData } from '../../../core/fix.js';
import type { ZoneOptions } from '../../../core/wire.js';
import type { Crs } from '../../../interchange/index.js';
import type { FileIssue } from '../../../report/index.js';
import { countIssues } from '../../../report/summary.js';
import { shapeProblems } from '../../../zones/shapeProblems.js';
import { type TrackFlags, trackReading, type ZoneFlags, zoneOptions } from '../../flags/options.js';
import type { RowFlags } from '../../flags/tableFlags.js';
import type { FileFormat } from '../../io/fileFormat.js';
import { type Io, type Progress, startProgress } from '../../io/io.js';
import { issueCsv, issueRows } from '../../io/openRows.js';
import { shownPath } from '../../io/standardInput.js';
import { streamInput } from '../../io/streamInput.js';
import { counted, printable } from '../../io/terminal.js';
import { zonePlace } from '../../shared/indexOfZones.js';

export interface ValidateFlags extends ZoneFlags, TrackFlags, Omit<RowFlags, 'timeZone'> {
  readonly from?: FileFormat;
  readonly crs?: string;
  readonly format: 'text' | 'json' | 'csv';
}

/** A file and its issues. */
interface Verdict {
  readonly file: string;
  readonly value: ForeignData['value'];
  readonly issues: readonly FileIssue[];
}

/** Writes the issues. Returns whether no file has an error. */
export async function validate(
  files: readonly string[],
  flags: ValidateFlags,
  crs: Crs | null,
  io: Io,
): Promise<boolean> {
  const verdicts: Verdict[] = [];
  for (const file of files) {
    const { value, issues } = await streamInput(
      file,
      {
        ...trackReading(flags),
        maxIssues: Number.POSITIVE_INFINITY,
        ...(flags.from === undefined ? {} : { format: flags.from }),
        ...(crs === null ? {} : { crs }),
      },
      io.stderr,
    );
    const progress = await startProgress(io.stderr, value.zones.length, 'zones {bar} {value}/{total}');
    const all = [...issues, ...zoneIssues(value, zoneOptions(flags), progress)];
    progress.stop();
    const name = shownPath(file);
    verdicts.push({ file: name, value, issues: all.map((issue) => ({ ...issue, file: name })) });
  }
  if (flags.format === 'text' && flags.excel !== true)
    for (const verdict of verdicts) io.stdout.write(textOf(verdict));
  else {
    const all = verdicts.flatMap(({ issues }) => issues);
    const json = (): string => `${JSON.stringify(issueRows(all), null, 2)}\n`;
    io.stdout.write(flags.format === 'csv' || flags.excel === true ? issueCsv(all, flags) : json());
  }
  return verdicts.every(({ issues }) => issues.every(({ severity }) => severity !== 'error'));
}

/** Issues of zones that were read but are not valid. */
function* zoneIssues(
  { zones }: ForeignData['value'],
  options: ZoneOptions,
  progress: Progress,
): Generator<Omit<FileIssue, 'file'>> {
  for (const zone of zones) {
    for (const { field, message, reason } of shapeProblems(zone, options)) {
      yield { code: reason, severity: 'error', field: zonePlace(zone.id, field), message };
    }
    progress.step();
  }
}

/** Text of a file: one line for each issue and one for the file. */
function textOf({ file, value, issues }: Verdict): string {
  const name = printable(file);
  const lines = issues.map(({ line, field, severity, code, message }) => {
    const place = line === undefined ? name : `${name}:${line}`;
    return `${place}: ${severity} ${code}${field === '' ? '' : ` ${printable(field)}`}: ${printable(message)}\n`;
  });
  const { zones, groups, routes, tracks } = value;
  const fixes = tracks.reduce((sum, track) => sum + track.fixes.length, 0);
  const content = `${counted(zones.length, 'zone')}, ${counted(groups.length, 'group')}, ${counted(routes.length, 'route')}, ${counted(tracks.length, 'track')} (${fixes} ${fixes === 1 ? 'fix' : 'fixes'})`;
  return `${lines.join('')}${name}: ${content}; ${counted(countIssues(issues, 'error'), 'error')}, ${counted(countIssues(issues, 'warning'), 'warning')}\n`;
}
