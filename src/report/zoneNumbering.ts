/** Numbers of zones on the page. */

/** Index of a zone on the page; −1 for null, and for a zone that is not on the page. */
export type ZoneNumberOf = (zoneId: string | null) => number;

export function zoneNumbering(zones: readonly { readonly zone: { readonly id: string } }[]): ZoneNumberOf {
  const numbers = new Map<string | null, number>(zones.map(({ zone }, i) => [zone.id, i]));
  return (zoneId) => numbers.get(zoneId) ?? -1;
}
