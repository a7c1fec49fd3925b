import { contract } from '#contract/index.ts';
import { type Html, html } from '#page/html/html.ts';
import { hostOf } from '#server/entry/pages/shell/page.ts';

const PLACEHOLDER = 'np_your.key';
const PATH = contract.account.getDisplayName.path;

/** For pages without the first call: their operations can be run, too. */
export function renderKeyField(origin: string): Html {
  return html`<div class="card key-field">${renderKeyInput(origin)}</div>`;
}

function renderKeyInput(origin: string): Html {
  return html`<div class="field">
    <label for="key">Your key</label>
    <input
      id="key"
      placeholder="${PLACEHOLDER}"
      pattern="np_[A-Za-z0-9]+[.][A-Za-z0-9_]+"
      title="A key looks like np_your.key."
      required
      maxlength="200"
      autocomplete="off"
      autocapitalize="none"
      spellcheck="false"
      aria-describedby="key-hint"
    />
    <p class="hint" id="key-hint">
      Stays in this tab until you close it, and goes only to ${hostOf(origin)}.
    </p>
  </div>`;
}

/** A call with the visitor's own key, which `reference.js` makes. */
export function renderFirstCall(origin: string): Html {
  return html`<form id="first-call" class="card first-call columns" data-path="${PATH}">
    <div>
      <h2>Your first call</h2>
      <p class="muted">Asks for your display name. Run it here or in a terminal.</p>
      ${renderKeyInput(origin)}
      <p class="actions">
        <button class="primary">Run it</button>
        <a class="button" href="/dashboard/keys">Create a key</a>
      </p>
    </div>
    <div class="samples">
      <div class="pane">
        <p class="row tabs">Request <button type="button" class="copy" hidden>Copy</button></p>
        <pre
          tabindex="0"
        ><code>${`curl \\\n  ${origin}${PATH} \\\n  --header `}<i>"X-API-KEY: <span id="shown-key">${PLACEHOLDER}</span>"</i></code></pre>
      </div>
      <div class="pane" role="status">
        <p class="row tabs">Response <span id="status"></span></p>
        <pre id="response"></pre>
        <pre data-when="empty invalid ready">
${'{\n  "display_name": '}<i>"jane-doe"</i>${'\n}'}</pre>
        <p data-when="empty">An example. Paste your key to see your own.</p>
        <p data-when="invalid" hidden>This is not a whole key. A key looks like np_your.key.</p>
        <p data-when="ready" hidden>Ready. Run it here, or copy the line into a terminal.</p>
        <p data-when="busy" hidden>One moment …</p>
        <p data-when="answered" hidden>
          It works. Put the key into <code>NAMEPLATE_API_KEY</code>, and the examples below run,
          with ids and files of your own.
        </p>
        <p data-when="refused" hidden>Refused. The response says why.</p>
        <p data-when="unreachable" hidden>No response. Check your connection, then try again.</p>
      </div>
    </div>
  </form>`;
}
