import { Inflate, zipSync } from 'fflate';

/** The used part of `fflate`, for pages: it loads at once, not at the first call. */
const load = (): { readonly Inflate: typeof Inflate; readonly zipSync: typeof zipSync } => ({
  Inflate,
  zipSync,
});

export default load;
