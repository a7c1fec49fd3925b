import { type Fields, flagOf, textOf } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { renderIcon } from '../icons/icon.ts';
import type { PublicSite } from '../public-site.ts';
import { safeLinkUrl } from '../safe-url.ts';
import type { RenderBlock } from './block.ts';

const EMAIL_PATTERN = /^[^\s@<>"\\,;:()[\]]{1,64}@[^\s@<>"\\,;:()[\].]+\.[^\s@<>"\\,;:()[\]]+$/;

/** Includes the forwarding address if the owner chose to show it and forwarding is active. */
export function contactOf(
  block: Fields,
  site: PublicSite,
): { emails: string[]; phone: string | undefined; address: string | undefined } {
  const email = textOf(block, 'email');
  const phone = textOf(block, 'phone');
  return {
    emails: [
      ...(email && EMAIL_PATTERN.test(email) ? [email] : []),
      ...(flagOf(block, 'forwarding') && site.mailAddress ? [site.mailAddress] : []),
    ],
    phone: phone && /^[+()\d./\s-]{3,40}$/.test(phone) ? phone : undefined,
    address: textOf(block, 'address'),
  };
}

export const renderContact: RenderBlock = (block, site) => {
  const { emails, phone, address } = contactOf(block, site);
  const lines: Html[] = emails.map(
    (email) =>
      html`<li>
        <a
          class="u-email"
          href="${safeLinkUrl(`mailto:${encodeURIComponent(email).replace('%40', '@')}`)}"
          >${renderIcon('mail')}<span dir="ltr">${email}</span></a
        >
      </li>`,
  );
  if (phone)
    lines.push(
      html`<li>
        <a class="p-tel" href="tel:${phone.replace(/[^+\d]/g, '')}"
          >${renderIcon('phone')}<span dir="ltr">${phone}</span></a
        >
      </li>`,
    );
  if (address)
    lines.push(
      html`<li class="p-adr">${renderIcon('map-pin')}<span dir="auto">${address}</span></li>`,
    );
  return lines.length > 0
    ? html`<ul class="card contact">
        ${lines}
      </ul>`
    : undefined;
};
