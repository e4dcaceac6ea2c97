/** What the map shows; absent: all. */
export interface Filtered {
  readonly units?: ReadonlySet<number>;
  readonly zones?: ReadonlySet<number>;
  readonly visits?: ReadonlySet<number>;
}
