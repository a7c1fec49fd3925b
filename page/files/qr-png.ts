import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';

/** Bytes per module and row, each with eight pixels. A code is about 800 pixels wide. */
const MODULE_BYTES = 3;

/** A QR code in black and white, with the border that scanners need, to print. */
export function qrPng(text: string): Buffer {
  const { data, size } = encode(text, { ecc: 'L', border: 4 });
  const pixels = size * MODULE_BYTES * 8;
  const rows = data.map((row) => {
    const line = row.flatMap((isDark) => Array<number>(MODULE_BYTES).fill(isDark ? 0 : 255));
    // Each line begins with the number of its filter: none.
    return Buffer.concat(Array<Buffer>(MODULE_BYTES * 8).fill(Buffer.from([0, ...line])));
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  // One bit per pixel. The other fields are 0: gray, compressed, filtered, not interlaced.
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, checksum]);
}
