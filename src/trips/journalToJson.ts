/** Writes a trip's journal as plain JSON, and reads it. */

import type { Position } from '../core/geometry.js';
import type { StateReader } from '../tracks/stateReader.js';
import type { Visit } from '../tracks/visit.js';
import type { Hole } from './holes.js';
import type { Parked, ParkedWatch } from './parkedWatch.js';
import type { Place, Sighted } from './stepKind.js';
import type { TripJournal, WatchedVisit } from './tripJournal.js';

export function journalToJson(journal: TripJournal): object {
  const { visits, holes, arrivals, way, watches, held, first, last, hasFixInWindow } = journal;
  return {
    first: first && placeToJson(first),
    last: last && sightedToJson(last),
    hasFixInWindow,
    visits: visits.map(({ visit, parked }) => ({ ...visitToJson(visit), parked: parkedToJson(parked) })),
    watches: [...watches].map(([zoneId, watch]) => ({ zoneId, ...watchToJson(watch) })),
    held: [...held].map(([zoneId, { watch, exitTime, exit }]) => ({
      zoneId,
      ...watchToJson(watch),
      exitTime,
      exit: exit && placeToJson(exit),
    })),
    holes: holes.map(holeToJson),
    arrivals: arrivals.map(({ time, zoneId }) => ({ time, zoneId })),
    way: way.map(placeToJson),
  };
}

/** Fills a new journal. */
export function readJournal(from: StateReader, journal: TripJournal): void {
  const first = from.childOrNull('first');
  const last = from.childOrNull('last');
  journal.first = first && placeFromJson(first);
  journal.last = last && sightedFromJson(last);
  journal.hasFixInWindow = from.boolean('hasFixInWindow');
  for (const visit of from.children('visits')) journal.visits.push(visitFromJson(visit));
  for (const watch of from.children('watches')) {
    journal.watches.set(watch.text('zoneId'), watchFromJson(watch, journal));
  }
  for (const held of from.children('held')) {
    const exit = held.childOrNull('exit');
    journal.held.set(held.text('zoneId'), {
      watch: watchFromJson(held, journal),
      exitTime: held.time('exitTime'),
      exit: exit && placeFromJson(exit),
    });
  }
  for (const hole of from.children('holes')) journal.holes.push(holeFromJson(hole));
  for (const arrival of from.children('arrivals')) {
    journal.arrivals.push({ time: arrival.time('time'), zoneId: arrival.text('zoneId') });
  }
  for (const place of from.children('way')) journal.way.push(placeFromJson(place));
}

function watchToJson(watch: ParkedWatch): object {
  const { parked, anchors } = watch.state();
  return { enter: watch.enter, parked: parkedToJson(parked), anchors: anchors.map(placeToJson) };
}

function watchFromJson(reader: StateReader, journal: TripJournal): ParkedWatch {
  const anchors = reader.children('anchors').map(placeFromJson);
  return journal.resume(reader.time('enter'), { parked: parkedFromJson(reader.child('parked')), anchors });
}

function placeToJson({ time, lon, lat }: Place): object {
  return { time, lon, lat };
}

function placeFromJson(reader: StateReader): Place {
  return { time: reader.time('time'), lon: reader.lon('lon'), lat: reader.lat('lat') };
}

function sightedToJson({ time, lon, lat, mileageMeters, mileageDeltaMeters }: Sighted): object {
  return { time, lon, lat, mileageMeters, mileageDeltaMeters };
}

function sightedFromJson(reader: StateReader): Sighted {
  return {
    ...placeFromJson(reader),
    mileageMeters: reader.number('mileageMeters'),
    mileageDeltaMeters: reader.number('mileageDeltaMeters'),
  };
}

function parkedToJson({ isSeen, isPossible, headUntil, tailFrom, isStill }: Parked): object {
  return { isSeen, isPossible, headUntil, tailFrom, isStill };
}

function parkedFromJson(reader: StateReader): Parked {
  return {
    isSeen: reader.boolean('isSeen'),
    isPossible: reader.boolean('isPossible'),
    headUntil: reader.time('headUntil'),
    tailFrom: reader.time('tailFrom'),
    isStill: reader.boolean('isStill'),
  };
}

function holeToJson({ from, to, start, end, isSleep }: Hole): object {
  return { from, to, start: positionToJson(start), end: positionToJson(end), isSleep };
}

function holeFromJson(reader: StateReader): Hole {
  return {
    from: reader.time('from'),
    to: reader.time('to'),
    start: positionFromJson(reader.childOrNull('start')),
    end: positionFromJson(reader.childOrNull('end')),
    isSleep: reader.boolean('isSleep'),
  };
}

function positionToJson(position: Position | null): object | null {
  return position && { lon: position[0], lat: position[1] };
}

function positionFromJson(reader: StateReader | null): Position | null {
  return reader && [reader.lon('lon'), reader.lat('lat')];
}

function visitToJson(visit: Visit): object {
  const { zoneId, seen, end, enter, exit, enterBounds, exitBounds, fixCount } = visit;
  const [enterAfter, enterBefore] = enterBounds;
  const [exitAfter, exitBefore] = exitBounds ?? [null, null];
  return { zoneId, seen, end, enter, exit, enterAfter, enterBefore, exitAfter, exitBefore, fixCount };
}

function visitFromJson(reader: StateReader): WatchedVisit {
  const exitAfter = reader.timeOr('exitAfter', null);
  const visit: Visit = {
    zoneId: reader.text('zoneId'),
    seen: reader.text('seen') as Visit['seen'],
    end: reader.text('end') as Visit['end'],
    enter: reader.time('enter'),
    exit: reader.timeOr('exit', null),
    enterBounds: [reader.timeOr('enterAfter', null), reader.time('enterBefore')],
    exitBounds: exitAfter === null ? null : [exitAfter, reader.timeOr('exitBefore', null)],
    fixCount: reader.count('fixCount'),
  };
  return { visit, parked: parkedFromJson(reader.child('parked')) };
}
