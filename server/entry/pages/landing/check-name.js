// Shows the name on the phones while the visitor types, and checks it soon after.
const field = document.querySelector('#name');
const button = document.querySelector('.claim button');
const stage = document.querySelector('.stage');
let timer;
let latestRequest = 0;
field.addEventListener('input', () => {
  document.querySelector('form.mail')?.remove();
  showName();
  clearTimeout(timer);
  timer = setTimeout(() => void checkName(), 300);
});
function showName() {
  const words = field.value.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const handle = `@${words.join('-')}`;
  const title = words.map((word) => word[0].toUpperCase() + word.slice(1)).join(' ');
  const initials = words.slice(0, 2).map((word) => word[0].toUpperCase());
  const texts = { '.title': title, '.handle': handle, '.initials': initials.join('') };
  const isTyped = words.length > 0;
  if (isTyped)
    for (const [selector, text] of Object.entries(texts))
      for (const element of stage.querySelectorAll(selector)) element.textContent = text;
  stage.classList.toggle('typed', isTyped);
  button.className = 'primary';
}
async function checkName() {
  const request = (latestRequest += 1);
  const response = await fetch(`?name=${encodeURIComponent(field.value)}`).catch(() => undefined);
  const text = await response?.text();
  if (request !== latestRequest || !text) return;
  // Without the head, because the CSP of this page does not allow the style of the other one.
  const body = text.slice(text.indexOf('<body'));
  const page = new DOMParser().parseFromString(body, 'text/html');
  for (const selector of ['#state', '#sign-on']) {
    const element = page.querySelector(selector);
    if (element) document.querySelector(selector).replaceChildren(...element.childNodes);
  }
  stage.querySelector('.plate').className = page.querySelector('.plate').className;
  const isInvalid = page.querySelector('#name')?.hasAttribute('aria-invalid') ?? false;
  field.toggleAttribute('aria-invalid', isInvalid);
  if (isInvalid) field.setAttribute('aria-invalid', 'true');
}
