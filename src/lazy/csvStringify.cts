import type library = require('#csv-stringify/sync');

let loaded: typeof library | null = null;

/** `#csv-stringify/sync`, loaded at the first call. */
const load = (): typeof library => {
  loaded ??= require('#csv-stringify/sync') as typeof library;
  return loaded;
};

export = load;
