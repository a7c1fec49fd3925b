import { hash } from 'node:crypto';
import { contactUrl } from '#contract/shared/web-url.ts';
import { latinSetOf } from './design/fonts.ts';
import { pageDesignOf } from './design/page-design.ts';
import { styleOf } from './design/style.ts';
import { type PageOptions, optionsOf } from './fields/options.ts';
import { imageAttributes, pictureOf } from './fields/picture.ts';
import { favicon, titleOf } from './head.ts';
import { type Html, html, trustedHtml } from './html/html.ts';
import { renderIcon } from './icons/icon.ts';
import type { PublicSite, RenderContext } from './public-site.ts';
import { qrCode } from './qr-code.ts';
import {
  backdrop,
  backdropRules,
  backgroundColors,
  type FooterOptions,
  initialsAvatar,
  removeForbidden,
  renderFooter,
  styleElement,
  titleSizeClass,
} from './render-site.ts';

/** Shows the two buttons that need a script, in browsers that have what they need. */
const SCRIPT =
  "let e=document.querySelector('.copy'),[c,s,p]=e.children,{url,done}=e.dataset,n=navigator;if(n.clipboard){c.hidden=0;c.onclick=()=>n.clipboard.writeText(url).then(()=>{c.className='done';p.textContent=done;setTimeout(()=>p.textContent=c.className='',2e3)})}if(n.share){s.hidden=0;s.onclick=()=>n.share({url}).catch(()=>0)}";

const SCRIPT_SOURCE = `'sha256-${hash('sha256', SCRIPT, 'base64')}'`;

const SHAPE = { isSparse: false, isOneLink: false, isList: false };

interface SharePage {
  html: string;
  cspStyleSource: string;
  cspScriptSource: string;
}

/** The page that `Share` opens: the address of a page, ways to send it, its QR code and contact. */
export function renderShare(
  site: PublicSite,
  context: RenderContext,
  footer: FooterOptions,
): SharePage {
  const options = optionsOf(site);
  const { lang, locale, appearance } = options;
  const { design, ...pageDesign } = pageDesignOf(site, options, SHAPE);
  const reportUrl = reportUrlOf(footer.abuseContact, context.url);
  const body = html`<body data-theme="${design.name}">
    ${appearance.backgroundPicture && backdrop(appearance.backgroundPicture)}
    <div class="page">
      ${renderMain(site, context, options)}
      ${renderFooter(site, context, locale, {
        footer,
        decoration: design.decoration,
        action:
          reportUrl === undefined
            ? undefined
            : html`<a href="${reportUrl}" rel="nofollow">${locale.t('Report this page')}</a>`,
      })}
    </div>
    ${trustedHtml(`<script>${SCRIPT}</script>`)}
  </body>`;
  const style = styleOf({
    ...pageDesign,
    latinSet: latinSetOf(body.toString()),
    blocks: [],
    contentRules: backdropRules(options),
    list: [],
    tiles: ['share'],
  });
  const { light, dark } = backgroundColors(pageDesign.colors);
  const document = html`<!doctype html>
    <html lang="${lang}" dir="${locale.direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <title>${locale.t('Share')}: ${titleOf(site)}</title>
        <meta name="robots" content="noindex" />
        <meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="${favicon(site)}" />
        ${styleElement(style.sheet)}
      </head>
      ${body}
    </html> `;
  return {
    html: removeForbidden(document.toString()),
    cspStyleSource: style.cspSource,
    cspScriptSource: SCRIPT_SOURCE,
  };
}

function renderMain(site: PublicSite, { url }: RenderContext, options: PageOptions): Html {
  const { t } = options.locale;
  const pathOf = (file: string) => new URL(`${url}/${file}`).pathname;
  const title = titleOf(site);
  return html`<main>
    <a class="back" href="${new URL(url).pathname}"
      >${stroke('M14.5 5l-7 7 7 7')}<bdi dir="ltr">@${site.name}</bdi></a
    >
    <div class="send">
      <div class="id">
        ${renderFace(site, options)}
        <div>
          <h1 class="${titleSizeClass(title).trim()}" dir="auto">${title}</h1>
          ${title !== site.name && html`<p class="handle"><bdi dir="ltr">@${site.name}</bdi></p>`}
        </div>
      </div>
      <p class="address" dir="ltr" tabindex="0">${url.replace(/^https?:\/\//, '')}</p>
      <div class="copy" data-url="${url}" data-done="${t('Copied')}">
        <button hidden>
          ${stroke('M8.5 8.5h12v12h-12zM15.5 8.5v-5h-12v12h5')}${stroke('M5 12.5l5 5L19.5 7')}<span
            >${t('Copy link')}</span
          ><span>${t('Copied')}</span>
        </button>
        <button hidden>
          ${stroke('M12 14V2.5M7.5 6.5 12 2l4.5 4.5M5 11v10h14V11')}${t('Share')}…
        </button>
        <p role="status"></p>
      </div>
      ${renderWays(url, pathOf('share'), options)}
    </div>
    <section class="scan" aria-label="${t('QR code')}">
      <div class="code">${qrCode(url, `${t('QR code')}: ${url}`)}</div>
      <div class="files">
        ${['PNG', 'SVG'].map((type) => {
          const file = `qr.${type.toLowerCase()}`;
          return html`<a href="${pathOf(file)}" download="${site.name}-${file}"
            >${renderIcon('download')}${type}</a
          >`;
        })}
        <a href="${pathOf('card.vcf')}">${renderIcon('contact')}${t('Save to contacts')}</a>
      </div>
    </section>
  </main>`;
}

function renderFace(site: PublicSite, { appearance }: PageOptions): Html | undefined {
  if (appearance.settings.avatar === 'none') return undefined;
  const avatar = pictureOf(site.avatar_url);
  if (!avatar) return initialsAvatar(titleOf(site), 'face');
  return html`<img
    class="face"
    ${imageAttributes(avatar, '6rem')}
    alt=""
    width="96"
    height="96"
    referrerpolicy="no-referrer"
  />`;
}

/** Mastodon has many servers, so its link shows a form that asks for the visitor's. */
function renderWays(url: string, action: string, { locale: { t } }: PageOptions): Html {
  const text = encodeURIComponent(url);
  const ways = [
    ['whatsapp', 'WhatsApp', `https://wa.me/?text=${text}`],
    ['telegram', 'Telegram', `https://t.me/share/url?url=${text}`],
    ['mastodon', 'Mastodon', '#mastodon'],
    ['mail', t('Mail'), `mailto:?body=${text}`],
  ] as const;
  return html`<div class="ways">
      ${ways.map(([icon, label, href]) => html`<a href="${href}" rel="noreferrer">${renderIcon(icon)}${label}</a>`)}
    </div>
    <form id="mastodon" method="post" action="${action}">
      <label for="server">${t('Your Mastodon server')}</label>
      <input
        id="server"
        name="server"
        placeholder="mastodon.social"
        required
        autocapitalize="none"
        autocomplete="off"
        spellcheck="false"
        inputmode="url"
        dir="ltr"
      />
      <button>${t('Share')}</button>
    </form>`;
}

const stroke = (path: string): Html =>
  trustedHtml(`<svg class="i" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`);

/** The operator's abuse contact if there is one, otherwise the built-in form. */
function reportUrlOf(contact: string | null | undefined, url: string): string | undefined {
  if (contact === undefined) return `${url}/report`;
  if (contact === null) return undefined;
  const target = contactUrl(contact);
  if (!target.startsWith('mailto:')) return target;
  return `${target}?subject=${encodeURIComponent(`Report of ${url}`)}`;
}
