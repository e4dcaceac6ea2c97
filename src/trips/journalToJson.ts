/** Writes a trip's journal as plain JSON, and reads it. */

import type { TimedPosition } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import type { StateReader } from '../tracks/stateReader.js';
import type { Visit } from '../tracks/visit.js';
import type { Hole, HoleReason } from './holes.js';
import type { WatchedVisit } from './journalRules.js';
import type { Settlement } from './settlement.js';
import type { Next, Sighted } from './stepKind.js';
import type { Placed, TripJournal } from './tripJournal.js';
import { type Evidence, type WatchState, ZoneWatch } from './zoneWatch.js';

/** Stands for a hole without a reason. */
const SLEEP = 'sleep';

export function journalToJson(journal: TripJournal): object {
  const { visits, holes, watches, odometer, first, last, hasFixInWindow, placed } = journal;
  const { isClosed, cancelsPassed, closedNext, settlements } = journal;
  return {
    first: first && placeToJson(first),
    last: last && sightedToJson(last),
    hasFixInWindow,
    isClosed,
    // Left out without it, so that older snapshots stay valid.
    ...(closedNext !== null && { closedNext: nextToJson(closedNext) }),
    cancelsPassed,
    settlements: settlements.map((settlement) => ({ ...settlement })),
    visits: visits.map(({ visit, evidence }) => ({ ...visitToJson(visit), ...evidenceToJson(evidence) })),
    watches: watchesToJson(watches),
    placed: placed && placedToJson(placed),
    holes: holes.map(holeToJson),
    meters: odometer.meters,
    marks: [...odometer.marks].map(([time, meters]) => ({ time, meters })),
  };
}

/** What the amendments so far left as it was. */
export function readSettlements(from: StateReader): Settlement[] {
  return from.children('settlements').map((settlement) => settlement.plainSelf() as Settlement);
}

/** Fills a new journal, to which the amendments so far were applied. */
export function readJournal(from: StateReader, journal: TripJournal): void {
  const first = from.childOrNull('first');
  const last = from.childOrNull('last');
  journal.first = first && placeFromJson(first);
  journal.last = last && sightedFromJson(last);
  journal.hasFixInWindow = from.boolean('hasFixInWindow');
  journal.isClosed = from.boolean('isClosed');
  const closed = from.childIfAny('closedNext');
  journal.closedNext = closed && nextFromJson(closed);
  journal.cancelsPassed = from.count('cancelsPassed');
  for (const visit of from.children('visits')) journal.visits.push(visitFromJson(visit));
  for (const [zoneId, watch] of watchesFromJson(from, journal)) journal.watches.set(zoneId, watch);
  const placed = from.childOrNull('placed');
  journal.placed = placed && placedFromJson(placed, journal);
  for (const hole of from.children('holes')) journal.holes.push(holeFromJson(hole));
  journal.odometer.meters = from.number('meters');
  journal.odometer.time = journal.last?.time ?? Number.NEGATIVE_INFINITY;
  for (const mark of from.children('marks')) {
    journal.odometer.marks.set(mark.time('time'), mark.number('meters'));
  }
}

function watchesToJson(watches: ReadonlyMap<string, ZoneWatch>): object[] {
  return [...watches].map(([zoneId, watch]) => ({ zoneId, ...watchToJson(watch.state) }));
}

function watchesFromJson(reader: StateReader, { rules }: TripJournal): Map<string, ZoneWatch> {
  const watches = reader.children('watches');
  return new Map(watches.map((watch) => [watch.text('zoneId'), new ZoneWatch(rules, watchFromJson(watch))]));
}

function placedToJson({ last, watches, holes, hasFixInWindow }: Placed): object {
  return { last: sightedToJson(last), watches: watchesToJson(watches), holes, hasFixInWindow };
}

function placedFromJson(reader: StateReader, journal: TripJournal): Placed {
  return {
    last: sightedFromJson(reader.child('last')),
    watches: watchesFromJson(reader, journal),
    holes: reader.count('holes'),
    hasFixInWindow: reader.boolean('hasFixInWindow'),
  };
}

function watchToJson(state: WatchState): object {
  const { enter, still, off, seenFrom, maybeFrom, mayStop, isDrift } = state;
  const { lastInside, isNearSince, exit, exitFrom, exitMeters, insideMeters } = state;
  return {
    enter,
    still: still.map(placeToJson),
    off: off.map(placeToJson),
    seenFrom,
    maybeFrom,
    mayStop,
    isDrift,
    lastInside: lastInside && placeToJson(lastInside),
    isNearSince,
    exit,
    exitFrom,
    exitMeters,
    insideMeters,
  };
}

function watchFromJson(reader: StateReader): WatchState {
  const lastInside = reader.childOrNull('lastInside');
  return {
    enter: reader.timeOr('enter', null),
    still: reader.children('still').map(placeFromJson),
    off: reader.children('off').map(placeFromJson),
    seenFrom: reader.timeOr('seenFrom', null),
    maybeFrom: reader.timeOr('maybeFrom', null),
    mayStop: reader.boolean('mayStop'),
    isDrift: reader.boolean('isDrift'),
    lastInside: lastInside && placeFromJson(lastInside),
    isNearSince: reader.boolean('isNearSince'),
    exit: reader.timeOr('exit', null),
    exitFrom: reader.timeOr('exitFrom', null),
    exitMeters: reader.number('exitMeters'),
    insideMeters: reader.number('insideMeters'),
  };
}

function evidenceToJson({ seenFrom, mayStop, isDrift }: Evidence): object {
  return { seenFrom, mayStop, isDrift };
}

function placeToJson({ time, lon, lat }: TimedPosition): object {
  return { time, lon, lat };
}

function placeFromJson(reader: StateReader): TimedPosition {
  return { time: reader.time('time'), lon: reader.lon('lon'), lat: reader.lat('lat') };
}

function sightedToJson(fix: Sighted): object {
  const { time, lon, lat, speedKph, ignition, mileageMeters, mileageDeltaMeters } = fix;
  return { time, lon, lat, speedKph, ignition, mileageMeters, mileageDeltaMeters };
}

function sightedFromJson(reader: StateReader): Sighted {
  return {
    ...placeFromJson(reader),
    speedKph: reader.number('speedKph'),
    ignition: reader.number('ignition'),
    mileageMeters: reader.number('mileageMeters'),
    mileageDeltaMeters: reader.number('mileageDeltaMeters'),
  };
}

function nextToJson({ fix, blind }: Next): object {
  return { fix: fix && sightedToJson(fix), blind };
}

function nextFromJson(reader: StateReader): Next {
  const fix = reader.childOrNull('fix');
  return { fix: fix && sightedFromJson(fix), blind: reader.textOrNull('blind') as Next['blind'] };
}

function holeToJson({ from, to, start, end, reason, handed }: Hole): object {
  const own = { from, to, start: positionToJson(start), end: positionToJson(end), reason: reason ?? SLEEP };
  return handed === undefined ? own : { ...own, handedFrom: handed[0], handedTo: handed[1] };
}

function holeFromJson(reader: StateReader): Hole {
  const reason = reader.text('reason');
  const handedFrom = reader.numberIfAny('handedFrom', null);
  const handedTo = reader.numberIfAny('handedTo', null);
  return {
    from: reader.time('from'),
    to: reader.time('to'),
    start: positionFromJson(reader.childOrNull('start')),
    end: positionFromJson(reader.childOrNull('end')),
    reason: reason === SLEEP ? null : (reason as HoleReason),
    ...(handedFrom !== null && handedTo !== null && { handed: [handedFrom, handedTo] }),
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
  const seenFrom = reader.timeOr('seenFrom', null);
  return {
    visit,
    evidence: { seenFrom, mayStop: reader.boolean('mayStop'), isDrift: reader.boolean('isDrift') },
  };
}
