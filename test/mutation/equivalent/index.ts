import type { Reasons } from './reasons.js';

export const INDEX: Reasons = {};
