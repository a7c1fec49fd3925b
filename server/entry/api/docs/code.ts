import { type Html, html, type TemplateValue } from '#page/html.ts';

/** Strings, and the other values of objects and lists. */
const TOKENS =
  /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|(?<=[ :] )(?:true|false|null|-?[\d.]+)(?=,|$))/gm;

function highlight(source: string): TemplateValue {
  return source.split(TOKENS).map((text, index, all) => {
    const isKey = all[index + 1]?.startsWith(':');
    if (index % 2 === 0 || isKey) return text;
    return /^["']/.test(text) ? html`<i>${text}</i>` : html`<b>${text}</b>`;
  });
}

/** One of several texts, chosen by radio buttons, so that it works without a script. */
export function renderTabs(
  { name, title }: { name: string; title: string },
  tabs: readonly { label: string; source: string }[],
): Html {
  return html`<div class="pane" role="group" aria-label="${title}">
    <p class="row tabs">
      ${tabs.map(
        ({ label }, index) =>
          html`<label
            ><input type="radio" name="${name}" ${index === 0 && html` checked`} />${label}</label
          >`,
      )}
      <button type="button" class="copy" hidden>Copy</button>
    </p>
    ${tabs.map(({ source }) => html`<pre tabindex="0"><code>${highlight(source)}</code></pre>`)}
  </div>`;
}
