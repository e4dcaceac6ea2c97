import { stringify } from '#csv-stringify/sync';

/** The used part of `#csv-stringify/sync`, for pages: it loads at once, not at the first call. */
const load = (): { readonly stringify: typeof stringify } => ({ stringify });

export default load;
