import { logoPath } from '#contract/shared/instance.ts';
import { instance } from '../instance.ts';

export function Logo() {
  const { logo_id, dark_logo_id } = instance.value;
  const light = logo_id ?? dark_logo_id;
  return light ? (
    <LogoPicture light={logoPath(light)} dark={dark_logo_id && logoPath(dark_logo_id)} />
  ) : (
    <DefaultLogo />
  );
}

/** Follows the color scheme of the dashboard, which may differ from that of the system. */
function LogoPicture({ light, dark }: { light: string; dark: string | null }) {
  return (
    <>
      <img class={dark ? 'only-light' : undefined} src={light} height="28" alt="" />
      {dark && <img class="only-dark" src={dark} height="28" alt="" />}
    </>
  );
}

export function DefaultLogo() {
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
