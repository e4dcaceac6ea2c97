/** Position of a unit at a time. */

/** The positions of one unit in time order. */
export interface DayTrack {
  /** Times, seconds after the start. */
  readonly seconds: Float64Array;
  /** Positions `lon, lat, lon, lat, …`, degrees. */
  readonly lonLat: Float64Array;
  /** Whether the way from position `i` to the next one is a gap. */
  readonly isBreak: (i: number) => boolean;
}

/** Position of a unit at a time. */
export interface DayPlace {
  readonly lon: number;
  readonly lat: number;
  readonly isMoving: boolean;
  /** Whether the unit is in a gap at this time. */
  readonly isSilent: boolean;
}

/** Seconds without a fix after which the unit counts as silent. */
const SILENT = 600;
/** Speed above which a unit moves, degrees per second, about 1 m/s. */
const MOVING = 1e-5;

/** Position of the unit: on the straight line between two positions; in a gap, the last position before it; null before the first. */
export function placeOnDay({ seconds, lonLat, isBreak }: DayTrack, second: number): DayPlace | null {
  let [low, high] = [0, seconds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (seconds[middle]! <= second) low = middle + 1;
    else high = middle;
  }
  const i = low - 1;
  if (i < 0) return null;
  const [lon, lat] = [lonLat[2 * i]!, lonLat[2 * i + 1]!];
  if (low >= seconds.length || isBreak(i))
    return { lon, lat, isMoving: false, isSilent: second - seconds[i]! > SILENT };
  const gap = seconds[low]! - seconds[i]!;
  const share = (second - seconds[i]!) / gap;
  // The short way across the antimeridian.
  const east = lonLat[2 * low]! - lon;
  const way = east - 360 * Math.round(east / 360);
  const north = lonLat[2 * low + 1]! - lat;
  return {
    lon: lon + share * way,
    lat: lat + share * north,
    isMoving: Math.hypot(way, north) / gap > MOVING,
    isSilent: false,
  };
}
