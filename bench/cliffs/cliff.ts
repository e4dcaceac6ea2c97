/** The rows of the section `cliffs`: an unusual input beside a plain one, and the largest ratio of their times. */

/** Prepares one side outside of the timing, with state of its own for each round, and returns the work to time. */
export type Side = () => () => unknown;

export interface Cliff {
  readonly name: string;
  /** The two inputs: "unusual / plain". */
  readonly what: string;
  readonly plain: Side;
  readonly unusual: Side;
  /** The largest ratio of unusual to plain that counts as no cliff. */
  readonly goal: number;
  /** The most milliseconds of the unusual side, where its time has a goal too. */
  readonly mostMs?: number;
}

/** The largest ratio of the time for twice the size. */
const TWICE_GOAL = 2.3;

/** A row for each size, with twice the size as the unusual side. `side` prepares the work of one size. */
export function doublings(
  name: string,
  unit: string,
  sizes: readonly number[],
  side: (size: number) => Side,
): Cliff[] {
  return sizes.map((size) => ({
    name,
    what: `${(2 * size).toLocaleString('en')} / ${size.toLocaleString('en')} ${unit}`,
    plain: side(size),
    unusual: side(2 * size),
    goal: TWICE_GOAL,
  }));
}

/** Makes a value on first use. Rows use it for data that several sides or rounds share. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
