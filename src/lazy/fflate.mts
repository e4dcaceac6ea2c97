import { Inflate, zipSync } from 'fflate';

/** What is used of `fflate`. In a page nothing loads late. */
const load = (): { readonly Inflate: typeof Inflate; readonly zipSync: typeof zipSync } => ({
  Inflate,
  zipSync,
});

export default load;
