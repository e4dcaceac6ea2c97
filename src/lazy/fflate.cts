import type library = require('fflate');

let loaded: typeof library | null = null;

/** `fflate`, loaded at the first call. */
const load = (): typeof library => {
  loaded ??= require('fflate') as typeof library;
  return loaded;
};

export = load;
