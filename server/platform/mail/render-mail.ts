import { html, type Html } from '#page/html.ts';
import type { Translator } from '#translations/translator.ts';

interface MailParts {
  subject: string;
  /** Text of the plate at the top, and its color. */
  plate: string;
  color: string;
  intro: readonly string[];
  action: { label: string; link: string } | undefined;
  note: string | undefined;
  outro: readonly string[];
  footer: readonly string[];
  about: string | undefined;
  links: readonly { label: string; url: string }[];
}

const style = (plate: string) => `:root{color-scheme:light dark}
body{margin:0;padding:0;background:#f6f5f1;color:#1b1b18}
td{font-family:system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:16px;line-height:24px}
.box{max-width:520px}
.card{border-radius:14px;background:#fff}
.pad{padding:0 16px}
.in{padding:32px}
.plate{border-radius:9px;background:${plate};border:1.5px solid #fff;box-shadow:0 0 0 4px ${plate};color:#fff;padding:9px 12px;line-height:20px;font-size:15px;font-weight:bold}
.h{padding:28px 0 0}
h1{margin:0;font-size:22px;line-height:28px;font-weight:600;letter-spacing:-.02em;text-wrap:balance}
.p{padding:12px 0 0}
.p a{color:inherit}
.b{padding:32px 0 12px}
.btn{border-radius:9px;background:#1b1b18}
.btn a{display:block;padding:13px 24px;color:#fff;font-weight:bold;text-decoration:none}
.n{font-size:14px;line-height:20px;color:#65625a}
.u{font-size:12px;line-height:18px;padding:32px 0 0;color:#65625a}
.u a{color:#65625a;text-decoration:none;word-break:break-all}
.foot a{color:#65625a}
.foot{font-size:13px;line-height:20px;padding:8px 32px 0;color:#65625a}
.foot p{margin:12px 0 0}
@media(prefers-color-scheme:dark){body,.bg{background:#121311!important}.card{background:#1a1b19!important;border:1px solid #34362f}.p,h1{color:#f0efea!important}.plate{border-color:#dfeee7}.btn{background:#f0efea!important}.btn a,.btn font{color:#1b1b18!important}.n,.u,.u a,.foot,.foot a{color:#a6a59c!important}}
@media(max-width:560px){.in{padding:24px 20px}.foot{padding:4px 20px 0}}`;

const TABLE = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

/** The HTML has no pictures and stays readable without the styles. */
export function renderMail(parts: MailParts, t: Translator): string {
  return `<!doctype html>
<html lang="${t.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${html`${parts.subject}`.toString()}</title>
<style>
${style(parts.color)}
</style>
</head>
${renderBody(parts, t).toString()}
</html>
`;
}

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
                    <td class="in">${renderPlate(parts)} ${renderText(parts, t)}</td>
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
      <td width="4"></td>
      <td class="plate" bgcolor="${color}">
        <font color="#ffffff">&#8226;&nbsp;&nbsp;${plate}&nbsp;&nbsp;&#8226;</font>
      </td>
    </tr>
  </table>`;
}

function renderText({ subject, intro, action, note, outro }: MailParts, t: Translator): Html {
  const paragraph = (line: string) =>
    html`<tr>
      <td class="p">${/^https?:\S+$/.test(line) ? html`<a href="${line}">${line}</a>` : line}</td>
    </tr>`;
  const button =
    action &&
    html`<tr>
      <td class="b">
        <table ${TABLE}>
          <tr>
            <td class="btn" bgcolor="#1b1b18">
              <a href="${action.link}"><font color="#ffffff">${action.label}</font></a>
            </td>
          </tr>
        </table>
      </td>
    </tr>`;
  const small =
    note !== undefined &&
    html`<tr>
      <td class="n">${note}</td>
    </tr>`;
  const link =
    action &&
    html`<tr>
      <td class="u">
        ${t('Button does not work?')}<br /><a href="${action.link}">${action.link}</a>
      </td>
    </tr>`;
  return html`<table width="100%" ${TABLE}>
    <tr>
      <td class="h"><h1>${subject}</h1></td>
    </tr>
    ${intro.map(paragraph)} ${button} ${small} ${outro.map(paragraph)} ${link}
  </table>`;
}

function renderFooter({ footer, about, links }: MailParts): Html {
  return html`<tr>
    <td class="foot">
      <p>${footer.join(' ')}</p>
      ${about !== undefined && html`<p>${about}</p>`}
      ${
        links.length > 0 &&
        html`<p>${links.map(({ label, url }) => html`<a href="${url}">${label}</a>&nbsp; `)}</p>`
      }
    </td>
  </tr>`;
}
