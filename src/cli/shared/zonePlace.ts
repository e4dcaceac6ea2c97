/** The place of a zone in issue texts. */

/** The place in a file: the zone's id and the path within the zone. */
export function zonePlace(id: string, field: string): string {
  return `zone ${JSON.stringify(id)}${field === '' ? '' : ` ${field}`}`;
}
