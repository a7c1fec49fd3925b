import { html as template, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** HTML that is safe to output, because templates escape their values. */
export type Html = HtmlEscapedString;

/** Strings are escaped, HTML is not. Arrays are joined. Undefined and false render nothing. */
export type TemplateValue = Html | string | number | undefined | false | readonly TemplateValue[];

const compactTemplates = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** Drops the indentation of the template, and the line breaks in its tags. */
export function html(strings: TemplateStringsArray, ...values: TemplateValue[]): Html {
  let compact = compactTemplates.get(strings);
  if (!compact) {
    const texts = strings.map((text) =>
      text
        .replace(/\s*\n\s*/g, '\n')
        .replace(/\n(\/?>)/g, '$1')
        .replace(/\n(?=[^<>]*>)/g, ' '),
    );
    compact = Object.assign(texts, { raw: texts });
    compactTemplates.set(strings, compact);
  }
  // hono returns a promise only if a value is a promise, which `TemplateValue` excludes.
  return template(compact, ...values) as Html;
}

/** Marks text as HTML without escaping it. Only for literals and the output of our renderers. */
export const trusted = (text: string): Html => raw(text) as Html;
