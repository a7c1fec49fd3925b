import type { GenericIcon } from '#contract/shared/icons.ts';
import { dialStringOf } from '../dial-string.ts';
import { type Fields, flagOf, textOf } from '../fields/fields.ts';
import { type Html, html } from '../html/html.ts';
import { safeLinkUrl } from '../html/safe-url.ts';
import { renderIcon } from '../icons/icon.ts';
import type { PublicSite } from '../public-site.ts';
import type { RenderBlock } from './block.ts';

const EMAIL_PATTERN = /^[^\s@<>"\\,;:()[\]]{1,64}@[^\s@<>"\\,;:()[\].]+\.[^\s@<>"\\,;:()[\]]+$/;

/** Includes the forwarding address if the owner chose to show it and forwarding is active. */
export function contactOf(
  block: Fields,
  site: PublicSite,
): { emails: string[]; phone: string | undefined; address: string | undefined } {
  const email = textOf(block, 'email');
  return {
    emails: [
      ...(email ? [email] : []),
      ...(flagOf(block, 'forwarding') && site.mailAddress ? [site.mailAddress] : []),
    ],
    phone: textOf(block, 'phone'),
    address: textOf(block, 'address'),
  };
}

export const renderContact: RenderBlock = (block, site) => {
  const { emails, phone, address } = contactOf(block, site);
  const lines = emails.map((email) => {
    const target = `mailto:${encodeURIComponent(email).replace('%40', '@')}`;
    const isAddress = EMAIL_PATTERN.test(email);
    return renderContactLine('mail', 'email', email, isAddress ? safeLinkUrl(target) : undefined);
  });
  if (phone) {
    const number = dialStringOf(phone, ';ext=');
    lines.push(renderContactLine('phone', 'tel', phone, number && `tel:${number}`));
  }
  if (address) lines.push(renderContactLine('map-pin', 'adr', address));
  return lines.length > 0
    ? html`<ul class="card contact">
        ${lines}
      </ul>`
    : undefined;
};

/** Values that are not an address or a number are shown without a link. */
function renderContactLine(
  icon: GenericIcon,
  microformat: string,
  text: string,
  href?: string,
): Html {
  // Email addresses break before the host and after its labels, not within a word.
  const parts = microformat === 'email' ? text.split(/(?=@)|(?<=[.-])/) : [text];
  const content = html`${renderIcon(icon)}<span dir="${href ? 'ltr' : 'auto'}"
      >${parts.map((part, index) => html`${index > 0 && html`<wbr />`}${part}`)}</span
    >`;
  if (!href) return html`<li class="p-${microformat}">${content}</li>`;
  const prefix = microformat === 'email' ? 'u' : 'p';
  return html`<li><a class="${prefix}-${microformat}" href="${href}">${content}</a></li>`;
}
