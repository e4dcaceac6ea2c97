import type { Reasons } from './reasons.js';

export const TRACKS: Reasons = {};
