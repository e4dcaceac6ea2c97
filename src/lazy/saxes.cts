import type library = require('saxes');

let loaded: typeof library | null = null;

/** `saxes`, loaded at the first call. */
const load = (): typeof library => {
  loaded ??= require('saxes') as typeof library;
  return loaded;
};

export = load;
