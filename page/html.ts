import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Text that is HTML: what was escaped when it was put in, or named raw. */
export type Html = HtmlEscapedString;

/** Values that a template takes: texts are escaped, fragments are not, lists are joined, nothing is nothing. */
export type TemplateValue = Html | string | number | undefined | false | readonly TemplateValue[];

const unindentedTemplates = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** A fragment of HTML, without the indentation of its template; what is put in stays as it is. */
export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  let parts = unindentedTemplates.get(strings);
  if (!parts) {
    const texts = strings.map((text) => text.replace(/\s*\n\s*/g, '\n'));
    parts = Object.assign(texts, { raw: texts });
    unindentedTemplates.set(strings, parts);
  }
  // Without promises among the values there is none in the result.
  return template(parts, ...values) as Html;
}

/** Takes a text for HTML as it is: only for what was made by a renderer or a literal of ours. */
export const trusted = (text: string): Html => raw(text) as Html;
