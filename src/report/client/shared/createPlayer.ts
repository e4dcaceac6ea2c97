/** Controls of a replay (a slider, a play button and a speed), and the position of a unit at a time. The caller draws the frames. */

import { element } from './dom.js';
import { fill } from './formats.js';

/** Speeds of the replay: replayed seconds per second. */
const SPEEDS = [10, 60, 300, 1200] as const;
/** Milliseconds between two frames; `CALM_MS` for users who prefer reduced motion. */
const FRAME_MS = 50;
const CALM_MS = 1000;
/** Seconds without a fix after which the unit counts as silent. */
const SILENT = 600;
/** Speed above which a unit moves, degrees per second, about 1 m/s. */
const MOVING = 1e-5;

interface PlayerWords {
  readonly play: string;
  readonly pause: string;
  /** Labels of the slider and of the choice of speeds. */
  readonly time: string;
  readonly speed: string;
  readonly timesAsFast: string;
}

interface PlayerOptions {
  readonly words: PlayerWords;
  /** Seconds between two steps of the slider. */
  readonly step: number;
  /** Draws the frame of a second after the start. */
  readonly draw: (second: number) => void;
  /** The text of a second after the start. */
  readonly textOf: (second: number) => string;
  /** Called after the user chose a time, or the replay stopped. */
  readonly rested?: (second: number) => void;
}

interface Player {
  readonly play: HTMLButtonElement;
  readonly slider: HTMLInputElement;
  readonly shownTime: HTMLOutputElement;
  readonly speed: HTMLSelectElement;
  readonly second: () => number;
  /** Sets the length, seconds. */
  readonly setLength: (seconds: number) => void;
  /** Moves to a second after the start, the slider to its nearest step, and draws the frame. */
  readonly show: (second: number) => void;
  readonly stop: () => void;
}

export function createPlayer({ words, step, draw, textOf, rested }: PlayerOptions): Player {
  const slider = element('input', { type: 'range', min: '0', max: '0', step: String(step), value: '0' });
  slider.setAttribute('aria-label', words.time);
  const shownTime = element('output');
  const speed = element('select');
  speed.setAttribute('aria-label', words.speed);
  for (const factor of SPEEDS) {
    const option = element('option', { value: String(factor), textContent: `× ${factor}` });
    option.setAttribute('aria-label', fill(words.timesAsFast, { factor }));
    speed.append(option);
  }
  speed.value = '60';
  const play = element('button', { type: 'button', textContent: words.play });
  let timer: ReturnType<typeof setInterval> | undefined;
  let length = 0;
  /** The present second after the start. A replay also shows seconds between the slider's steps. */
  let second = 0;

  const show = (): void => {
    draw(second);
    const text = textOf(second);
    shownTime.textContent = text;
    slider.setAttribute('aria-valuetext', text);
  };
  const stop = (): void => {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    play.textContent = words.play;
    rested?.(second);
  };
  const start = (): void => {
    const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_MS : FRAME_MS;
    play.textContent = words.pause;
    if (second >= length) second = 0;
    timer = setInterval(() => {
      second = Math.min(length, second + (Number(speed.value) * pause) / 1000);
      slider.value = String(second);
      show();
      if (second >= length) stop();
    }, pause);
  };
  play.addEventListener('click', () => (timer === undefined ? start() : stop()));
  slider.addEventListener('input', () => {
    second = Number(slider.value);
    show();
  });
  slider.addEventListener('change', () => rested?.(second));
  return {
    play,
    slider,
    shownTime,
    speed,
    second: () => second,
    setLength(seconds) {
      length = seconds;
      slider.max = String(seconds);
    },
    show(given) {
      slider.value = String(given);
      second = Number(slider.value);
      show();
    },
    stop,
  };
}

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
interface DayPlace {
  readonly lon: number;
  readonly lat: number;
  readonly isMoving: boolean;
  /** Whether the unit is in a gap at this time. */
  readonly isSilent: boolean;
}

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
