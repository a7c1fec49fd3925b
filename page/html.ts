import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML that is safe to output, because templates escape their values. */
export type Html = HtmlEscapedString;

/** Strings are escaped, HTML is not. Arrays are joined. Undefined and false render nothing. */
export type TemplateValue = Html | string | number | undefined | false | readonly TemplateValue[];

const unindentedTemplates = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** Drops the indentation of the template. Values keep their whitespace. */
export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  let unindented = unindentedTemplates.get(strings);
  if (!unindented) {
    const texts = strings.map((text) => text.replace(/\s*\n\s*/g, '\n'));
    unindented = Object.assign(texts, { raw: texts });
    unindentedTemplates.set(strings, unindented);
  }
  // hono returns a promise only if a value is a promise, which `TemplateValue` excludes.
  return template(unindented, ...values) as Html;
}

/** Marks text as HTML without escaping it. Only for literals and the output of our renderers. */
export const trusted = (text: string): Html => raw(text) as Html;
