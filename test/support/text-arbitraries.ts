import fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATE_COUNT = 0x800;

/** Any code point except surrogates. fast-check's `binary` unit takes a second to initialize. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATE_COUNT })
  .map((index) => String.fromCodePoint(index < FIRST_SURROGATE ? index : index + SURROGATE_COUNT));

/** HTTPS URLs with any characters in the path. fast-check's `webUrl` is just as slow to initialize. */
export const httpsUrl = fc
  .tuple(fc.domain(), fc.string({ unit: anyCharacter, maxLength: 20 }))
  .map(([domain, path]) => `https://${domain}/${encodeURIComponent(path)}`);
