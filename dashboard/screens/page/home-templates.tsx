import { useEffect } from 'preact/hooks';
import { AsyncContent } from '#dashboard/components/async-content.tsx';
import { useAsync } from '#dashboard/components/use-async.ts';
import { navigate } from '#dashboard/router.ts';
import { addBlock, draftBlocks, hasRoom } from './block-actions.ts';
import { draft, loadDraft } from './current-draft.ts';
import { TemplateGallery } from './template-dialog.tsx';
import { startThumbnails } from './thumbnail.tsx';

export function HomeTemplates() {
  const loaded = useAsync(loadDraft);
  useEffect(startThumbnails, []);
  return (
    <AsyncContent state={loaded}>
      {() => <TemplateGallery onChosen={() => navigate('page')} />}
    </AsyncContent>
  );
}

/** Opens the editor with the form of a new link. */
export async function addLinkAndEdit(): Promise<void> {
  await draft.load();
  if (!hasRoom()) return;
  addBlock('link', draftBlocks.peek().length);
  navigate('page?link');
}
