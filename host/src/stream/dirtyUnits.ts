/** The units of a cell whose stored state is out of date. */

interface Dirty {
  readonly companyId: string;
  /** The first message that the stored state does not include, and the clock before it. */
  readonly since: number;
  readonly clock: number;
  /** The earliest fix since then, epoch milliseconds; Infinity: none. */
  from: number;
}

export interface DirtyUnits {
  readonly count: number;
  countOf(companyId: string): number;
  /** The state of the unit lacks message `seq`, and its fix of the time `from`. `clock`: before the message. */
  touch(unit: {
    readonly companyId: string;
    readonly unitId: string;
    readonly seq: number;
    readonly clock: number;
    readonly from?: number;
  }): void;
  /** The state of the unit is stored, or not needed. Returns what it lacked; null if it lacked nothing. */
  take(unitId: string): { readonly companyId: string; readonly from: number } | null;
  /** Units whose stored state lacks message `seq` or an earlier one, the longest waiting first; of all companies or of one. */
  behind(seq: number, companyId?: string): Generator<string>;
  /** The first message that a state lacks, at most `seq` + 1, and the clock before it. */
  first(seq: number, clock: number): { readonly from: number; readonly clock: number };
}

export function dirtyUnits(): DirtyUnits {
  /** In ascending order of `since`. Messages are handled in the order of the log, so a new entry nearly always is the last one. */
  const dirty = new Map<string, Dirty>();
  let newest = 0;
  const add = (unitId: string, one: Dirty): void => {
    const later = one.since < newest ? [...dirty].filter(([, { since }]) => since > one.since) : [];
    for (const [id] of later) dirty.delete(id);
    dirty.set(unitId, one);
    for (const [id, other] of later) dirty.set(id, other);
    newest = Math.max(newest, one.since);
  };
  return {
    get count(): number {
      return dirty.size;
    },
    countOf(companyId) {
      let count = 0;
      for (const one of dirty.values()) if (one.companyId === companyId) count++;
      return count;
    },
    touch({ companyId, unitId, seq, clock, from = Number.POSITIVE_INFINITY }) {
      const known = dirty.get(unitId);
      if (known === undefined) add(unitId, { companyId, since: seq, clock, from });
      else if (from < known.from) known.from = from;
    },
    take(unitId) {
      const known = dirty.get(unitId) ?? null;
      dirty.delete(unitId);
      return known;
    },
    *behind(seq, companyId) {
      for (const [unitId, one] of dirty) {
        if (one.since > seq) return;
        if (companyId === undefined || one.companyId === companyId) yield unitId;
      }
    },
    first(seq, clock) {
      const [first] = dirty.values();
      return first === undefined ? { from: seq + 1, clock } : { from: first.since, clock: first.clock };
    },
  };
}
