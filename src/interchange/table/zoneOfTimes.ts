/** Finds the zone of times without one. */

import type { TableDraft } from './tableDraft.js';

/** The zone by the caller, the program or the file's name. Null, with a question if needed: unknown. */
export function zoneOfTimes({ known, time, open, notes }: TableDraft, isFixes: boolean): string | null {
  if (!isFixes) return null;
  const given = known.timeZone ?? open.timeZone;
  if (given !== null && given !== undefined) return given;
  if (!time.needsZone || time.offset !== null) return null;
  const named = known.fileName === undefined ? null : zoneInName(known.fileName);
  if (named !== null) {
    notes.say(`times are of the zone ${named}, which the name of the file says`, `--time-zone ${named}`);
    return named;
  }
  notes.ask('time-zone-missing', 'the times have no zone', '--time-zone UTC');
  return null;
}

const ZONE_IN_NAME =
  /(?:^|[^A-Za-z])(Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)[-_ ]([A-Z][a-z]+(?:_[A-Z][a-z]+)?)/;

function zoneInName(name: string): string | null {
  const match = ZONE_IN_NAME.exec(name);
  if (match === null) return null;
  for (const city of [match[2]!, match[2]!.split('_')[0]!]) {
    const zone = `${match[1]}/${city}`;
    try {
      new Intl.DateTimeFormat('en-US', { timeZone: zone });
      return zone;
    } catch {
      // Some other word in the name.
    }
  }
  return null;
}
