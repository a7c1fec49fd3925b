import { options } from 'preact';

/** Nodes that the browser's translation added, with the text nodes that each replaces. */
const textsByTranslation = new Map<Node, readonly Text[]>();

/**
 * Translators replace text nodes, which Preact would go on to change outside of the document. So
 * Preact renders with its own nodes in place, and translations return where the text is the same.
 */
export function allowTranslation(root: Element): void {
  const observer = new MutationObserver(recordTranslations);
  observer.observe(root, { childList: true, subtree: true });
  options.debounceRendering = (renderQueue) =>
    queueMicrotask(() => {
      recordTranslations(observer.takeRecords());
      const returnTranslations = restoreTexts();
      try {
        renderQueue();
      } finally {
        returnTranslations();
        // Preact's changes are no translations.
        observer.takeRecords();
      }
    });
}

function recordTranslations(records: readonly MutationRecord[]): void {
  const added = new Set<Node | null>(records.flatMap(({ addedNodes }) => [...addedNodes]));
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records)
    for (const node of removedNodes) {
      if (node.isConnected) continue;
      const texts = textsByTranslation.get(node) ?? (node instanceof Text ? [node] : []);
      textsByTranslation.delete(node);
      const neighbors = [...addedNodes, previousSibling, nextSibling];
      const translation = neighbors.find((neighbor) => added.has(neighbor));
      // The browser can also show the original text again.
      if (!translation || texts.length === 0 || texts.some(({ isConnected }) => isConnected))
        continue;
      const others = textsByTranslation.get(translation) ?? [];
      textsByTranslation.set(translation, [...others, ...texts]);
    }
}

function restoreTexts(): () => void {
  const restored = [...textsByTranslation].flatMap(([translation, texts]) =>
    translation.isConnected ? [{ translation, texts, data: texts.map(({ data }) => data) }] : [],
  );
  textsByTranslation.clear();
  for (const { translation, texts } of restored) (translation as ChildNode).replaceWith(...texts);
  return () => {
    for (const { translation, texts, data } of restored) {
      if (texts.some((text, index) => !text.isConnected || text.data !== data[index])) continue;
      const [first, ...others] = texts;
      first!.replaceWith(translation);
      for (const other of others) other.remove();
      textsByTranslation.set(translation, texts);
    }
  };
}
