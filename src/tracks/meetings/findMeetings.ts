/** When two units were near each other. */

import type { Track } from '../../core/fix.js';
import { blindStep, SEEN } from '../blindStep.js';
import { checkTrack } from '../checkTrack.js';
import { MEETING_OPTIONS, type Meeting, type MeetingOptions, readMeetingRules } from './meeting.js';
import type { PairFix } from './pairFix.js';
import { drain, judgeOf, type MeetingSink, newPair, openMeeting } from './pairMachine.js';

/** Fixes that are read before the pair is judged: objects that soon die cost less than those of a whole track. */
const FIXES_AT_ONCE = 256;

/**
 * The meetings of two units, in order of time.
 *
 * Between their fixes both units move straight in lon/lat, at constant speed. The units meet while they are at most `meters` apart. The meeting
 * ends if they are more than `meters` + `exitBufferMeters` apart; its end is the last time at `meters`. A touch between two fixes is not a
 * meeting. A gap of either unit ends the meeting: a step longer than `maxGapSeconds` or `maxGapMeters`, or of exactly 180° of longitude. During
 * a long step between fixes at most `parkedMeters` apart the unit stood.
 *
 * Use it for convoys (long meetings), for a zone round a moving unit (meetings with that radius) and for lost trailers (the end of a meeting).
 *
 * Accuracy: 1 cm of distance (`test/tracks/meetings/findMeetings.test.ts`). Errors: `track-invalid`, `option-type`, `option-unknown`,
 * `option-value`. Cost: O(fixes of both).
 *
 * @example
 * ```ts
 * import { findMeetings, readTrack } from 'wayzone/tracks';
 * const drive = (lons) => readTrack(lons.map((lon, i) => ({ time: 1772438400000 + i * 60000, lon, lat: 55.7 })));
 * const [meeting] = findMeetings(drive([37.6, 37.61, 37.62]), drive([37.61, 37.61, 37.61]), { meters: 100 });
 * meeting.minTime; // 1772438460000
 * meeting.end; // 'apart'
 * ```
 */
export function findMeetings(trackA: Track, trackB: Track, options: MeetingOptions): Meeting[] {
  const rules = readMeetingRules(options, MEETING_OPTIONS);
  checkTrack(trackA);
  checkTrack(trackB);
  const judge = judgeOf(rules);
  const pair = newPair();
  const meetings: Meeting[] = [];
  const sink: MeetingSink = { together: () => {}, apart: (meeting) => meetings.push(meeting) };
  let [i, k] = [0, 0];
  while (i < trackA.length || k < trackB.length) {
    // The unit that is behind goes on, so that few fixes wait for the other.
    const isA = k === trackB.length || (i < trackA.length && trackA.time[i]! <= trackB.time[k]!);
    if (isA) i = pushSome(pair.a, trackA, i);
    else k = pushSome(pair.b, trackB, k);
    drain(pair, judge, sink);
  }
  const open = openMeeting(pair, rules);
  return open === null ? meetings : [...meetings, open];
}

/** Pushes the next fixes of a track and returns the index of the one after them. */
function pushSome(fixes: PairFix[], track: Track, from: number): number {
  const { length, time, lon, lat } = track;
  const to = Math.min(length, from + FIXES_AT_ONCE);
  for (let i = from; i < to; i++) {
    fixes.push({ time: time[i]!, lon: lon[i]!, lat: lat[i]!, isBlind: blindStep(track, i) !== SEEN });
  }
  return to;
}
