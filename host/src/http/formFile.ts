/** The one file of a multipart form (RFC 7578). */

import { WayzoneError } from 'wayzone';
import { rethrowBroken } from './refusal.js';

type Chunks = AsyncIterable<Uint8Array<ArrayBuffer>>;

export interface FormFile {
  readonly type: 'file';
  readonly filename: string;
  readonly file: Chunks & { readonly truncated: boolean };
  toBuffer(): Promise<Buffer>;
}

type FormParts = AsyncIterator<FormFile | { readonly type: 'field'; readonly fieldname: string }>;

/** The parts of a form. `parameters`: names of the address's parameters. A form field of such a name is refused, because it would be ignored. */
export function formFiles(
  request: unknown,
  parameters: ReadonlySet<string> = new Set(),
  fileSize?: number,
): { first(): Promise<FormFile | undefined>; checkEnd(): Promise<void> } {
  // A second file is let in, to be named.
  const limits = { files: 2, ...(fileSize === undefined ? {} : { fileSize }) };
  const parts = (request as { parts(options: object): FormParts }).parts({ limits });
  const next = async (): Promise<FormFile | undefined> => {
    for (;;) {
      const { done, value: part } = await parts.next().catch(rethrowBroken);
      if (done === true) return undefined;
      if (part.type === 'file') return part;
      if (parameters.has(part.fieldname))
        throw new WayzoneError(
          'option-value',
          part.fieldname,
          'expected a parameter of the address, received a field of the form',
        );
    }
  };
  return {
    first: next,
    /** Throws if another part follows the file that was read. */
    async checkEnd() {
      if ((await next()) !== undefined)
        throw new WayzoneError('option-value', 'file', 'expected one file, received several');
    },
  };
}
