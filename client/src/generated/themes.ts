// Generated from the contract: change it there and run `npm run generate`.

/** The ids of the preset themes by their names, to send as `theme_id`. */
export const themes = {
  /** A letterpress card: serif type, hairlines and warm paper. */
  paper: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01',
  /** A clear sky, soft shadows and round buttons. */
  daylight: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a02',
  /** Fresh greens, round cards and hills at the foot. */
  meadow: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a03',
  /** Petals of pink with elegant headings. */
  blossom: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a04',
  /** Deep blue with two soft lights. */
  midnight: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a05',
  /** Charcoal, bold type and hard orange shadows. */
  ember: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a06',
  /** Monospace, dashed rules and a block cursor. */
  terminal: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a07',
} as const;
