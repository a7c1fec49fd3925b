// Generated from the contract: change it there and run `npm run generate`.

/** The ids of the preset themes by their names, to send as `theme_id`. */
export const themes = {
  /** Black ink on warm white paper. */
  paper: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a01',
  /** Clean white with a clear blue. */
  daylight: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a02',
  /** Soft green, like grass after rain. */
  meadow: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a03',
  /** Pale pink with a strong berry. */
  blossom: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a04',
  /** Light text on deep blue, easy at night. */
  midnight: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a05',
  /** Glowing orange on charcoal. */
  ember: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a06',
  /** Phosphor green on black. */
  terminal: '5c1f8a52-3d1e-4b0a-9a53-0d7c3f6b1a07',
} as const;
