/** The replay: a slider that moves all units. */

import { type DayTrack, placeAt } from './dayTrack.js';
import { css, element } from './dom.js';
import { fill } from './formats.js';
import type { Layers } from './layers.js';
import type { Page } from './page.js';

/** Seconds of the report in a second of the replay. */
const SPEEDS = [10, 60, 300, 1200] as const;
/** Milliseconds between two pictures; for users who prefer reduced motion, a step in a second. */
const PICTURE_MS = 50;
const CALM_MS = 1000;
const SCALE = 1e5;

export interface Replay {
  /** Shows a time, epoch milliseconds; returns whether it is in the report. */
  readonly show: (time: number) => boolean;
}

export function startReplay(page: Page, layers: Layers): Replay {
  const { data, words, clock, view, links } = page;
  const { from, to } = data.summary.time;
  if (from === null || to === null) return { show: () => false };
  const length = Math.max(1, Math.ceil((Date.parse(to) - data.start) / 1000));
  const tracks = data.units.map(({ replay }) => trackOf(replay));
  const slider = element('input', { type: 'range', min: '0', max: String(length), step: '1', value: '0' });
  slider.setAttribute('aria-label', words.replayTime);
  const shownTime = element('output', { textContent: clock.text(data.start) });
  const speed = element('select');
  speed.setAttribute('aria-label', words.replaySpeed);
  for (const factor of SPEEDS) {
    const option = element('option', { value: String(factor), textContent: `× ${factor}` });
    option.setAttribute('aria-label', fill(words.timesAsFast, { factor }));
    speed.append(option);
  }
  speed.value = '60';
  const play = element('button', { type: 'button', textContent: words.play });
  const end = element('button', { type: 'button', textContent: words.endReplay, hidden: true });
  const bar = element('div', { className: 'replay' }, play, slider, shownTime, speed, end);
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', words.replay);
  view.map.getContainer().after(bar);

  const group = L.layerGroup();
  const dots = data.units.map(({ color, id }, i) => {
    const dot = L.circleMarker([0, 0], {
      renderer: view.canvas.replay,
      interactive: false,
      radius: 6,
      weight: 2,
      color: css('--card'),
      fillColor: color,
      fillOpacity: 1,
    });
    view.addTarget(dot, {
      lines: () => [
        id,
        clock.text(timeNow()),
        ...(placeAt(tracks[i]!, Number(slider.value))?.isSilent ? [words.notSeenNow] : []),
      ],
      open: () => stop(),
    });
    return dot;
  });
  const timeNow = (): number => data.start + 1000 * Number(slider.value);
  let timer: ReturnType<typeof setInterval> | undefined;

  function draw(): void {
    const second = Number(slider.value);
    group.addTo(view.map);
    end.hidden = false;
    for (const [i, dot] of dots.entries()) {
      const place = layers.isShown(i) ? placeAt(tracks[i]!, second) : null;
      if (place === null) {
        group.removeLayer(dot);
        continue;
      }
      dot.setLatLng([place.lat, place.lon]);
      // A unit that is not seen is an empty circle where it was last.
      const fillOpacity = place.isSilent ? 0.15 : 1;
      if (dot.options.fillOpacity !== fillOpacity) dot.setStyle({ fillOpacity });
      group.addLayer(dot);
    }
    const text = clock.text(timeNow());
    shownTime.textContent = text;
    slider.setAttribute('aria-valuetext', text);
  }
  function start(): void {
    const pause = matchMedia('(prefers-reduced-motion: reduce)').matches ? CALM_MS : PICTURE_MS;
    play.textContent = words.pause;
    if (Number(slider.value) >= length) slider.value = '0';
    let second = Number(slider.value);
    timer = setInterval(() => {
      // The slider has whole steps, so the time between them is kept here.
      if (Math.abs(second - Number(slider.value)) > 1) second = Number(slider.value);
      second += (Number(speed.value) * pause) / 1000;
      slider.value = String(second);
      draw();
      if (second >= length) stop();
    }, pause);
  }
  function stop(): void {
    clearInterval(timer);
    timer = undefined;
    play.textContent = words.play;
    links.setTime(timeNow());
  }
  play.addEventListener('click', () => (timer === undefined ? start() : stop()));
  slider.addEventListener('input', draw);
  slider.addEventListener('change', () => links.setTime(timeNow()));
  end.addEventListener('click', () => {
    stop();
    group.remove();
    end.hidden = true;
    links.setTime(null);
    play.focus();
  });
  return {
    show(time) {
      const second = (time - data.start) / 1000;
      if (!(second >= -86_400 && second <= length + 86_400)) return false;
      slider.value = String(second);
      draw();
      return true;
    },
  };
}

/** The pieces of a unit as one track that is broken between them. */
function trackOf(pieces: readonly (readonly number[])[]): DayTrack {
  const count = pieces.reduce((sum, piece) => sum + piece.length / 3, 0);
  const seconds = new Float64Array(count);
  const lonLat = new Float64Array(2 * count);
  const breaks = new Set<number>();
  let at = 0;
  for (const piece of pieces) {
    let [time, y, x] = [0, 0, 0];
    for (let i = 0; i < piece.length; i += 3) {
      time += piece[i]!;
      y += piece[i + 1]!;
      x += piece[i + 2]!;
      seconds[at] = time;
      lonLat[2 * at] = x / SCALE;
      lonLat[2 * at + 1] = y / SCALE;
      at++;
    }
    breaks.add(at - 1);
  }
  return { seconds, lonLat, isBreak: (i) => breaks.has(i) };
}
