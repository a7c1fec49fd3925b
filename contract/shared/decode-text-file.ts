/**
 * Decodes a text file: UTF-8, UTF-16 with a byte order mark, or Windows-1252, in which Excel saves
 * CSV files. Returns undefined if the file is not text.
 */
export function decodeTextFile(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder(detectEncoding(bytes)).decode(bytes);
  return text.includes('\0') ? undefined : text;
}

function detectEncoding(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
