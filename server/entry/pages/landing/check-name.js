// Checks the name while the visitor types, and updates the parts of the page that depend on it.
const field = document.querySelector('#name');
let timer;
let latestRequest = 0;
field.addEventListener('input', () => {
  document.querySelector('form.mail')?.remove();
  clearTimeout(timer);
  timer = setTimeout(() => void checkName(), 300);
});
async function checkName() {
  const request = (latestRequest += 1);
  const response = await fetch(`?name=${encodeURIComponent(field.value)}`).catch(() => undefined);
  const text = await response?.text();
  if (request !== latestRequest || !text) return;
  // Without the head, because the CSP of this page does not allow the style of the other one.
  const body = text.slice(text.indexOf('<body'));
  const page = new DOMParser().parseFromString(body, 'text/html');
  for (const selector of ['#state', '.wall', '#sign-on']) {
    const element = page.querySelector(selector);
    if (element) document.querySelector(selector).replaceChildren(...element.childNodes);
  }
  const isInvalid = page.querySelector('#name')?.hasAttribute('aria-invalid') ?? false;
  field.toggleAttribute('aria-invalid', isInvalid);
  if (isInvalid) field.setAttribute('aria-invalid', 'true');
}
