import { parse } from '#csv-parse/sync';

/** What is used of `#csv-parse/sync`. In a page nothing loads late. */
const load = (): { readonly parse: typeof parse } => ({ parse });

export default load;
