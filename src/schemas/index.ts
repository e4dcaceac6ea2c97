/** Subpath `wayzone/schemas`: the wire's dictionaries. */

export type { ActivationTypeKey, PassageOrderTypeKey } from '../core/trip.js';
export {
  ACTIVATION_TYPES,
  COLORS,
  type Dictionary,
  dictionaryEntry,
  type FullEntry,
  GEOZONE_TYPES,
  ICONS,
  PASSAGE_ORDER_TYPES,
} from './dictionaries.js';
