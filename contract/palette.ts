/** Colours of Nameplate itself, by day and by night: of error pages, API reference and pages without a theme. */
export const PALETTE = {
  background: { light: '#ffffff', dark: '#0f1115' },
  text: { light: '#16181d', dark: '#eceef2' },
  accent: { light: '#1d4ed8', dark: '#8ab4ff' },
  'on-accent': { light: '#ffffff', dark: '#0f1115' },
} as const;

/** The palette as custom properties such as `--on-accent`, which follow the visitor. */
export const PALETTE_CSS = Object.entries(PALETTE)
  .map(([name, { light, dark }]) => `--${name}:light-dark(${light},${dark})`)
  .join(';');
