/** Days of a truck between places on one parallel, written as a few fixes. */

import type { Fix } from '../../src/core/fix.js';
import type { Trip } from '../../src/core/trip.js';
import { distanceMeters } from '../../src/index.js';
import { at, DATE } from './shortTrips.js';
import { due, strictTrip } from './strictTrip.js';

/** Kilometres east of A by letter. The zones are circles of 300 m; a drive of 4 km takes one step of ten minutes. */
const PLACES: Readonly<Record<string, number>> = { A: 0, B: 4, C: 8, D: 12 };
const LAT = 55.75;
const DEGREES_PER_KM = 10 / distanceMeters([37.6, LAT], [37.61, LAT]);

/** `A 08:00±10 08:30±5`: a place (or `@6`, in kilometres) with a planned arrival and departure (`-` for none); `w900` is a radius. */
export function dayTrip(points: readonly string[], more: object = {}): Trip {
  return strictTrip(
    DATE,
    points.map((text) => {
      const [place, ...words] = text.split(' ') as [string, ...string[]];
      const width = Number(words.find((word) => word.startsWith('w'))?.slice(1) ?? 300);
      const [arrival, departure] = words.filter((word) => !word.startsWith('w'));
      return {
        name: place,
        type: { key: 'circle' },
        geometry: [position(kilometers(place))],
        width,
        arrival: due(arrival),
        departure: due(departure),
      };
    }),
    more,
  );
}

const kilometers = (place: string): number =>
  place.startsWith('@') ? Number(place.slice(1)) : PLACES[place]!;
const position = (km: number): [number, number] => [37.6 + km * DEGREES_PER_KM, LAT];

/** `07:50 -3` is a fix at a time, kilometres east of A (or at a letter), and north of it; `+07:50` is the next day. */
export function fixes(...lines: readonly string[]): Fix[] {
  return lines.map((line) => {
    const [time, place, north = '0'] = line.split(' ') as [string, string, string?];
    const isNext = time.startsWith('+');
    const km = place in PLACES ? PLACES[place]! : Number(place);
    const [lon, lat] = position(km);
    return {
      time: at(isNext ? time.slice(1) : time) + (isNext ? 86_400_000 : 0),
      lon,
      lat: lat + Number(north) / 111.3,
    };
  });
}
