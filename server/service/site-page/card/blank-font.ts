/** A font that has every character, and draws nothing for any: last in line, it is what is left. */
export function blankFont(family: string): Buffer {
  const name = Buffer.from(family, 'utf16le').swap16();
  const tables = Object.entries({
    'OS/2': [bytes(2, 4, 0, 400, 5, 0), Buffer.alloc(86)],
    // All characters have the glyph 1.
    cmap: [
      bytes(2, 0, 1, 3, 10),
      bytes(4, 12),
      bytes(2, 13, 0),
      bytes(4, 28, 0, 1, 0, 0x10ffff, 1),
    ],
    glyf: [bytes(4, 0)],
    head: [
      bytes(2, 1, 0),
      bytes(4, 0x10000, 0, 0x5f0f3cf5),
      bytes(2, 0, 1000),
      bytes(4, 0, 0, 0, 0),
      bytes(2, 0, 0, 0, 0, 0, 8, 2, 0, 0),
    ],
    hhea: [bytes(2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2)],
    hmtx: [bytes(2, 0, 0, 0, 0)],
    loca: [bytes(2, 0, 0, 0)],
    maxp: [bytes(4, 0x10000), bytes(2, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)],
    name: [bytes(2, 0, 1, 18, 3, 1, 0x409, 1, name.length, 0), name],
  }).map(([tag, parts]) => ({ tag, content: Buffer.concat(parts) }));
  const directory = [bytes(4, 0x10000), bytes(2, tables.length, 128, 3, 16)];
  const contents: Buffer[] = [];
  let offset = 12 + 16 * tables.length;
  for (const { tag, content } of tables) {
    directory.push(Buffer.from(tag), bytes(4, 0, offset, content.length));
    const padding = Buffer.alloc((4 - (content.length % 4)) % 4);
    contents.push(content, padding);
    offset += content.length + padding.length;
  }
  return Buffer.concat([...directory, ...contents]);
}

/** Numbers of so many bytes each. */
function bytes(size: number, ...values: number[]): Buffer {
  const buffer = Buffer.alloc(size * values.length);
  for (const [index, value] of values.entries()) buffer.writeUIntBE(value, index * size, size);
  return buffer;
}
