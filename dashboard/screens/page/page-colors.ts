import { owner } from '#dashboard/api/api.ts';
import { useAsync } from '#dashboard/components/use-async.ts';
import { useDebounced } from '#dashboard/components/use-debounced.ts';
import { draft } from './current-draft.ts';
import { toRequest } from './site.ts';

/** Colors of the draft's design, also as CSS variables for drawings. Undefined until loaded. */
export function usePageColors() {
  const request = useDebounced(JSON.stringify(designRequest()));
  const preview = useAsync(
    () => owner.page.previewPage(JSON.parse(request) as ReturnType<typeof designRequest>),
    [request],
    { keepsOldValue: true },
  );
  const colors = preview.failure ? undefined : preview.value?.colors;
  const style =
    colors &&
    Object.fromEntries(
      Object.entries(colors.light).map(([name, light]) => [
        `--page-${name.replace('_color', '')}`,
        `light-dark(${light}, ${colors.dark[name as keyof typeof colors.dark]})`,
      ]),
    );
  return { colors, style };
}

export type DraftColors = NonNullable<ReturnType<typeof usePageColors>['colors']>;

/** The current colors of the draft. */
export async function loadPageColors(): Promise<DraftColors> {
  return (await owner.page.previewPage(designRequest())).colors;
}

function designRequest() {
  const { theme_id, custom_theme, blocks } = toRequest({
    ...draft.savableSite.value!,
    // The page settings are one of the blocks in a request.
    blocks: [],
  });
  return { theme_id, custom_theme, blocks };
}
