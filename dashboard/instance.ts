import { computed, effect, signal } from '@preact/signals';
import { DEFAULT_INSTANCE_NAME } from '#contract/shared/instance.ts';

/** Facts about this installation, which the server writes into the document. */
export interface PublicInstance {
  name: string | null;
  logo_id: string | null;
  dark_logo_id: string | null;
  contact: string | null;
  imprint_url: string | null;
  privacy_url: string | null;
  terms_url: string | null;
}

const { instance: json = '{}' } = document.getElementById('app')!.dataset;

export const instance = signal(JSON.parse(json) as PublicInstance);

export const instanceName = computed(() => instance.value.name ?? DEFAULT_INSTANCE_NAME);

/** Title of the screen, without the name of the installation. */
export const screenTitle = signal('');

effect(() => {
  if (screenTitle.value) document.title = `${screenTitle.value} · ${instanceName.value}`;
});
