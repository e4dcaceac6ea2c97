/** Selects a zone, a unit, a visit or a movement on the map, after a click on its row or on the map. */

import type { PageRide } from '../pageConduct.js';
import { duration, fill } from './formats.js';
import { drawnOutlineOf, type Layers } from './layers.js';
import { linkNames } from './links.js';
import type { MapMove } from './movesOf.js';
import { type Page, wordOf } from './page.js';
import type { Marked, Selection } from './selection.js';
import type { Stretch } from './speedingStretch.js';
import { unpack } from './unpack.js';

export interface Finders {
  /** `at`: the clicked position. Without it the map moves to the zone. */
  readonly zone: (i: number, at?: L.LatLng) => void;
  readonly unit: (i: number, at?: L.LatLng) => void;
  /** `isClicked`: the visit was clicked on the map, which then does not move. */
  readonly visit: (i: number, isClicked?: boolean) => void;
  readonly move: (move: MapMove) => void;
  /** A part of a unit's track or of the route. */
  readonly stretch: (stretch: Stretch) => void;
  /** A way between two places of a unit. */
  readonly ride: (ride: PageRide) => void;
}

export function createFinders(page: Page, layers: Layers, selection: Selection): Finders {
  const { data, words, clock, number, measures } = page;
  const names = linkNames(data);
  const { style } = selection;
  const dot = (place: readonly [number, number], fillOpacity: number): L.CircleMarker =>
    L.circleMarker([...place], style({ radius: 6, weight: 2, fillOpacity }));
  const trackOf = (unit: number, weight: number): L.Polyline[] =>
    layers.trackCopies(unit, style({ weight, opacity: 0.8 }));
  /** An interval as text. The day is repeated only if it differs. */
  const period = (from: number, to: number): string => {
    const [start, end] = [clock.text(from), clock.text(to)];
    return `${start} – ${start.slice(0, 10) === end.slice(0, 10) ? end.slice(11) : end}`;
  };

  return {
    zone(i, at) {
      const zone = data.zones[i]!;
      const lines = [zone.name, wordOf(words, zone.type)];
      if (zone.width !== null)
        lines.push(`${words.width}: ${number(measures.length(zone.width), 1)} ${words.meters}`);
      if (zone.area !== null)
        lines.push(`${words.area}: ${number(measures.area(zone.area), 0)} ${words.squareMeters}`);
      if (zone.perimeter !== null) {
        lines.push(`${words.perimeter}: ${number(measures.length(zone.perimeter), 0)} ${words.meters}`);
      }
      if (zone.length !== null)
        lines.push(`${words.length}: ${number(measures.length(zone.length), 0)} ${words.meters}`);
      lines.push(`${words.visits}: ${number(zone.visits, 0)}`);
      const outline = drawnOutlineOf(zone.shape, style());
      const bounds = layers.zones[i]!.getBounds();
      const link = { zone: zone.id };
      selection.mark({ layers: [outline], lines, link, maxZoom: 17, ...placed(bounds, at) });
    },

    unit(i, at) {
      layers.showUnits([i], true);
      const { id, fixes, visits, lines } = data.units[i]!;
      const copies = trackOf(i, 3);
      const first = copies[0]?.getLatLngs()[0] as L.LatLng | undefined;
      if (first === undefined) return;
      const text = [id, `${words.fixes}: ${number(fixes, 0)}`, `${words.visits}: ${number(visits, 0)}`];
      if (at === undefined) text.push(words.trackBegins);
      else if (lines.length > 1) text.push(fill(words.pieces, { count: lines.length }));
      const bounds = layers.tracks[i]!.getBounds();
      const place = at === undefined ? { bounds, at: first } : { bounds: null, at };
      selection.mark({ layers: copies, lines: text, unit: i, link: { unit: id }, maxZoom: 16, ...place });
    },

    visit(i, isClicked = false) {
      const [unit, zoneNumber, enter, exit, seen, end, , place, exitPlace] = data.visits[i]!;
      const zone = data.zones[zoneNumber]!;
      layers.showUnits([unit], true);
      const ends = exitPlace === null ? [] : [dot(exitPlace, 0)];
      const bounds = L.latLngBounds([[...place], [...(exitPlace ?? place)]]);
      if (zone.type !== 'line') bounds.extend(layers.zones[zoneNumber]!.getBounds());
      const lines = [
        zone.name,
        `${words.unit} ${data.units[unit]!.id} · ${wordOf(words, seen)} · ${wordOf(words, end)}`,
        `${words.enter}: ${clock.text(enter)} ${clock.name}`,
      ];
      if (exit !== null) {
        lines.push(`${words.exit}: ${clock.text(exit)} ${clock.name}`);
        lines.push(`${words.duration}: ${duration(exit - enter)}`);
      }
      selection.mark({
        layers: [...trackOf(unit, 2), drawnOutlineOf(zone.shape, style()), ...ends, dot(place, 0.9)],
        bounds: isClicked ? null : bounds,
        at: [...place],
        lines,
        unit,
        link: { visit: names.visit(i) },
        maxZoom: 17,
      });
    },

    move({ unit, kind, from, to, meters, kph, start, end }) {
      layers.showUnits([unit], true);
      const lines = [
        `${data.units[unit]!.id} · ${wordOf(words, kind)}`,
        `${period(from, to)} ${clock.name}`,
        duration(to - from),
      ];
      if (kind === 'trip') {
        const most =
          kph === null ? '' : `, ${fill(words.atMostKph, { kph: number(measures.speed(kph), 0) })}`;
        lines.push(`${number(measures.way(meters), 1)} ${words.km}${most}`);
      }
      selection.mark({
        layers: [...trackOf(unit, 2), dot(end, 0), dot(start, 0.9)],
        bounds: L.latLngBounds([[...start], [...end]]),
        at: [...start],
        lines,
        unit,
        maxZoom: 16,
      });
    },

    stretch({ unit, line, lines, at, link = {} }) {
      if (unit >= 0) layers.showUnits([unit], true);
      const path = L.polyline(unpack(line), style({ weight: 7, opacity: 0.55, fill: false }));
      const bounds = path.getBounds();
      const track = unit < 0 ? [] : trackOf(unit, 2);
      selection.mark({
        layers: [...track, path],
        lines: [...lines],
        unit,
        link,
        maxZoom: 17,
        ...placed(bounds, at),
      });
    },

    ride([unit, fromZone, toZone, from, to, way, , , , , start, end]) {
      layers.showUnits([unit], true);
      const nameOf = (zone: number): string => data.zones[zone]?.name ?? '';
      selection.mark({
        layers: [...trackOf(unit, 2), dot(end, 0), dot(start, 0.9)],
        bounds: L.latLngBounds([[...start], [...end]]),
        at: [...start],
        unit,
        lines: [
          `${nameOf(fromZone)} → ${nameOf(toZone)}`,
          `${words.unit} ${data.units[unit]!.id}`,
          `${period(from, to)} ${clock.name}`,
          `${number(way / 100, 2)} ${words.km}, ${duration(to - from)}`,
        ],
        maxZoom: 16,
      });
    },
  };
}

function placed(bounds: L.LatLngBounds, at: L.LatLng | undefined): Pick<Marked, 'bounds' | 'at'> {
  return at === undefined ? { bounds, at: bounds.getCenter() } : { bounds: null, at };
}
