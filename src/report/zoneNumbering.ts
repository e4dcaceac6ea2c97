/** The numbers by which the page names zones. */

/** The index of a zone among those of the page; −1 for null, and for another zone. */
export type ZoneNumberOf = (zoneId: string | null) => number;

export function zoneNumbering(zones: readonly { readonly zone: { readonly id: string } }[]): ZoneNumberOf {
  const numbers = new Map<string | null, number>(zones.map(({ zone }, i) => [zone.id, i]));
  return (zoneId) => numbers.get(zoneId) ?? -1;
}
