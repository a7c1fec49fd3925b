// Makes the first call with the pasted key, which stays in the field and in request headers, and
// copies commands.
const form = document.querySelector('#first-call');
const field = document.querySelector('#key');
const shownKey = document.querySelector('#shown-key');
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
  shownKey.textContent = isKey ? `${field.value.split('.')[0]}.…` : field.placeholder;
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

if (form) {
  field.addEventListener('input', update);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void call();
  });
  // Browsers may restore the text of the field when the user comes back to the page.
  update();
}

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => void copy(button));
}

async function copy(button) {
  const texts = button.closest('.pane').querySelectorAll('code');
  const code = [...texts].find((element) => element.checkVisibility());
  const key = code.contains(shownKey) && field.validity.valid ? field.value : undefined;
  const text = code.textContent;
  await navigator.clipboard.writeText(key ? text.replace(shownKey.textContent, key) : text);
  button.textContent = 'Copied';
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

for (const button of document.querySelectorAll('.all')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    button.closest('.pane').classList.add('whole');
    button.remove();
  });
}

const filters = [...document.querySelectorAll('.filter')];

/** Finds entries by their label and by the text of the operation or error that they lead to. */
function filterContents({ target }) {
  const words = target.value.toLowerCase().split(/\s+/);
  for (const link of target.parentElement.querySelectorAll('[href^="#"]')) {
    const entry = document.getElementById(link.hash.slice(1)).closest('details');
    const heading = entry?.closest('.codes') ? entry : entry?.firstElementChild;
    const text = `${link.textContent} ${heading?.textContent}`.toLowerCase();
    link.parentElement.hidden = !words.every((word) => text.includes(word));
  }
}
for (const filter of filters) {
  filter.hidden = false;
  filter.addEventListener('input', filterContents);
}
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea')) return;
  const filter = filters.find((element) => element.checkVisibility());
  if (filter) event.preventDefault();
  filter?.focus();
});

// Marks the entry of the open operation in view, or else of the part at the top.
const contents = document.querySelector('nav.contents');
const entries = [...contents.querySelectorAll('[href^="#"]')].map((link) => {
  const target = document.getElementById(link.hash.slice(1));
  return { link, target: target.closest('details') ?? target };
});
function markCurrent() {
  const edge = innerHeight / 4;
  const boxOf = ({ target }) => target.getBoundingClientRect();
  const isRead = (entry) =>
    entry.target.open && boxOf(entry).top < innerHeight && boxOf(entry).bottom > edge;
  const current =
    entries.find(isRead) ?? entries.findLast((entry) => boxOf(entry).top < edge) ?? entries[0];
  if (current.link.ariaCurrent) return;
  for (const { link } of entries) link.ariaCurrent = link === current.link ? 'location' : null;
  const { top, bottom } = current.link.getBoundingClientRect();
  const isOutside = top < 0 || bottom > innerHeight;
  if (isOutside && !contents.matches(':hover')) contents.scrollTop += top - innerHeight / 2;
}
addEventListener('scroll', markCurrent, { passive: true });
markCurrent();

// Opening an operation closes the one above it, which moves the rest of the page up.
function showSummary({ target, newState }) {
  const covered = Number.parseFloat(getComputedStyle(target).scrollMarginTop);
  if (newState === 'open' && target.getBoundingClientRect().top < covered) target.scrollIntoView();
  markCurrent();
}
for (const details of document.querySelectorAll('[name="operation"]'))
  details.addEventListener('toggle', showSummary);
