/** Subpath `wayzone/algebra`: zones with fewer vertices, and pairs of zones that repeat or overlap. */

export type { ZoneOptions, ZoneShape } from '../core/wire.js';
export { type AuditedIndex, type AuditFinding, type AuditOptions, auditZones } from './auditZones.js';
export { type FitOptions, type FittedZone, fitZone } from './fitZone.js';
