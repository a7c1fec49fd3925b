import { type Html, html } from './html.ts';
import { icon } from './icons/icon.ts';
import type { Locale } from './locale.ts';
import type { Showing } from './public-site.ts';

/**
 * A small menu to pass a page on: its address, which one click selects, its QR code and its contact card.
 * The code is loaded when the menu is opened.
 */
export function shareMenu({ url, isFramed }: Showing, { words }: Locale): Html {
  return html`<details class="share">
    <summary>${icon('share-2')}<span>${words.share}</span></summary>
    <div>
      <code dir="ltr">${url}</code>
      ${
        // A frame without scripts would load the picture at once.
        !isFramed &&
        html`<a href="${url}/qr.svg"
          ><img
            src="${new URL(`${url}/qr.svg`).pathname}"
            alt="${words.qrCode}"
            width="160"
            height="160"
            loading="lazy"
        /></a>`
      }
      <a href="${url}/card.vcf">${icon('contact')}<span>${words.contactCard}</span></a>
    </div>
  </details>`;
}
