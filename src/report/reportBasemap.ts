/** The base map: images at an address, or tiles inside the page. */

/** Images at an address, loaded by the browser. */
export interface AddressBasemap {
  readonly kind: 'address';
  /** Address with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  readonly attribution: string;
}

/** Tiles inside the page. */
export interface TilesBasemap {
  readonly kind: 'tiles';
  /** Media type of the images; null: Mapbox vector tiles, gzipped. */
  readonly image: string | null;
  readonly minZoom: number;
  readonly maxZoom: number;
  readonly attribution: string;
  /** Bytes in base64, by `z/x/y`. */
  readonly tiles: Readonly<Record<string, string>>;
}

export type ReportBasemap = AddressBasemap | TilesBasemap;

/** The only origin that the page may load images from; null: none. */
export function sourceOf(basemap: ReportBasemap | null): string | null {
  return basemap?.kind === 'address' ? new URL(basemap.url.replace(/\{[zxy]\}/g, '0')).origin : null;
}
