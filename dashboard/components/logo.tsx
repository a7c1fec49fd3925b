export function Logo() {
  return (
    <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
      <rect width="30" height="20" rx="4.5" fill="#0f6a4c" />
      <rect x="2" y="2" width="26" height="16" rx="2.8" fill="none" stroke="#ffffffcc" />
      <path
        d="M5.6 10h.01M24.4 10h.01M10.5 10h9"
        stroke="#fff"
        stroke-width="2.4"
        stroke-linecap="round"
      />
    </svg>
  );
}
