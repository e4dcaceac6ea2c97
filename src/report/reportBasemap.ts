/** The map below the zones: images at an address, or tiles within the page. */

/** Images at an address that a browser asks. */
export interface AddressBasemap {
  readonly kind: 'address';
  /** With `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  readonly attribution: string;
}

/** Tiles that the page holds. */
export interface TilesBasemap {
  readonly kind: 'tiles';
  /** Media type of the images; null: Mapbox vector tiles, gzipped. */
  readonly image: string | null;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly attribution: string;
  /** `z/x/y` with the bytes in base64. */
  readonly tiles: Readonly<Record<string, string>>;
}

export type ReportBasemap = AddressBasemap | TilesBasemap;

/** The one source that the page may ask; null: it asks nobody. */
export function sourceOf(basemap: ReportBasemap | null): string | null {
  return basemap?.kind === 'address' ? new URL(basemap.url.replace(/\{[zxy]\}/g, '0')).origin : null;
}
