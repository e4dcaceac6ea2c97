/** Finds an unused name, so that nothing with a repeated name is lost. */

/** The name if it is not taken, else the name with the first free suffix of `~2`, `~3`… */
export function freeName(name: string, taken: { has(name: string): boolean }): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name}~${n}`;
  return free;
}
