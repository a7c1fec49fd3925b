import type { Core } from '#server/core.ts';
import { DEFAULT_WEBHOOK_HOSTS, webhookHostsOf } from '#server/features/chat/chat-client.ts';
import type { OpenApiDocument } from '#server/platform/openapi-documents.ts';

const REFERENCE = /"#\/components\/(\w+)\/([\w.-]+)"/g;

/** Renders the document again when the name or logo of the instance has changed. */
export async function createDocumentProvider(
  loading: Promise<OpenApiDocument>,
  {
    config,
    instanceStore,
    origin,
    server,
  }: Pick<Core, 'config' | 'instanceStore' | 'origin' | 'server'>,
): Promise<() => Buffer> {
  const document = withoutPaths(await loading, server.pathsOff);
  const [{ url: defaultUrl }] = document.servers as [{ url: string }];
  const servers = [{ ...document.servers[0], description: 'This server' }];
  const hasOtherHosts = webhookHostsOf(config) !== DEFAULT_WEBHOOK_HOSTS;
  const replacer = hasOtherHosts ? withoutHosts : undefined;
  let rendered: { version: number; text: Buffer } | undefined;
  return () => {
    const { version, current } = instanceStore;
    if (rendered?.version === version) return rendered.text;
    const contact = { name: current.name ?? document.info.contact.name };
    const info = { ...document.info, contact };
    const text = JSON.stringify({ ...document, info, servers }, replacer, 2);
    // A buffer, because a string would be copied for each response.
    rendered = { version, text: Buffer.from(`${text.replaceAll(defaultUrl, origin())}\n`) };
    return rendered.text;
  };
}

/** The documented pattern names the hosts of Discord. */
function withoutHosts(name: string, value: object): object {
  return name === 'webhookUrl' ? { ...value, pattern: undefined } : value;
}

/** Also without the tags and components that only these paths use. */
function withoutPaths(
  { paths, tags, components, ...rest }: OpenApiDocument,
  pathsOff: ReadonlySet<string>,
): OpenApiDocument {
  const pathsOn = Object.entries(paths).filter(([path]) => !pathsOff.has(path));
  if (pathsOn.length === Object.keys(paths).length) return { paths, tags, components, ...rest };
  const areas = pathsOn.flatMap(([, methods]) => Object.values(methods).map((it) => it.tags[0]));
  const used = new Set<string>();
  const addUsed = (node: unknown): void => {
    for (const [, section, name] of JSON.stringify(node).matchAll(REFERENCE)) {
      const reference = `${section}/${name}`;
      if (used.has(reference)) continue;
      used.add(reference);
      addUsed(components[section!]![name!]);
    }
  };
  addUsed([pathsOn, rest]);
  const isUsed = (section: string, name: string) =>
    section === 'securitySchemes' || used.has(`${section}/${name}`);
  return {
    ...rest,
    tags: tags.filter(({ name }) => areas.includes(name)),
    paths: Object.fromEntries(pathsOn),
    components: Object.fromEntries(
      Object.entries(components).map(([section, named]) => [
        section,
        Object.fromEntries(Object.entries(named).filter(([name]) => isUsed(section, name))),
      ]),
    ),
  };
}
