/** The pieces that `write` passes to its sink, in their order. */
export async function chunksOf(write: (sink: (chunk: string) => void) => Promise<void>): Promise<string[]> {
  const chunks: string[] = [];
  await write((chunk) => {
    chunks.push(chunk);
  });
  return chunks;
}
