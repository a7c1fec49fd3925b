import { instanceLinks } from '#contract/instance.ts';
import { plateColors } from '#contract/plate-colors.ts';
import type { InstanceRow } from '#db/queries/instance.ts';
import { html } from '#page/html.ts';
import type { Translator } from '#translations/translator.ts';

export interface Mail {
  /** Display name of the sender. */
  from?: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
  replyTo?: { name: string; address: string };
}

export interface MailContent {
  to: string;
  /** The visitor who wrote the mail. Such mails are plain text. */
  replyTo?: { name: string; address: string };
  host: string;
  subject: string;
  intro: readonly string[];
  action?: { label: string; link: string };
  outro?: readonly string[];
  /** Says why the recipient gets this mail. */
  footer?: string;
}

const PLATE_COLOR = '#0f6a4c';

const style = (plate: string) => `:root{color-scheme:light dark}
body{margin:0;padding:0;background:#f6f5f1;color:#1b1b18}
td{font-family:-apple-system,"Segoe UI",Roboto,Arial,sans-serif;font-size:16px;line-height:24px}
.box{max-width:520px}
.card{border-radius:14px;background:#fff}
.pad{padding:0 16px}
.in{padding:32px}
.plate{border-radius:9px;background:${plate};border:1.5px solid #fff;box-shadow:0 0 0 4px ${plate};color:#fff;padding:9px 12px;line-height:20px;font-size:15px;font-weight:bold}
.p{padding:20px 0 0}
.b{padding:24px 0 4px}
.btn{border-radius:9px;background:#1b1b18}
.btn a{display:block;padding:13px 24px;color:#fff;font-weight:bold;text-decoration:none}
.u{font-size:13px;line-height:20px;padding:20px 0 0;color:#65625a}
.u a{color:#0c6a4b;word-break:break-all}
.foot a{color:#65625a}
.foot{font-size:13px;line-height:20px;padding:20px 32px 0;color:#65625a}
@media(prefers-color-scheme:dark){body,.bg{background:#121311!important}.card{background:#1a1b19!important}.p{color:#f0efea!important}.plate{border-color:#dfeee7}.btn{background:#f0efea!important}.btn a,.btn font{color:#1b1b18!important}.u,.foot,.foot a{color:#a6a59c!important}.u a{color:#62d3a3!important}}
@media(max-width:560px){.in{padding:24px 20px}.foot{padding:16px 20px 0}}`;

/** The HTML part has no pictures and stays readable without the styles. */
export function composeMail(content: MailContent, instance: InstanceRow, t: Translator): Mail {
  const { to, replyTo, host, subject, intro, action, outro = [] } = content;
  const footer =
    content.footer ?? t('Sent by {host} because someone entered this address.', { host });
  const passwordNote = t('We never ask for a password or a key by mail.');
  const { name } = instance;
  const about = [name, instance.line].filter((part) => part !== null).join(': ') || undefined;
  const links = instanceLinks(instance, t);
  const color = instance.color === null ? PLATE_COLOR : plateColors(instance.color).top;
  const text = [
    ...intro,
    ...(action ? [action.link] : []),
    ...outro,
    [
      `-- \n${footer}\n${passwordNote}`,
      ...(about === undefined ? [] : [about]),
      ...links.map(({ label, url }) => `${label}: ${url.replace('mailto:', '')}`),
    ].join('\n'),
  ];
  const plainMail = {
    ...(name !== null && { from: name }),
    to,
    subject,
    text: `${text.join('\n\n')}\n`,
  };
  if (replyTo) return { ...plainMail, replyTo };
  const paragraph = (line: string) =>
    html`<tr>
      <td class="p">${line}</td>
    </tr>`;
  const tableAttributes = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;
  const body = html`<body bgcolor="#f6f5f1">
    <table class="bg" width="100%" bgcolor="#f6f5f1" ${tableAttributes}>
      <tr>
        <td class="pad" align="center">
          <table class="box" width="100%" ${tableAttributes}>
            <tr>
              <td height="32">&nbsp;</td>
            </tr>
            <tr>
              <td class="card" bgcolor="#ffffff">
                <table width="100%" ${tableAttributes}>
                  <tr>
                    <td class="in">
                      <table ${tableAttributes}>
                        <tr>
                          <td width="4"></td>
                          <td class="plate" bgcolor="${color}">
                            <font color="#ffffff"
                              >&#8226;&nbsp;&nbsp;${name ?? host}&nbsp;&nbsp;&#8226;</font
                            >
                          </td>
                        </tr>
                      </table>
                      <table width="100%" ${tableAttributes}>
                        ${intro.map(paragraph)}
                        ${
                          action &&
                          html`<tr>
                            <td class="b">
                              <table ${tableAttributes}>
                                <tr>
                                  <td class="btn" bgcolor="#1b1b18">
                                    <a href="${action.link}"
                                      ><font color="#ffffff">${action.label}</font></a
                                    >
                                  </td>
                                </tr>
                              </table>
                            </td>
                          </tr>`
                        }
                        ${outro.map(paragraph)}
                        ${
                          action &&
                          html`<tr>
                            <td class="u">
                              ${t('If the button does not work, copy this link:')}<br /><a
                                href="${action.link}"
                                >${action.link}</a
                              >
                            </td>
                          </tr>`
                        }
                      </table>
                    </td>
                  </tr>
                </table>
              </td>
            </tr>
            <tr>
              <td class="foot">
                ${footer} ${passwordNote}${about !== undefined && html`<br />${about}`}
                ${
                  links.length > 0 &&
                  html`<br />${links.map(({ label, url }) => html`<a href="${url}">${label}</a>&nbsp; `)}`
                }
              </td>
            </tr>
            <tr>
              <td height="32">&nbsp;</td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>`;
  return {
    ...plainMail,
    html: `<!doctype html>
<html lang="${t.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${html`${subject}`.toString()}</title>
<style>
${style(color)}
</style>
</head>
${body.toString()}
</html>
`,
  };
}
