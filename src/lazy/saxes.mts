import { SaxesParser } from 'saxes';

/** What is used of `saxes`. In a page nothing loads late. */
const load = (): { readonly SaxesParser: typeof SaxesParser } => ({ SaxesParser });

export default load;
