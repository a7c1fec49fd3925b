import { signal, useSignal, useSignalEffect } from '@preact/signals';
import {
  type Device,
  PostedPreview,
  prefersScheme,
  PreviewHead,
} from '#dashboard/components/posted-preview.tsx';
import '#dashboard/components/posted-preview.css';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { t } from '#dashboard/translate.ts';
import type { Instance } from './instance-draft.ts';

const view = { device: signal<Device>('desktop'), scheme: signal(prefersScheme()) };

export function FrontPagePreview({ changes }: { changes: Partial<Instance> }) {
  const json = useDebounced(JSON.stringify(changes));
  const content = useSignal<Document | undefined>(undefined);
  useSignalEffect(() => {
    if (content.value) content.value.documentElement.dataset['scheme'] = view.scheme.value;
  });
  const show = ({ contentDocument, contentWindow }: HTMLIFrameElement) => {
    if (!contentDocument?.querySelector('.front')) return false;
    contentWindow!.scrollTo(0, content.peek()?.defaultView?.scrollY ?? 0);
    content.value = contentDocument;
    return true;
  };
  return (
    <section class="preview" aria-label={t('Preview')}>
      <PreviewHead {...view} />
      <PostedPreview
        action="/dashboard/front-page"
        field="instance"
        json={json}
        title={t('Preview of the front page')}
        device={view.device.value}
        show={show}
      />
    </section>
  );
}
