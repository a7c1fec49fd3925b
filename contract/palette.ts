/** Colours of Nameplate itself, by day and by night: of error pages, API reference and pages without a theme. */
export const PALETTE = {
  background: { light: '#f6f5f1', dark: '#121311' },
  text: { light: '#1b1b18', dark: '#f0efea' },
  accent: { light: '#0c6a4b', dark: '#62d3a3' },
  'on-accent': { light: '#ffffff', dark: '#121311' },
} as const;

/** The palette as custom properties such as `--on-accent`, which follow the visitor. */
export const PALETTE_CSS = Object.entries(PALETTE)
  .map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`)
  .join(';');
