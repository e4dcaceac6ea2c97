/** Options of the GeoJSON readers. */

import type { ReadOptions } from '../common/readOptions.js';

/** What a foreign property can be: `type` (point, circle, line, polygon), `width` in metres, `radius` of a circle, the rest as on the wire. */
export type MappedField = 'type' | 'width' | 'radius' | 'color' | 'icon' | 'is_show_on_map';

export interface GeoJsonOptions extends ReadOptions {
  /** The property that holds a zone's id. Default: the feature's `id`, else its property `id`. */
  readonly idProperty?: string;
  /** The property that holds a zone's name. Default: the first of `name`, `zone`, `title` that is text. */
  readonly nameProperty?: string;
  /**
   * The property that holds a field of the wire, where it has another name: `{ width: 'radius_m', color: 'fill' }`. A property that has the field's
   * own name, and is mapped to none, is then kept as `width~2`.
   */
  readonly fieldProperties?: Partial<Readonly<Record<MappedField, string>>>;
}
