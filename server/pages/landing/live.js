// Asks for the state of a name while it is typed, and shows the part of the answer that is about it.
const field = document.querySelector('#name');
let waiting;
let newest = 0;
field.addEventListener('input', () => {
  document.querySelector('.mail')?.remove();
  clearTimeout(waiting);
  waiting = setTimeout(() => void show(), 300);
});
async function show() {
  const asked = (newest += 1);
  const response = await fetch(`?name=${encodeURIComponent(field.value)}`).catch(() => undefined);
  const text = await response?.text();
  if (asked !== newest || !text) return;
  const answer = new DOMParser().parseFromString(text, 'text/html');
  for (const part of ['#state', '.wall']) {
    const found = answer.querySelector(part);
    if (found) document.querySelector(part).replaceChildren(...found.childNodes);
  }
  const isWrong = answer.querySelector('#name')?.hasAttribute('aria-invalid') ?? false;
  field.toggleAttribute('aria-invalid', isWrong);
  if (isWrong) field.setAttribute('aria-invalid', 'true');
}
