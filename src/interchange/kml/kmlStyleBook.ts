/** Writes Styles of KML: shared ones for each pair of colour and icon, separately for points and for other zones. */

import { describe, WayzoneError } from '../../core/errors.js';
import type { Geozone } from '../../core/wire.js';
import { shownText, xmlText } from '../xml/xmlText.js';
import { colorToKml } from './kmlStyle.js';
import { DOCUMENT_DATA, recordOf, wireJson } from './kmlWire.js';

/** The fields of a zone that determine its Style. A look without a type serves points and other zones. */
export type KmlLook = Pick<Geozone, 'color' | 'icon'> & Partial<Pick<Geozone, 'type'>>;

/** Address of an icon's picture. Null: the viewer draws its own pin. */
export type IconHref = (iconKey: string) => string | null;

/** Use of a Style. A point is drawn by the IconStyle only; other zones have no icon that a colour could tint. */
type StyleUse = 'point' | 'shape' | 'both';

interface Style {
  readonly use: StyleUse;
  readonly color: string | null;
  readonly href: string | null;
}

/** Addresses of Google's public pictures. Only the viewer fetches them. */
const PUBLIC_ICONS: ReadonlyMap<string, string> = new Map([
  ['hospital', 'https://maps.google.com/mapfiles/kml/shapes/hospitals.png'],
  ['school', 'https://maps.google.com/mapfiles/kml/shapes/schools.png'],
]);

/** The address of the icon's public picture, for a document without picture files. */
export function publicIconHref(iconKey: string): string | null {
  return PUBLIC_ICONS.get(iconKey) ?? null;
}

/** The shared Styles of one document. */
export class KmlStyleBook {
  readonly #iconHref: IconHref;
  readonly #ids = new Map<string, string>();
  readonly #styles: Style[] = [];
  #last: {
    readonly color: unknown;
    readonly icon: unknown;
    readonly use: StyleUse;
    readonly reference: string;
  } | null = null;

  constructor(looks: Iterable<KmlLook>, iconHref: IconHref) {
    this.#iconHref = iconHref;
    const styles = new Map<string, Style>();
    for (const look of looks) {
      const style = this.#styleOf(look);
      if (style !== null) styles.set(keyOf(style), style);
    }
    for (const [key, style] of [...styles].sort(([a], [b]) => (a < b ? -1 : 1))) {
      this.#styles.push(style);
      this.#ids.set(key, `style-${this.#styles.length}`);
    }
  }

  /** The style of a Placemark as text: a reference to the shared Style, an inline Style, or an empty text. */
  reference(look: KmlLook): string {
    const color: unknown = look.color?.key;
    const icon: unknown = look.icon?.key;
    const use = useOf(look);
    const last = this.#last;
    // Consecutive zones often have the same look.
    if (last !== null && last.color === color && last.icon === icon && last.use === use)
      return last.reference;
    const reference = this.#referenceOf(look);
    this.#last = { color, icon, use, reference };
    return reference;
  }

  #referenceOf(look: KmlLook): string {
    const style = this.#styleOf(look);
    if (style === null) return '';
    const id = this.#ids.get(keyOf(style)) ?? this.#ids.get(keyOf({ ...style, use: 'both' }));
    return id === undefined ? `<Style>${styleParts(style)}</Style>` : `<styleUrl>#${id}</styleUrl>`;
  }

  /** Text before the first feature, and after the last. `properties`: of the document, as returned by `fromKml`. */
  frame(
    name: string,
    properties: Readonly<Record<string, unknown>> | undefined,
  ): { readonly head: string; readonly tail: string } {
    const description = properties?.['description'];
    const styles = this.#styles.map((style, i) => `<Style id="style-${i + 1}">${styleParts(style)}</Style>`);
    const head = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">',
      `<Document><name>${xmlText(name)}</name>`,
      typeof description === 'string' ? `<description>${xmlText(shownText(description))}</description>` : '',
      ...styles,
      properties === undefined ? '' : recordOf(DOCUMENT_DATA, wireJson(properties)),
    ];
    return { head: `${head.join('')}\n`, tail: '</Document></kml>\n' };
  }

  #styleOf(look: KmlLook): Style | null {
    const colorKey: unknown = look.color?.key;
    const iconKey: unknown = look.icon?.key;
    const known = typeof colorKey === 'string' && colorToKml(colorKey, LINE_ALPHA) !== null;
    const href = typeof iconKey === 'string' ? this.#href(iconKey) : null;
    if (!known && href === null) return null;
    return { use: useOf(look), color: known ? colorKey.toLowerCase() : null, href };
  }

  #href(iconKey: string): string | null {
    const href: unknown = this.#iconHref(iconKey);
    if (href === null || typeof href === 'string') return href;
    throw new WayzoneError(
      'option-value',
      'iconHref',
      `expected text or null for the icon ${describe(iconKey)}, received ${describe(href)}`,
    );
  }
}

const LINE_ALPHA = 'ff';
/** Opacity of the fill, 30 %. */
const FILL_ALPHA = '4d';

function useOf({ type }: KmlLook): StyleUse {
  const key: unknown = type?.key;
  return key === undefined ? 'both' : key === 'point' ? 'point' : 'shape';
}

/** Sort key of a style: its colour, then its icon. */
function keyOf({ color, href, use }: Style): string {
  return `${color ?? ''} ${href ?? ''} ${use}`;
}

function kmlColor(color: string, alpha: string): string {
  return colorToKml(color, alpha) ?? '';
}

/** The content of a Style element. */
function styleParts({ color, href, use }: Style): string {
  const line = color === null ? '' : `<color>${kmlColor(color, LINE_ALPHA)}</color>`;
  const icon = href === null ? '' : `<Icon><href>${xmlText(href)}</href></Icon>`;
  const pin = use === 'shape' && href === null ? '' : `<IconStyle>${line}${icon}</IconStyle>`;
  if (color === null || use === 'point') return pin;
  const fill = `<PolyStyle><color>${kmlColor(color, FILL_ALPHA)}</color></PolyStyle>`;
  return `${pin}<LineStyle>${line}<width>2</width></LineStyle>${fill}`;
}
