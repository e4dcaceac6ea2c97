/** Settings that the page reads first: `GET /map/settings.json`. */
export interface PageSettings {
  /** The base map: images at a tile address, a style, an archive of the host, or none. */
  readonly basemap: { readonly kind: 'images' | 'style' | 'archive'; readonly url: string } | null;
  /** Makers of the base map; a plain text. */
  readonly attribution: string;
  /** Name of the issuer that signs users in by a redirect; null without one. */
  readonly issuer: string | null;
}
