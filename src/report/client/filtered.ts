/** Zones, units and visits shown on the map, by index; an absent field shows all. */
export interface Filtered {
  readonly units?: ReadonlySet<number>;
  readonly zones?: ReadonlySet<number>;
  readonly visits?: ReadonlySet<number>;
}
