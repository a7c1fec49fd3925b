import type { Client, Tool } from '@modelcontextprotocol/client';

interface Property {
  type?: string | string[];
  format?: string;
  description?: string;
  $ref?: string;
  items?: { properties?: Record<string, Property & { enum?: string[] }> };
}

interface ObjectSchema {
  properties?: Record<string, Property>;
  required?: string[];
}

interface BlockField {
  type: string;
}

/**
 * Replaces a language model in tests. Picks the tool whose name and description have the most words in
 * common with a request, and fills in its arguments from the schemas. It knows no tools by name, and of
 * the field names only the endings `email` and `id`.
 */
export class KeywordAssistant {
  readonly #client: Client;
  readonly #tools: Tool[];

  private constructor(client: Client, tools: Tool[]) {
    this.#client = client;
    this.#tools = tools;
  }

  static async connect(client: Client): Promise<KeywordAssistant> {
    return new KeywordAssistant(client, (await client.listTools()).tools);
  }

  async answer(request: string): Promise<Record<string, unknown>> {
    const tool = this.#findTool(request);
    return this.#call(tool, await this.#fillArguments(tool, request));
  }

  /** Rare words score higher than frequent ones, and words in the name higher than in the description. */
  #findTool(request: string): Tool {
    const texts = this.#tools.map((tool) => ({
      tool,
      name: wordsOf(tool.name),
      title: wordsOf(tool.title ?? ''),
      description: wordsOf(tool.description ?? ''),
    }));
    const ranked = texts.map(({ tool, name, title, description }) => {
      const scores = [...wordsOf(withoutValues(request))].map((word) => {
        const matchingTools = texts.filter(
          (text) => text.name.has(word) || text.description.has(word),
        );
        const rarity = Math.log((1 + texts.length) / (1 + matchingTools.length));
        const weight =
          3 * Number(name.has(word)) + 2 * Number(title.has(word)) + Number(description.has(word));
        return weight * rarity;
      });
      return { tool, score: scores.reduce((sum, score) => sum + score, 0) };
    });
    return ranked.toSorted((a, b) => b.score - a.score)[0]!.tool;
  }

  async #fillArguments(tool: Tool, request: string): Promise<Record<string, unknown>> {
    const { properties = {}, required = [] } = tool.inputSchema as ObjectSchema;
    const entries = await Promise.all(
      Object.entries(properties).map(async ([name, property]) => [
        name,
        valueInRequest(name, property, request) ??
          (await this.#listWithNewItem(name, property, request)) ??
          (required.includes(name)
            ? ((await this.#lookUp(name)) ?? valueByType(property, request))
            : undefined),
      ]),
    );
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<
      string,
      unknown
    >;
  }

  /** If the request names a type of item, reads the list from another tool and adds such an item. */
  async #listWithNewItem(
    name: string,
    { items, description = '' }: Property,
    request: string,
  ): Promise<unknown> {
    const type = items?.properties?.['type']?.enum?.find((option) => wordsOf(request).has(option));
    const [uri] = /\w+:\/\/\w+/.exec(description) ?? [];
    if (type === undefined || uri === undefined) return undefined;
    const { contents } = await this.#client.readResource({ uri });
    const resource = JSON.parse((contents[0] as { text: string }).text) as Record<
      string,
      Record<string, { fields: Record<string, BlockField> }>
    >;
    const { fields } = resource[name]![type]!;
    const firstOfType = (fieldType: string) =>
      Object.keys(fields).find((field) => fields[field]!.type === fieldType)!;
    const [url] = /https?:\/\/\S+/.exec(request)!;
    const item = { type, [firstOfType('url')]: url, [firstOfType('text')]: quotedText(request) };
    return [...((await this.#lookUp(name)) as object[]), item];
  }

  /**
   * Reads the field from a read-only tool that needs no arguments. For `project_id`, returns the id of
   * the first entry in `projects`.
   */
  async #lookUp(name: string): Promise<unknown> {
    const [, noun] = /^(\w+?)_?id$/i.exec(name) ?? [];
    const field = noun === undefined ? name : `${noun}s`;
    const source = this.#tools.find(
      ({ annotations, inputSchema, outputSchema }) =>
        annotations?.readOnlyHint === true &&
        ((inputSchema as ObjectSchema).required ?? []).length === 0 &&
        ((outputSchema as ObjectSchema).required ?? []).includes(field),
    );
    if (!source) return undefined;
    const value = (await this.#call(source, {}))[field];
    return noun === undefined ? value : (value as { id: string }[])[0]?.id;
  }

  async #call({ name }: Tool, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { content, isError, structuredContent } = await this.#client.callTool({
      name,
      arguments: args,
    });
    if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
    return structuredContent as Record<string, unknown>;
  }
}

function valueInRequest(name: string, property: Property, request: string): unknown {
  if (property.format?.startsWith('date') && request.includes('last week'))
    return lastWeek(wordsOf(property.description ?? '').has('last'));
  if (!isOfType(property, 'string')) return undefined;
  if (name.endsWith('email')) return /\S+@[\w.]+\w/.exec(request)?.[0];
  return wordsOf(request).has(stem(name)) ? quotedText(request) : undefined;
}

function valueByType(property: Property, request: string): unknown {
  if (isOfType(property, 'boolean')) return true;
  const [, count, noun = ''] = /(\d+) (\w+)/.exec(request) ?? [];
  return count === undefined ? undefined : { [noun]: Number(count) };
}

function isOfType({ type = [] }: Property, expected: string): boolean {
  return [type].flat().includes(expected);
}

/** The first or last day of the week before this one, in UTC. */
function lastWeek(isLastDay: boolean): string {
  const day = new Date();
  const daysSinceMonday = (day.getUTCDay() + 6) % 7;
  day.setUTCDate(day.getUTCDate() - daysSinceMonday - (isLastDay ? 1 : 7));
  return day.toISOString().slice(0, 10);
}

function quotedText(request: string): string | undefined {
  return /“(.*)”/.exec(request)?.[1];
}

function withoutValues(request: string): string {
  return request.replaceAll(/“.*?”|\S+@\S+|https?:\/\/\S+/g, '');
}

function wordsOf(text: string): Set<string> {
  const words = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').match(/[A-Za-z]{3,}/g) ?? [];
  return new Set(words.map((word) => stem(word)));
}

function stem(word: string): string {
  return word
    .toLowerCase()
    .replace(/^e(?=mail$)/, '')
    .replace(/(?<=\w{3})(?:ing|ed|e?s)$/, '');
}
