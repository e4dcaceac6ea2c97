/** Subpath `wayzone/algebra`: zones with fewer vertices, and pairs of zones that repeat or overlap. */

export {};
