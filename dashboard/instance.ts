import { computed, effect, signal } from '@preact/signals';
import { DEFAULT_INSTANCE_NAME } from '#contract/shared/instance.ts';
import { displayName } from './display-name.ts';
import { facts } from './facts.ts';
import { actingFor } from './router.ts';

export const instance = signal(facts.instance);

export const instanceName = computed(() => instance.value.name ?? DEFAULT_INSTANCE_NAME);

/** Title of the screen, without the name of the installation. */
export const screenTitle = signal('');

effect(() => {
  const account = actingFor === undefined ? '' : ` · @${displayName.value ?? ''}`;
  if (screenTitle.value) document.title = `${screenTitle.value}${account} · ${instanceName.value}`;
});
