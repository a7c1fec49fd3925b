import { parseLogoSize, logoPath } from '#contract/shared/instance.ts';
import { html, type Html, trustedHtml } from '#page/html/html.ts';

/** The green is lighter in dark mode. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>rect{fill:#0f6a4c}@media(prefers-color-scheme:dark){rect{fill:#278a63}}</style><rect y="4" width="32" height="24" rx="6"/><path d="M6 16h.01M26 16h.01M13 16h6" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>';

/** A data URL, so that browsers do not request `/favicon.ico`. */
export const ICON_URL = `data:image/svg+xml;base64,${btoa(ICON)}`;

export const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" width="30" height="20" aria-hidden="true"><rect width="30" height="20" rx="4.5" fill="#0f6a4c"/><rect x="2" y="2" width="26" height="16" rx="2.8" fill="none" stroke="#fff" stroke-opacity=".8"/><path d="M5.6 10h.01M24.4 10h.01M10.5 10h9" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>';

/** Renders the installation's logo, 28 pixels high, or Nameplate's. */
export function renderLogo({
  logo_id: id,
  dark_logo_id: darkId,
}: {
  logo_id: string | null;
  dark_logo_id: string | null;
}): Html {
  const first = id ?? darkId;
  if (first === null) return trustedHtml(LOGO);
  const { width, height } = parseLogoSize(first);
  return html`<picture
    >${darkId !== null && html`<source srcset="${logoPath(darkId)}" media="(prefers-color-scheme: dark)" />`}<img
      src="${logoPath(first)}"
      width="${Math.round((28 * width) / height)}"
      height="28"
      alt=""
  /></picture>`;
}
