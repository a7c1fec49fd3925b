import { QUOTE_PREFIX } from '#contract/shared/mail-quote.ts';
import type { InstanceRow } from '#db/queries/instance.ts';
import { html, type Html } from '#page/html/html.ts';
import { createLinkFinder } from '#page/html/link-finder.ts';
import type { Translator } from '#translations/translator.ts';
import type { MailContent } from './mail-content.ts';
import { breakLinks, withoutLinkBreaks } from './mail-text.ts';

type MailParts = MailContent &
  Required<Pick<MailContent, 'headline' | 'facts' | 'choices' | 'outro'>> &
  Pick<InstanceRow, 'line' | 'contact'> & {
    plate: string;
    /** Of plate and button. */
    color: string;
    /** The lowest color of the plate. */
    bottomColor: string;
    footerLines: readonly string[];
    links: readonly { label: string; url: string }[];
  };

const style = ({
  color,
  bottomColor,
}: Pick<MailParts, 'color' | 'bottomColor'>) => `:root{color-scheme:light dark}
body{margin:0;padding:0;background:#f6f5f1;color:#1b1b18}
td{font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:16px;line-height:25px}
.box{max-width:560px}
.card{border-radius:16px;background:#fff;overflow:hidden}
.pad{padding:0 16px}
.stage{padding:34px 48px;background:#ebe7de}
.low{padding:14px 48px}
.in{padding:8px 48px 32px}
.plate{border-radius:11px;background:${color} linear-gradient(${color},${bottomColor});box-shadow:0 8px 16px 2px #0003;padding:5px}
.plate table{border:1px solid #ffffffc7;border-radius:7px;padding:13px 12px}
.low .plate{border-radius:8px;box-shadow:none;padding:3px}
.low .plate table{border-radius:6px;padding:6px}
.low .plate td{padding:0 4px;font-size:14px;line-height:18px}
.status{padding:0 0 4px;font-size:13px;line-height:20px;font-weight:bold;color:#b3261e}
.needs-you{color:#875200}
.plate td{padding:0 6px;line-height:26px;font-size:20px;font-weight:bold;word-break:break-word}
h1{margin:0;overflow-wrap:anywhere;font-size:26px;line-height:32px;font-weight:700;letter-spacing:-.022em;text-wrap:balance}
.head{padding:24px 0 4px}
.paragraph{padding:12px 0 0;overflow-wrap:anywhere;text-wrap:pretty}
.paragraph a,.note a{color:inherit}
.quote{padding:2px 0 2px 16px;border-left:3px solid ${color}}
.action{padding:24px 0 8px}
.ruled{border-top:1px solid #e6e3da}
.fact{padding:9px 0;font-size:15px;line-height:20px;vertical-align:top;overflow-wrap:anywhere;white-space:pre-line}
.fact-name{width:80px;padding-right:16px;font-size:13px;color:#65625a}
.unbroken{white-space:nowrap}
.login-code{padding:14px 8px 14px 20px;border-radius:12px;background:#f0efeb;font-size:32px;line-height:40px;font-weight:600;letter-spacing:.2em;text-align:center}
pre{margin:0;padding:12px 16px;border-radius:8px;background:#f0efeb;font:14px/22px ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
code{padding:2px 5px;border-radius:5px;background:#f0efeb;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;overflow-wrap:anywhere}
.copied-row{width:0;min-width:100%;overflow-x:auto;margin:8px 0 0;border-radius:8px;background:#f0efeb}
.copied-row td{font-size:13px;line-height:20px;white-space:nowrap}
.button{border-radius:10px;background:${color};text-align:center}
.button a{display:block;padding:14px 28px;color:#fff;font-weight:bold;text-decoration:none}
.choice{padding:16px 0}
.choice-title{font-weight:bold;padding:0 12px 0 0;word-break:break-word}
.choice .button a{padding:9px 18px;white-space:nowrap}
.note{font-size:14px;line-height:21px;padding:10px 0 0;color:#65625a;overflow-wrap:anywhere}
.small{font-size:13px;line-height:20px;padding:32px 0 0;color:#65625a}
.small a{color:#65625a;overflow-wrap:anywhere}
.foot a{margin-right:12px;color:#65625a}
.foot{font-size:12px;line-height:18px;padding:12px 48px 0;color:#65625a}
.foot p{margin:8px 0 0}
@media(prefers-color-scheme:dark){body,.bg{background:#121311!important}.card{background:#1a1b19!important;border:1px solid #34362f}.stage{background:#22221f!important}.quote{border-color:#a6a59c!important}.ruled{border-color:#34362f!important}code,pre,.login-code,.copied-row{background:#262724!important}.status{color:#ff9d92!important}.needs-you{color:#f1bb66!important}.paragraph,.quote,.choice-title,.fact,pre,h1{color:#f0efea!important}.fact-name,.note,.small,.small a,.foot,.foot a{color:#a6a59c!important}}
@media(max-width:560px){h1{font-size:20px;line-height:26px}.in{padding:4px 24px 24px}.stage{padding:26px 24px}.low{padding:12px 24px}.foot{padding:8px 24px 0}.action-table{width:100%}}`;

/**
 * Outlook for Windows renders with Word, which knows no `max-width`, pads only table cells, and falls
 * back to Times if it lacks the first font (Microsoft, "Word 2007 HTML and CSS Rendering
 * Capabilities in Outlook 2007").
 */
const WORD_STYLE = `td,h1{font-family:"Segoe UI",Arial,sans-serif}
pre,code{font-family:Consolas,monospace}
.box{width:560px}
.plate table td{padding:13px 10px}
.low .plate table td{padding:6px}
.button{padding:14px 28px}
.choice .button{padding:9px 18px}
.quote{margin-left:16px}
.copied-row{width:100%}`;

const TABLE = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

/**
 * The HTML has no pictures and stays readable without the style sheet. Backgrounds of white text are
 * inline styles, because SpamAssassin 4.0 does not read `bgcolor` and would see white on white.
 */
export function renderMail(parts: MailParts, t: Translator): string {
  return `<!doctype html>
<html lang="${t.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${html`${withoutLinkBreaks(parts.headline)}`.toString()}</title>
<style>
${style(parts)}
</style>
<!--[if mso]><style>
${WORD_STYLE}
</style><![endif]-->
</head>
${breakLinks(renderBody(parts, t).toString())}
</html>
`;
}

export const rowTitle = (t: Translator) => t('As a row, to copy into a table:');

function renderBody(parts: MailParts, t: Translator): Html {
  const margin = html`<tr>
    <td height="32">&nbsp;</td>
  </tr>`;
  return html`<body bgcolor="#f6f5f1">
    <table class="bg" width="100%" bgcolor="#f6f5f1" ${TABLE}>
      <tr>
        <td class="pad" align="center">
          <table class="box" width="100%" ${TABLE}>
            ${margin}
            <tr>
              <td class="card" bgcolor="#ffffff">
                <table width="100%" ${TABLE}>
                  <tr>
                    <td class="stage${!parts.isWelcome && ' low'}" bgcolor="#ebe7de">
                      ${renderPlate(parts)}
                    </td>
                  </tr>
                  <tr>
                    <td class="in">${renderText(parts, t)}</td>
                  </tr>
                </table>
              </td>
            </tr>
            ${renderFooter(parts)} ${margin}
          </table>
        </td>
      </tr>
    </table>
  </body>`;
}

function renderPlate({ plate, color }: MailParts): Html {
  return html`<table ${TABLE}>
    <tr>
      <td class="plate" style="background-color:${color}">
        <table ${TABLE}>
          <tr>
            ${['•', html`${plate.split(/(?=@)/).map((part, index) => [index > 0 && html`<wbr />`, part])}`, '•'].map((text) => html`<td align="center"><font color="#ffffff">${text}</font></td>`)}
          </tr>
        </table>
      </td>
    </tr>
  </table>`;
}

function renderText(
  {
    headline,
    status,
    color,
    facts,
    intro,
    hasOneTimeLink,
    action,
    choices,
    note,
    outro,
    textLink,
    copiedRow,
    contact,
    isFromVisitor,
  }: MailParts,
  t: Translator,
): Html {
  const row = (name: string, content: Html | string) =>
    html`<tr>
      <td class="${name}">${content}</td>
    </tr>`;
  const show = isFromVisitor ? (text: string) => text : renderLine;
  const lines = (text: string) =>
    html`${text.split('\n').map((line, index) => [index > 0 && html`<br />`, show(line, contact, TEXT_WIDTH)])}`;
  const paragraph = (text: string) =>
    row(
      'paragraph',
      COMMANDS.test(text)
        ? html`<pre>${text}</pre>`
        : /^\d{6}$/.test(text)
          ? html`<div class="login-code">${text}</div>`
          : text.startsWith(QUOTE_PREFIX)
            ? html`<div class="quote">${lines(text.slice(QUOTE_PREFIX.length))}</div>`
            : lines(text),
    );
  const table = html`<table width="100%" ${TABLE}>
    ${facts.map(
      ([label, value], index) =>
        html`<tr>
          <td class="fact${index > 0 && ' ruled'} fact-name">${label}</td>
          <td class="fact${index > 0 && ' ruled'}">${show(value)}</td>
        </tr>`,
    )}
  </table>`;
  const button =
    action &&
    html`<tr>
      <td class="action">
        <table class="action-table" ${TABLE}>
          <tr>
            ${renderButton({ ...action, color })}
          </tr>
        </table>
      </td>
    </tr>`;
  const choice = ({ title, ...link }: MailParts['choices'][number]) =>
    html`<table width="100%" ${TABLE}>
      <tr>
        <td class="choice-title">${title}</td>
        <td align="right">
          <table ${TABLE}>
            <tr>
              ${renderButton({ ...link, color })}
            </tr>
          </table>
        </td>
      </tr>
    </table>`;
  const label =
    status &&
    (status === 'security'
      ? html`<div class="status">${t('Security')}</div>`
      : html`<div class="status needs-you">${t('Needs you')}</div>`);
  const plainLink =
    hasOneTimeLink &&
    action &&
    html`${t('Button does not work?')} <a href="${action.link}">${breakAfterHost(action.link)}</a>`;
  return html`<table width="100%" ${TABLE}>
    ${row(
      'head',
      html`${label}
        <h1>${renderLine(headline)}</h1>`,
    )}
    ${facts.length > 0 && row('paragraph', table)}
    ${intro.filter((line) => line.replace(/\.$/, '') !== headline).map(paragraph)} ${button}
    ${choices.map((one, index) => row(index > 0 ? 'choice ruled' : 'choice', choice(one)))}
    ${[note ?? [], outro].flat().map((line) => row('note', renderLine(line, contact, TEXT_WIDTH)))}
    ${textLink && row('note', html`<a href="${textLink.link}">${textLink.label}</a>`)}
    ${plainLink && row('small', plainLink)}
    ${copiedRow && row('small', renderCopiedRow(copiedRow, t))}
  </table>`;
}

/** Scrolls sideways. */
function renderCopiedRow(cells: readonly string[], t: Translator): Html {
  return html`${rowTitle(t)}
    <div class="copied-row">
      <table rules="cols" cellpadding="8">
        <tr>
          ${cells.map((cell) => html`<td>${cell}</td>`)}
        </tr>
      </table>
    </div>`;
}

/** Lines for a shell, or for the settings. */
const COMMANDS = /^(?:# |[A-Z_]{4,}=)/;
const CODE = /(?<![A-Z_])[A-Z_]{4,}=[^\s,]+|(?<![\w.:/@-])(?:\.env\b|(?:\/[\w.-]{0,60}\w){2,9})/;
/** Addresses, names, dates and hosts that are no links, which do not break if they are short. */
const UNBROKEN =
  /(?<![\w/])[\w.-]{0,64}@[a-z\d.-]{1,253}[a-z\d]|\b\d{1,2}\.? \p{L}{3,12} \d{4}|\S{1,28}\ufdd0\S{1,28}/u;
const MARKED = new RegExp(`(?<code>${CODE.source})|${UNBROKEN.source}`, 'gu');
const linkFinder = createLinkFinder();

/** Characters that fit into a line of text on phones, and of a headline or beside a title. */
const TEXT_WIDTH = 28;
const NARROW_WIDTH = 18;

/** Longer ones break before the @, and only if that is not enough, elsewhere. */
function renderUnbroken(text: string, width: number): Html {
  const parts = text.length > width ? text.split(/(?=@)/) : [text];
  return html`${parts.map((part, index) => [index > 0 && html`<wbr />`, part.length > width ? part : html`<span class="unbroken">${part}</span>`])}`;
}

function renderLine(line: string, contact: string | null = null, width = NARROW_WIDTH): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { index, lastIndex, url } of linkFinder.match(line) ?? []) {
    parts.push(
      renderWords(line.slice(end, index), contact, width),
      html`<a href="${url}">${url}</a>`,
    );
    end = lastIndex;
  }
  return html`${parts}${renderWords(line.slice(end), contact, width)}`;
}

/** The contact address is a link. */
function renderWords(line: string, contact: string | null, width: number): Html {
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const { index, 0: text, groups } of line.matchAll(MARKED)) {
    const part = groups?.['code']
      ? html`<code>${text}</code>`
      : text === contact
        ? html`<a href="mailto:${text}">${renderUnbroken(text, width)}</a>`
        : renderUnbroken(text, width);
    parts.push(line.slice(end, index), part);
    end = index + text.length;
  }
  return html`${[...parts, line.slice(end)]}`;
}

function breakAfterHost(link: string): Html {
  const { origin } = new URL(link);
  return html`${origin}/<wbr />${link.slice(origin.length + 1)}`;
}

function renderButton({ label, link, color }: Record<'label' | 'link' | 'color', string>): Html {
  return html`<td class="button" style="background-color:${color}">
    <a href="${link}"><font color="#ffffff">${label}</font></a>
  </td>`;
}

/** Not all mail programs add links to HTML. */
function renderFooter({ footerLines, line, links }: MailParts): Html {
  return html`<tr>
    <td class="foot">
      <p>${footerLines.join(' ')}</p>
      ${line !== null && html`<p>${line}</p>`}
      ${
        links.length > 0 &&
        html`<p>${links.map(({ label, url }) => html`<a href="${url}">${label}</a> `)}</p>`
      }
    </td>
  </tr>`;
}
