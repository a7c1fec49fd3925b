// Makes the first call with the pasted key. The key stays in the input field and in request headers.
const form = document.querySelector('#call');
const field = document.querySelector('#key');
const placeholder = field.placeholder;
let shownKey = placeholder;
let latestRequest = 0;

function show(state, { status = '', text = '' } = {}) {
  for (const element of form.querySelectorAll('[data-when]'))
    element.hidden = !element.dataset.when.split(' ').includes(state);
  form.querySelector('#status').textContent = status;
  form.querySelector('#response').textContent = text;
}

function update() {
  latestRequest += 1;
  field.value = field.value.trim();
  const isKey = field.value !== '' && field.validity.valid;
  shownKey = isKey ? `${field.value.split('.')[0]}.…` : placeholder;
  for (const element of document.querySelectorAll('.shown-key')) element.textContent = shownKey;
  show(isKey ? 'ready' : field.value === '' ? 'empty' : 'invalid');
}

async function call() {
  const request = (latestRequest += 1);
  show('busy');
  const startedAt = performance.now();
  try {
    const response = await fetch(form.dataset.path, {
      headers: { 'X-API-KEY': field.value },
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    const status = `${response.status} · ${Math.round(performance.now() - startedAt)} ms`;
    if (request === latestRequest)
      show(response.ok ? 'answered' : 'refused', { status, text: indent(text) });
  } catch {
    if (request === latestRequest) show('unreachable');
  }
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.slice(0, 2_000);
  }
}

field.addEventListener('input', update);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void call();
});
for (const button of document.querySelectorAll('[data-copied]')) {
  const label = button.textContent;
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => void copyCommand(button, label));
}

async function copyCommand(button, label) {
  const command = button.parentElement.querySelector('code').textContent;
  const key = shownKey === placeholder ? placeholder : field.value;
  await navigator.clipboard.writeText(command.replaceAll(shownKey, key));
  button.textContent = button.dataset.copied;
  setTimeout(() => (button.textContent = label), 2_000);
}

form.querySelector('#run').hidden = false;
// Browsers may restore the text of the field when the user comes back to the page.
update();
