/** The place of a zone in issue texts. */

/** The place in a file: the zone, and the path within it. */
export function zonePlace(id: string, field: string): string {
  return `zone ${JSON.stringify(id)}${field === '' ? '' : ` ${field}`}`;
}
