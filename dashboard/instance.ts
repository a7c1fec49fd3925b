import { computed, effect, signal } from '@preact/signals';
import { DEFAULT_INSTANCE_NAME } from '#contract/shared/instance.ts';
import { facts } from './facts.ts';

export const instance = signal(facts.instance);

export const instanceName = computed(() => instance.value.name ?? DEFAULT_INSTANCE_NAME);

/** Title of the screen, without the name of the installation. */
export const screenTitle = signal('');

effect(() => {
  if (screenTitle.value) document.title = `${screenTitle.value} · ${instanceName.value}`;
});
