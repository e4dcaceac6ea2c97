/** Where a unit is at a time, from its positions. */

/** The positions of one unit in time order. */
export interface DayTrack {
  /** Seconds after the start. */
  readonly seconds: Float64Array;
  /** `lon, lat, lon, lat, …` */
  readonly lonLat: Float64Array;
  /** Whether the unit was not seen between this position and the next one. */
  readonly isBreak: (i: number) => boolean;
}

/** A unit at a time. */
export interface DayPlace {
  readonly lon: number;
  readonly lat: number;
  readonly isMoving: boolean;
  /** Whether it is not seen at this time. */
  readonly isSilent: boolean;
}

/** A unit says after this many seconds that it is silent. */
const SILENT = 600;
/** Degrees in a second above which a unit moves: about 1 m. */
const MOVING = 1e-5;

/** Where the unit is: between two positions on the straight line, across a silence at the last one; null before the first. */
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
