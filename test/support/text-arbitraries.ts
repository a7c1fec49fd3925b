import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATE_COUNT = 0x800;

/** Any code point except surrogates. fast-check's `binary` unit spends a second building a table of them. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATE_COUNT })
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATE_COUNT));

/** HTTPS URLs with any characters in the path. fast-check's `webUrl` needs the same slow table. */
export const httpsUrl = fc
  .tuple(fc.domain(), fc.string({ unit: anyCharacter, maxLength: 20 }))
  .map(([domain, path]) => `https://${domain}/${encodeURIComponent(path)}`);
