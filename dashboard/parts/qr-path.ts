import { encode } from 'uqr';

/** The dark modules of a QR code as one path, a unit each, with the quiet zone around them. */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])),
  );
  return { path: path.join(''), size };
}
