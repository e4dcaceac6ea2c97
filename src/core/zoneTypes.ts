/** Types of zones: one row for each, from which the type of the key, the schema, the dictionary and the checks of files follow. */

interface ZoneTypeRow {
  readonly names: Readonly<Record<'en' | 'ru', string>>;
  /** Content of `geometry`: one position, the vertices of a line, or those of a ring. `null`: read by `src/zones/readShape.ts`. */
  readonly pairs: 'one' | 'line' | 'ring' | null;
  /** Properties of simplestyle-spec 1.1 with the colour. The first that is a colour counts. */
  readonly styleColors: readonly string[];
}

/** The keys, in the order of the dictionary. Separate from the rows, so that a page which only reads shapes loads no names. */
export const ZONE_TYPE_KEYS = ['point', 'circle', 'line', 'polygon'] as const;

/** Type of a zone. A point and a circle are discs, a line is a corridor. */
export type ZoneTypeKey = (typeof ZONE_TYPE_KEYS)[number];

export const ZONE_TYPES: Readonly<Record<ZoneTypeKey, ZoneTypeRow>> = {
  point: { names: { en: 'Point', ru: 'Точка' }, pairs: 'one', styleColors: ['marker-color'] },
  circle: {
    names: { en: 'Circle', ru: 'Круг' },
    pairs: 'one',
    styleColors: ['fill', 'stroke', 'marker-color'],
  },
  line: { names: { en: 'Line', ru: 'Линия' }, pairs: 'line', styleColors: ['stroke'] },
  polygon: { names: { en: 'Polygon', ru: 'Полигон' }, pairs: 'ring', styleColors: ['fill', 'stroke'] },
};

/** Whether a value is the key of a type. */
export function isZoneTypeKey(value: unknown): value is ZoneTypeKey {
  return ZONE_TYPE_KEYS.includes(value as ZoneTypeKey);
}
