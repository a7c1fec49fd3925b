/** Colours of Nameplate itself in the API reference, by day and by night. */
export const PALETTE = {
  background: { light: '#f6f5f1', dark: '#121311' },
  text: { light: '#1b1b18', dark: '#f0efea' },
  accent: { light: '#0c6a4b', dark: '#62d3a3' },
  'on-accent': { light: '#ffffff', dark: '#121311' },
} as const;
