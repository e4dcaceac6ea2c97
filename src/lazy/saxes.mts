import { SaxesParser } from 'saxes';

/** The used part of `saxes`, for pages: it loads at once, not at the first call. */
const load = (): { readonly SaxesParser: typeof SaxesParser } => ({ SaxesParser });

export default load;
