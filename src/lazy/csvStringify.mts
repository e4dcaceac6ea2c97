import { stringify } from '#csv-stringify/sync';

/** What is used of `#csv-stringify/sync`. In a page nothing loads late. */
const load = (): { readonly stringify: typeof stringify } => ({ stringify });

export default load;
