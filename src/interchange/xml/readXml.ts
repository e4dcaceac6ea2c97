/** Reads an XML file, whole or in chunks, with the handler of its format. */

import type { ForeignData } from '../../core/fix.js';
import { decodeChunks, decodeText } from '../common/decodeText.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import type { ReadOptions } from '../common/readOptions.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { XmlFeed, type XmlHandler } from './xmlFeed.js';

type HandlerOf = (builder: ForeignBuilder) => XmlHandler;

export function readXml(input: string | Uint8Array, options: ReadOptions, handlerOf: HandlerOf): ForeignData {
  const builder = new ForeignBuilder(options);
  const feed = new XmlFeed(builder.issues, handlerOf(builder), builder.limits);
  const text = decodeText(input, builder.issues, builder.limits);
  if (text !== null) feed.write(text);
  feed.close(text === null);
  return builder.toForeignData();
}

export async function readXmlChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadOptions,
  handlerOf: HandlerOf,
): Promise<ForeignData> {
  const builder = new ForeignBuilder({ ...options, crs: await resolveCrs(options.crs) });
  const feed = new XmlFeed(builder.issues, handlerOf(builder), builder.limits);
  const isWhole = await decodeChunks(chunks, builder.issues, builder.limits, (text) => feed.write(text));
  feed.close(!isWhole);
  return builder.toForeignData();
}
