/** The place of a zone in issue texts, and unused zone ids. */

/** The place in a file: the zone, and the path within it. */
export function zonePlace(id: string, field: string): string {
  return `zone ${JSON.stringify(id)}${field === '' ? '' : ` ${field}`}`;
}

/** The id, or with `~2`, `~3`… where it is taken. */
export function freeId(id: string, taken: { has(id: string): boolean }): string {
  let own = id;
  for (let n = 2; taken.has(own); n++) own = `${id}~${n}`;
  return own;
}
