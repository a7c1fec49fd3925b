import type { Signal } from '@preact/signals';
import { t } from '../translate.ts';
import { BoundField } from './field.tsx';

export const EMAIL_FIELD = {
  type: 'email',
  name: 'email',
  label: t('Email address'),
  autocomplete: 'email',
  spellcheck: false,
  placeholder: t('jane@example.com'),
} as const;

export function EmailField({ signal, hint }: { signal: Signal<string>; hint: string }) {
  return <BoundField {...EMAIL_FIELD} signal={signal} hint={hint} />;
}
