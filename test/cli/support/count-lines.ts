/** Counts lines without keeping them in memory. */
export async function countLines(stream: AsyncIterable<Buffer>): Promise<number> {
  let lines = 0;
  for await (const chunk of stream)
    for (let index = chunk.indexOf('\n'); index !== -1; index = chunk.indexOf('\n', index + 1))
      lines += 1;
  return lines;
}
