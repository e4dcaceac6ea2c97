/** What the report and the host's page share: elements, texts, the graph of a trip, base maps, replays. */

export { DAY_MS } from '../../../core/durations.js';
export { type PageTripPoint, pageTrip } from '../../pageTrip.js';
export { reportWordsIn } from '../../reportWordsIn.js';
export { TRIPS_STYLE } from '../../tripsStyle.js';
export {
  type BaseKind,
  baseKind,
  CASING,
  graticuleLines,
  LINE_CLASSES,
  ROAD_GROWTH,
  ROAD_RANKS,
  ROAD_WIDTHS,
} from './baseKind.js';
export { createPlayer, type DayTrack, placeOnDay } from './createPlayer.js';
export { button, byId, createTabs, css, element, type Tabs } from './dom.js';
export { type Clock, clockOf, createMeasures, duration, fill, numberFormat } from './formats.js';
export { inSlices } from './inSlices.js';
export { chip, graphKey, offPlan, tripGraph, wallText } from './tripGraph.js';
