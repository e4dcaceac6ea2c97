/** Writes tracks as gx:Track (Google's extension of KML 2.2). */

import { expected, WayzoneError } from '../../core/errors.js';
import type { Fix, RawTrack } from '../../core/fix.js';
import { guarded, readPositions } from '../../core/input.js';
import { fixTime } from '../common/fixTime.js';
import { readRawTrack } from '../common/readRawTrack.js';
import { xmlName } from '../xml/xmlText.js';
import { recordOf, TRACK_DATA, wireJson } from './kmlWire.js';

/** Fields of a fix that a gx:Track can contain. */
export const TRACK_FIELDS: ReadonlySet<string> = new Set([
  'time',
  'lon',
  'lat',
  'altitudeMeters',
  'courseDegrees',
]);

/** The Placemark of a track. Throws `kml-fix` for a fix with other fields, `time-range`, `fixes-type`, errors of positions. */
export function trackPlacemark(track: RawTrack, field: string): string {
  const { name, fixes, ...rest } = readRawTrack(track, field);
  return guarded(field, () => {
    const hasCourses = fixes.some(({ courseDegrees }) => Number.isFinite(courseDegrees));
    // The order of TrackType in kml22gx.xsd: all times, then all positions, then all angles.
    let [whens, coords, angles] = ['', '', ''];
    for (let i = 0; i < fixes.length; i++) {
      const { when, coord, angle } = fixTexts(fixes[i]!, `${field}.fixes[${i}]`);
      whens += when;
      coords += coord;
      if (hasCourses) angles += angle;
    }
    const text = whens + coords + angles;
    const data = recordOf(TRACK_DATA, wireJson({ name, ...rest }));
    return `<Placemark><name>${xmlName(name)}</name>${data}<gx:Track>${text}</gx:Track></Placemark>\n`;
  });
}

function fixTexts(fix: Fix, field: string): Readonly<Record<'when' | 'coord' | 'angle', string>> {
  const { time, lon, lat, altitudeMeters, courseDegrees } = fix;
  for (const [key, value] of Object.entries(fix)) {
    if (TRACK_FIELDS.has(key) || value === undefined) continue;
    const message = `${expected('only time, position, height and course of a fix in gx:Track', key)}; toGpx and toFixCsv write more fields`;
    throw new WayzoneError('kml-fix', `${field}.${key}`, message);
  }
  const [[x, y] = [0, 0]] = readPositions([[lon, lat]], field);
  const height = Number.isFinite(altitudeMeters) ? ` ${altitudeMeters}` : '';
  const course = Number.isFinite(courseDegrees) ? `${courseDegrees} 0 0` : '';
  return {
    when: `<when>${fixTime(time, `${field}.time`)}</when>`,
    coord: `<gx:coord>${x} ${y}${height}</gx:coord>`,
    angle: `<gx:angles>${course}</gx:angles>`,
  };
}
