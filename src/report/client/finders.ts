/** Selects a zone, a unit, a visit or a movement, after a click on its row or on the map, and draws it as selected. */

import { isUnknown } from '../moveKinds.js';
import type { PageRide } from '../pageConduct.js';
import type { Layers } from './layers.js';
import { linkNames } from './links.js';
import type { MapMove, MapStretch } from './movesOf.js';
import { drawnOutlineOf, type Page, unpack } from './page.js';
import { type Marked, placed, type Selection } from './selection.js';
import { type Clock, duration, fill, wordOf } from './shared/formats.js';

export interface Finders {
  /** `at`: the clicked position. Without it the map moves to the zone. */
  readonly zone: (i: number, at?: L.LatLng) => void;
  readonly unit: (i: number, at?: L.LatLng) => void;
  /** `isClicked`: the visit was clicked on the map; the map then stays where it is. */
  readonly visit: (i: number, isClicked?: boolean) => void;
  readonly move: (move: MapMove) => void;
  /** Selects a part of a unit's track, or of the route. */
  readonly stretch: (stretch: MapStretch) => void;
  /** Selects a ride of a unit between two places. */
  readonly ride: (ride: PageRide) => void;
}

/** Objects that the finders draw with. */
interface Pen {
  readonly page: Page;
  readonly layers: Layers;
  readonly style: Selection['style'];
}

export function createFinders(page: Page, layers: Layers, selection: Selection): Finders {
  const names = linkNames(page.data);
  const pen: Pen = { page, layers, style: selection.style };
  return {
    zone: (i, at) => selection.mark(markedZone(pen, i, at)),
    unit(i, at) {
      layers.showUnits([i], true);
      const marked = markedUnit(pen, i, at);
      if (marked !== null) selection.mark(marked);
    },
    visit(i, isClicked = false) {
      layers.showUnits([page.data.visits[i]![0]], true);
      const marked = markedVisit(pen, i);
      selection.mark({
        ...marked,
        bounds: isClicked ? null : marked.bounds,
        link: { visit: names.visit(i) },
      });
    },
    move(move) {
      layers.showUnits([move.unit], true);
      selection.mark(markedMove(pen, move));
    },
    stretch(stretch) {
      if (stretch.unit >= 0) layers.showUnits([stretch.unit], true);
      selection.mark(markedStretch(pen, stretch));
    },
    ride(ride) {
      layers.showUnits([ride[0]], true);
      selection.mark(markedRide(pen, ride));
    },
  };
}

function markedZone({ page, layers, style }: Pen, i: number, at: L.LatLng | undefined): Marked {
  const { data, words, number, measures } = page;
  const zone = data.zones[i]!;
  const lines = [zone.name, wordOf(words, zone.type)];
  const say = (word: string, amount: string, unit: string): void =>
    void lines.push(`${word}: ${amount} ${unit}`);
  if (zone.width !== null) say(words.width, number(measures.length(zone.width), 1), words.meters);
  if (zone.area !== null) say(words.area, number(measures.area(zone.area), 0), words.squareMeters);
  if (zone.perimeter !== null) say(words.perimeter, number(measures.length(zone.perimeter), 0), words.meters);
  if (zone.length !== null) say(words.length, number(measures.length(zone.length), 0), words.meters);
  lines.push(`${words.visits}: ${number(zone.visits, 0)}`);
  return {
    layers: [drawnOutlineOf(zone.shape, style())],
    lines,
    link: { zone: zone.id },
    maxZoom: 17,
    ...placed(layers.zones[i]!.getBounds(), at),
  };
}

/** The selection of a unit; `null` if it has no track. */
function markedUnit(pen: Pen, i: number, at: L.LatLng | undefined): Marked | null {
  const { data, words, number } = pen.page;
  const { id, fixes, leftOut, visits, lines } = data.units[i]!;
  const copies = trackOf(pen, i, 3);
  const first = copies[0]?.getLatLngs()[0] as L.LatLng | undefined;
  if (first === undefined) return null;
  const text = [
    id,
    `${words.fixesUsed}: ${number(fixes, 0)}, ${words.leftOut.toLowerCase()}: ${number(leftOut, 0)}`,
    `${words.visits}: ${number(visits, 0)}`,
  ];
  if (at === undefined) text.push(words.trackBegins);
  else if (lines.length > 1) text.push(fill(words.pieces, { count: lines.length }));
  const place =
    at === undefined ? { bounds: pen.layers.tracks[i]!.getBounds(), at: first } : { bounds: null, at };
  return { layers: copies, lines: text, unit: i, link: { unit: id }, maxZoom: 16, ...place };
}

function markedVisit(pen: Pen, i: number): Marked & { readonly bounds: L.LatLngBounds } {
  const { data, words, clock } = pen.page;
  const [unit, zoneNumber, enter, exit, seen, end, , place, exitPlace] = data.visits[i]!;
  const zone = data.zones[zoneNumber]!;
  const ends = exitPlace === null ? [] : [dot(pen, exitPlace, 0)];
  const bounds = L.latLngBounds([[...place], [...(exitPlace ?? place)]]);
  if (zone.type !== 'line') bounds.extend(pen.layers.zones[zoneNumber]!.getBounds());
  const lines = [
    zone.name,
    `${words.unit} ${data.units[unit]!.id} · ${wordOf(words, seen)} · ${wordOf(words, end)}`,
    `${words.enter}: ${clock.text(enter)} ${clock.name}`,
  ];
  if (exit !== null) {
    lines.push(`${words.exit}: ${clock.text(exit)} ${clock.name}`);
    lines.push(`${words.duration}: ${duration(exit - enter)}`);
  }
  const outline = drawnOutlineOf(zone.shape, pen.style());
  return {
    layers: [...trackOf(pen, unit, 2), outline, ...ends, dot(pen, place, 0.9)],
    bounds,
    at: [...place],
    lines,
    unit,
    maxZoom: 17,
  };
}

function markedMove(pen: Pen, { unit, kind, from, to, meters, kph, start, end }: MapMove): Marked {
  const { data, words, clock, number, measures } = pen.page;
  const lines = [
    `${data.units[unit]!.id} · ${wordOf(words, kind)}`,
    `${period(clock, from, to)} ${clock.name}`,
    duration(to - from),
  ];
  if (kind === 'trip' || isUnknown(kind)) {
    const most = kph === null ? '' : `, ${fill(words.atMostKph, { kph: number(measures.speed(kph), 0) })}`;
    lines.push(`${number(measures.way(meters), 1)} ${words.km}${most}`);
  }
  return { ...markedWay(pen, unit, start, end), lines };
}

function markedStretch(pen: Pen, { unit, line, lines, at, link = {} }: MapStretch): Marked {
  const path = L.polyline(unpack(line), pen.style({ weight: 7, opacity: 0.55, fill: false }));
  const track = unit < 0 ? [] : trackOf(pen, unit, 2);
  return {
    layers: [...track, path],
    lines: [...lines],
    unit,
    link,
    maxZoom: 17,
    ...placed(path.getBounds(), at),
  };
}

function markedRide(pen: Pen, [unit, fromZone, toZone, from, to, way, , , , , start, end]: PageRide): Marked {
  const { data, words, clock, number } = pen.page;
  const nameOf = (zone: number): string => data.zones[zone]?.name ?? '';
  const lines = [
    `${nameOf(fromZone)} → ${nameOf(toZone)}`,
    `${words.unit} ${data.units[unit]!.id}`,
    `${period(clock, from, to)} ${clock.name}`,
    `${number(way / 100, 2)} ${words.km}, ${duration(to - from)}`,
  ];
  return { ...markedWay(pen, unit, start, end), lines };
}

type LatLon = readonly [lat: number, lon: number];

/** The selection of a ride: the unit's track with both ends of the ride. */
function markedWay(pen: Pen, unit: number, start: LatLon, end: LatLon): Omit<Marked, 'lines'> {
  return {
    layers: [...trackOf(pen, unit, 2), dot(pen, end, 0), dot(pen, start, 0.9)],
    bounds: L.latLngBounds([[...start], [...end]]),
    at: [...start],
    unit,
    maxZoom: 16,
  };
}

function trackOf({ layers, style }: Pen, unit: number, weight: number): L.Polyline[] {
  return layers.trackCopies(unit, style({ weight, opacity: 0.8 }));
}

function dot({ style }: Pen, place: LatLon, fillOpacity: number): L.CircleMarker {
  return L.circleMarker([...place], style({ radius: 6, weight: 2, fillOpacity }));
}

/** An interval as text. The day is repeated only if it differs. */
function period(clock: Clock, from: number, to: number): string {
  const [start, end] = [clock.text(from), clock.text(to)];
  return `${start} – ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`;
}
