/** A run on the map: its numbered points, above the unit's track. */

import type { PageTripShape } from '../pageData.js';
import type { PageTrip } from '../pageTrip.js';
import type { Layers } from './layers.js';
import { linkNames } from './links.js';
import { drawnOutlineOf, type Page, unpack } from './page.js';
import { type Marked, placed, type Selection } from './selection.js';
import { css } from './shared/dom.js';
import { fill, wordOf } from './shared/formats.js';
import { moodOf, seenText, wallText } from './shared/tripGraph.js';
import type { MapLabel } from './startLabels.js';

export interface TripMap {
  /** Shows the whole run. */
  readonly trip: (trip: PageTrip) => void;
  /** Shows one point of the run. `at`: the clicked position. */
  readonly point: (trip: PageTrip, i: number, at?: L.LatLng) => void;
}

export function createTripMap(
  { data, words, view }: Page,
  layers: Layers,
  selection: Selection,
  /** Called when a point is clicked on the map. */
  onPoint: (trip: PageTrip, i: number) => void,
): TripMap {
  const shapesOf = (trip: PageTrip): readonly PageTripShape[] => data.tripShapes[trip.shapes]!;
  const show = (trip: PageTrip, marked: Omit<Marked, 'layers' | 'unit' | 'onEnd'>): void => {
    if (trip.unit >= 0) layers.showUnits([trip.unit], true);
    const paths = shapesOf(trip).map((shape, i) => {
      const color = css(`--${moodOf(trip.points[i]!.status)}`);
      const path = drawnOutlineOf(shape, selection.style({ color, fillOpacity: 0.25 }));
      view.addTarget(path, {
        lines: () => pointLines(trip, i),
        open(at) {
          map.point(trip, i, at);
          onPoint(trip, i);
        },
      });
      return path;
    });
    const track =
      trip.unit < 0 ? [] : layers.trackCopies(trip.unit, selection.style({ weight: 2, opacity: 0.8 }));
    selection.mark({
      layers: [...track, ...paths],
      unit: trip.unit,
      ...marked,
      onEnd: () => layers.labelFirst([]),
    });
    layers.labelFirst(numberLabels(shapesOf(trip)));
  };
  const pointLines = (trip: PageTrip, i: number): string[] => {
    const { name, status, arrival, arrivalBounds, departure, departureBounds, predictedArrival } =
      trip.points[i]!;
    const lines = [`${i + 1} ${name}`, wordOf(words, status)];
    if (arrival !== null) {
      lines.push(`${words.arrival}: ${seenText(words, trip, arrival, arrivalBounds)}`);
    } else if (predictedArrival !== null) {
      lines.push(`${words.arrival}: ${fill(words.expectedAt, { time: wallText(trip, predictedArrival) })}`);
    }
    if (departure !== null) {
      lines.push(`${words.departure}: ${seenText(words, trip, departure, departureBounds)}`);
    }
    return lines;
  };
  const names = linkNames(data);
  const linkOf = (trip: PageTrip): { trip: string } => ({ trip: names.trip(data.trips.indexOf(trip)) });
  const map: TripMap = {
    trip(trip) {
      const bounds = L.latLngBounds([]);
      for (const shape of shapesOf(trip)) bounds.extend(boundsOf(shape));
      const served = fill(words.pointsPassed, { count: trip.passed, all: trip.points.length });
      const lines = [trip.name, `${trip.unitId} · ${trip.date}`, `${wordOf(words, trip.status)} · ${served}`];
      show(trip, { bounds, at: bounds.getCenter(), lines, maxZoom: 17, link: linkOf(trip) });
    },
    point(trip, i, at) {
      const place = placed(boundsOf(shapesOf(trip)[i]!), at);
      const link = { ...linkOf(trip), point: String(i + 1) };
      show(trip, { ...place, lines: pointLines(trip, i), maxZoom: 16, link });
    },
  };
  return map;
}

function boundsOf(shape: PageTripShape): L.LatLngBounds {
  return L.latLngBounds(shape.flat().flatMap(unpack));
}

/** The point numbers as in the table; points at one position share a label. */
function numberLabels(shapes: readonly PageTripShape[]): MapLabel[] {
  const labels = new Map<string, { at: L.LatLng; numbers: number[] }>();
  shapes.forEach((shape, i) => {
    const at = boundsOf(shape).getCenter();
    const key = `${at.lat.toFixed(5)} ${at.lng.toFixed(5)}`;
    const known = labels.get(key);
    if (known === undefined) labels.set(key, { at, numbers: [i + 1] });
    else known.numbers.push(i + 1);
  });
  return [...labels.values()].map(({ at, numbers }) => ({
    text: numbers.join(', '),
    className: 'point-label',
    at,
    below: 0,
  }));
}
