/** The memory that rasters and squares may take together. */
export class Room {
  #bytes: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Takes so many bytes; false, and nothing is taken, when they are not there. */
  take(bytes: number): boolean {
    if (bytes > this.#bytes) return false;
    this.#bytes -= bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes += bytes;
  }
}
