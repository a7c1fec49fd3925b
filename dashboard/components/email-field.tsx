import type { Signal } from '@preact/signals';
import { t } from '../translate.ts';
import { BoundField } from './field.tsx';

export function EmailField({ signal, hint }: { signal: Signal<string>; hint: string }) {
  return (
    <BoundField
      signal={signal}
      type="email"
      name="email"
      label={t('Email address')}
      autocomplete="email"
      spellcheck={false}
      placeholder={t('jane@example.com')}
      hint={hint}
    />
  );
}
