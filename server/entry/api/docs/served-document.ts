import type { Core } from '#server/core.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';

/** Renders the document again when the name or logo of the instance has changed. */
export async function createDocumentProvider(
  loading: Promise<OpenApiDocument>,
  { instanceStore, origin }: Pick<Core, 'instanceStore' | 'origin'>,
): Promise<() => Buffer> {
  const document = await loading;
  const [{ url: defaultUrl }] = document.servers as [{ url: string }];
  const servers = [{ ...document.servers[0], description: 'This server' }];
  let rendered: { version: number; text: Buffer } | undefined;
  return () => {
    const { version, current } = instanceStore;
    if (rendered?.version === version) return rendered.text;
    const contact = { name: current.name ?? document.info.contact.name };
    const info = { ...document.info, contact };
    const text = JSON.stringify({ ...document, info, servers }, null, 1);
    // A buffer, because a string would be copied for each response.
    rendered = { version, text: Buffer.from(`${text.replaceAll(defaultUrl, origin())}\n`) };
    return rendered.text;
  };
}
