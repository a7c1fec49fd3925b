// Opens the operation that the address names, and copies samples.
function openTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.localName !== 'details') return;
  target.open = true;
  target.scrollIntoView();
}

addEventListener('hashchange', openTarget);
openTarget();

for (const button of document.querySelectorAll('.command button')) {
  button.hidden = !navigator.clipboard;
  button.addEventListener('click', () => {
    const code = button.closest('.command').querySelector('code').textContent;
    void navigator.clipboard.writeText(code).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2_000);
    });
  });
}
