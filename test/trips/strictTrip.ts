import type { Trip } from '../../src/core/trip.js';

/** A strict trip of one date that begins at its first point; `more` replaces fields. */
export function strictTrip(date: string, points: readonly object[], more: object = {}): Trip {
  return {
    id: 'trip',
    name: 'Trip',
    unit: { id: 'unit' },
    activation_type: { key: 'entrance_to_first_point' },
    passage_order_type: { key: 'strict' },
    dates: [date],
    points,
    ...more,
  } as unknown as Trip;
}

/** A planned time: `08:00`, with a tolerance in minutes `08:00±5`, or `-` for none. */
export function due(text: string | undefined): object | null {
  if (text === undefined || text === '-') return null;
  const [time, minutes] = text.split('±');
  return { time, ...(minutes === undefined ? {} : { deviation_minutes: Number(minutes) }) };
}
