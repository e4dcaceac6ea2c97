import type library = require('#csv-parse/sync');

let loaded: typeof library | null = null;

/** `#csv-parse/sync`, loaded at the first call. */
const load = (): typeof library => {
  loaded ??= require('#csv-parse/sync') as typeof library;
  return loaded;
};

export = load;
