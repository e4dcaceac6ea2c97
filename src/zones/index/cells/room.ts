/** The memory that cells may take. */
export class Room {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Takes bytes; false, without a change, when fewer are left. */
  take(bytes: number): boolean {
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes += bytes;
  }
}
