import { parse } from '#csv-parse/sync';

/** The used part of `#csv-parse/sync`, for pages: it loads at once, not at the first call. */
const load = (): { readonly parse: typeof parse } => ({ parse });

export default load;
