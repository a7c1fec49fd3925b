// Sends requests with the pasted key, which stays in this tab and in request headers, and copies
// commands.
const form = document.querySelector('#first-call');
const field = document.querySelector('#key');
const shownKey = document.querySelector('#shown-key');
const tabStorage = openTabStorage();
let latestRequest = 0;

function openTabStorage() {
  try {
    return sessionStorage;
  } catch {
    // Blocked in the settings of the browser.
    return {};
  }
}

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
  if (isKey) tabStorage.apiKey = field.value;
  else delete tabStorage.apiKey;
  if (!form) return;
  shownKey.textContent = isKey ? `${field.value.split('.')[0]}.…` : field.placeholder;
  show(isKey ? 'ready' : field.value === '' ? 'empty' : 'invalid');
}

async function call() {
  const request = (latestRequest += 1);
  show('busy');
  try {
    const { ok, status, text } = await send(form.dataset.path);
    if (request === latestRequest) show(ok ? 'answered' : 'refused', { status, text });
  } catch {
    if (request === latestRequest) show('unreachable');
  }
}

async function send(path, { method = 'GET', content = {}, type, isPublic = false } = {}) {
  const startedAt = performance.now();
  const response = await fetch(path, {
    method,
    headers: {
      ...(!isPublic && { 'X-API-KEY': field.value }),
      ...(type && { 'Content-Type': type }),
    },
    ...content,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(20_000),
  });
  const isFile = response.ok && response.headers.has('content-disposition');
  const text = isFile ? 'The response is a file.' : indent(await response.text());
  const code = response.headers.get('x-error-code');
  const time = `${Math.round(performance.now() - startedAt)} ms`;
  const status = [response.status, code, time].filter(Boolean).join(' · ');
  return { ok: response.ok, status, text };
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.slice(0, 2_000);
  }
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void call();
});
if (field) {
  field.addEventListener('input', update);
  // Browsers may restore the text of the field when the user comes back to the page.
  field.value ||= tabStorage.apiKey ?? '';
  update();
}

// Each operation with samples can be run. Its fields appear first, so that everybody sees what is
// sent, and examples change nothing by accident.
for (const samples of document.querySelectorAll('[data-method]')) {
  const button = document.createElement('button');
  button.className = 'run';
  button.textContent = 'Run';
  button.addEventListener('click', () => button.replaceWith(createRunner(samples.dataset)));
  samples.prepend(button);
}

function createRunner({ method, path, query, names, body, types, public: isPublic }) {
  const runner = document.createElement('form');
  runner.className = 'runner';
  const search = addInput(runner, 'Query', query, document.createElement('input'));
  if (search) search.placeholder = names;
  const json = addInput(runner, 'Body', body, document.createElement('textarea'));
  const upload = addInput(runner, 'File', types, createFileInput());
  const button = document.createElement('button');
  button.className = 'primary';
  button.textContent = method === 'GET' ? 'Send' : 'Send – this changes your account';
  const output = document.createElement('pre');
  output.role = 'status';
  output.hidden = true;
  runner.append(button, output);
  runner.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isPublic !== undefined || field.reportValidity()) void run();
  });
  async function run() {
    output.hidden = false;
    output.textContent = 'One moment …';
    const url = search?.value ? `${path}?${search.value}` : path;
    const file = upload?.files[0];
    const sent = file ?? json?.value;
    const type = json ? 'application/json' : file?.type || types?.split(',').at(-1);
    const content = sent !== undefined && { body: sent };
    const options = { method, content, type, isPublic: isPublic !== undefined };
    output.textContent = await send(url, options).then(
      ({ status, text }) => `${status}\n${text}`,
      () => 'No response. Check your connection, then try again.',
    );
  }
  return runner;
}

function createFileInput() {
  return Object.assign(document.createElement('input'), { type: 'file', required: true });
}

/** Without a value, the operation has no such field. */
function addInput(runner, name, value, input) {
  if (value === undefined) return undefined;
  const label = document.createElement('label');
  input[input.type === 'file' ? 'accept' : 'value'] = value;
  input.spellcheck = false;
  if (input.rows) input.rows = Math.min(value.split('\n').length, 12);
  label.append(name, input);
  runner.append(label);
  return input;
}

for (const button of document.querySelectorAll('.copy')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => void copy(button));
}

async function copy(button) {
  const texts = button.closest('.pane').querySelectorAll('code');
  const code = [...texts].find((element) => element.checkVisibility());
  const key = shownKey && code.contains(shownKey) && field.validity.valid ? field.value : undefined;
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

/** Finds entries by their label and by the texts, fields and codes of what they lead to. */
function filterContents({ target }) {
  const words = target.value.toLowerCase().split(/\s+/);
  const list = target.parentElement;
  for (const link of list.querySelectorAll('[href^="#"]')) {
    const entry = document.getElementById(link.hash.slice(1)).closest('details');
    const text = `${link.textContent} ${entry?.dataset.words ?? ''} ${entry?.textContent ?? ''}`;
    const isFound = words.every((word) => text.toLowerCase().includes(word));
    link.parentElement.hidden = !isFound;
  }
  const isEmpty = !list.querySelector('li:not([hidden]) > [href^="#"]');
  list.querySelector('.none').hidden = !isEmpty;
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
for (const details of document.querySelectorAll('[name^="operation"]'))
  details.addEventListener('toggle', showSummary);

// There is room for the first operation of each group.
if (matchMedia('(min-width: 70rem)').matches && !location.hash)
  for (const first of document.querySelectorAll(
    'section > details:nth-child(1 of .operation):has(.columns)',
  ))
    first.open = true;
