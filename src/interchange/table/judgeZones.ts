/** Judges open questions about the zones of a table: names, order of pairs, unit of radii. */

import type { RoleColumns } from './cellTime.js';
import { plainWord } from './headerFacts.js';
import type { TableDraft } from './tableDraft.js';
import { tableNumber } from './tableNumber.js';

/** Asks for the order of areas and the unit of radii. */
export function judgeZones(
  { columns, rows, known, notes, decimal, header }: TableDraft,
  at: RoleColumns,
): void {
  const name = at.name === undefined ? undefined : columns[at.name];
  if (name !== undefined && name.given === undefined && name.name.trim() !== 'name')
    notes.say(`names are of ${name.name}`, '--name-column');
  const texts = at.wkt === undefined ? [] : rows.map(({ cells }) => cells[at.wkt!] ?? '');
  // Traccar's column of areas is latitude first. Circles show it, because only Traccar writes them.
  const isArea = at.wkt !== undefined && plainWord(header[at.wkt] ?? '') === 'area';
  if (isArea && known.axisOrder === undefined && !texts.some((text) => /^\s*CIRCLE/i.test(text))) {
    notes.ask(
      'axis-order-suspect',
      `the column ${JSON.stringify(header[at.wkt!])} is latitude first as Traccar writes it, and longitude first as other programs do`,
      '--axis-order latlon',
    );
  }
  if (at.radius === undefined || at.radiusUnit !== undefined || at.wkt !== undefined) return;
  const unit = columns[at.radius]?.unit ?? known.radiusUnit ?? null;
  if (unit !== null) return;
  const values = rows.map(({ cells }) => tableNumber(cells[at.radius!] ?? '', decimal, true) ?? 0);
  const likely = values.every((value) => value < 20) ? 'km' : 'm';
  notes.ask(
    'radius-unit-unknown',
    `the unit of the column ${JSON.stringify(header[at.radius])} is unknown`,
    `--radius-unit ${likely}`,
  );
}
