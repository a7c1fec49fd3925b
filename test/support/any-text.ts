import fc from 'fast-check';

/** How many code points are no characters but halves of surrogate pairs, and the first of them. */
const [HALVES, FIRST_HALF] = [0x800, 0xd800];

/** Every character alike. The unit `binary` of fast-check makes a table of all of them, for a second. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - HALVES })
  .map((at) => String.fromCodePoint(at < FIRST_HALF ? at : at + HALVES));

/** Addresses of websites, with any characters in their paths. As above: `webUrl` needs the table. */
export const webAddress = fc
  .tuple(fc.domain(), fc.string({ unit: anyCharacter, maxLength: 20 }))
  .map(([domain, path]) => `https://${domain}/${encodeURIComponent(path)}`);
