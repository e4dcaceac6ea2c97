/** Subpath `wayzone/tracks`: clean tracks and the visits they pay to zones. */

export type { Fix, Track } from '../core/fix.js';
export { findVisits } from './findVisits.js';
export { type RejectReason, readTrack, type TrackOptions } from './readTrack.js';
export type { Visit, VisitOptions } from './visit.js';
export type { ZoneIndexLike } from './zoneIndexLike.js';
