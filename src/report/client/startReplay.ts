/** The replay: a slider for the time, and all units moving on the map. */

import { REPLAY_SCALE } from '../trackLines.js';
import type { Layers } from './layers.js';
import type { MapView } from './mapView.js';
import type { Page } from './page.js';
import { createPlayer, type DayTrack, placeOnDay } from './shared/createPlayer.js';
import { css, element } from './shared/dom.js';

export interface Replay {
  /** Shows a time, epoch milliseconds. Returns whether the report contains it. */
  readonly show: (time: number) => boolean;
}

/** Adds the replay to the page, with pauses. */
export function* startReplay(page: Page, layers: Layers): Generator<void, Replay, void> {
  const { data, words, clock, view, links } = page;
  const { from, to } = data.summary.time;
  if (from === null || to === null) return { show: () => false };
  const length = Math.max(1, Math.ceil((Date.parse(to) - data.start) / 1000));
  const tracks: DayTrack[] = [];
  for (const { replay } of data.units) {
    tracks.push(trackOf(replay));
    yield;
  }
  const player = createPlayer({
    words: { ...words, time: words.replayTime, speed: words.replaySpeed },
    step: 1,
    draw,
    textOf: (second) => clock.text(timeAt(second)),
    rested: (second) => links.setTime(timeAt(second)),
  });
  const { play, slider, shownTime, speed } = player;
  player.setLength(length);
  shownTime.textContent = clock.text(data.start);
  const end = element('button', { type: 'button', textContent: words.endReplay, hidden: true });
  const bar = element('div', { className: 'replay' }, play, slider, shownTime, speed, end);
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', words.replay);
  view.map.getContainer().after(bar);

  const group = L.layerGroup();
  const dots = data.units.map(({ color, id }, i) => {
    const dot = unitDot(view, color);
    const isSilent = (): boolean => placeOnDay(tracks[i]!, player.second())?.isSilent === true;
    view.addTarget(dot, {
      lines: () => [id, clock.text(timeAt(player.second())), ...(isSilent() ? [words.notSeenNow] : [])],
      open: player.stop,
    });
    return dot;
  });

  function timeAt(second: number): number {
    return data.start + Math.round(1000 * second);
  }
  function draw(second: number): void {
    group.addTo(view.map);
    end.hidden = false;
    for (const [i, dot] of dots.entries()) {
      const place = layers.isShown(i) ? placeOnDay(tracks[i]!, second) : null;
      if (place === null) {
        group.removeLayer(dot);
        continue;
      }
      dot.setLatLng([place.lat, place.lon]);
      // A unit in a gap is an empty circle at its last position.
      const fillOpacity = place.isSilent ? 0.15 : 1;
      if (dot.options.fillOpacity !== fillOpacity) dot.setStyle({ fillOpacity });
      group.addLayer(dot);
    }
  }
  end.addEventListener('click', () => {
    player.stop();
    group.remove();
    end.hidden = true;
    links.setTime(null);
    play.focus();
  });
  return {
    show(time) {
      const second = (time - data.start) / 1000;
      if (!(second >= -86_400 && second <= length + 86_400)) return false;
      player.show(second);
      return true;
    },
  };
}

function unitDot({ canvas }: MapView, fillColor: string): L.CircleMarker {
  return L.circleMarker([0, 0], {
    renderer: canvas.replay,
    interactive: false,
    radius: 6,
    weight: 2,
    color: css('--card'),
    fillColor,
    fillOpacity: 1,
  });
}

/** Joins the packed pieces of a unit into one track with a break after each piece. */
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
      lonLat[2 * at] = x / REPLAY_SCALE;
      lonLat[2 * at + 1] = y / REPLAY_SCALE;
      at++;
    }
    breaks.add(at - 1);
  }
  return { seconds, lonLat, isBreak: (i) => breaks.has(i) };
}
