import { options } from 'preact';

/** Nodes that the browser's translation added, with the text node that each replaces. */
const textByTranslation = new Map<Node | null, Text>();

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
      const replaced = [...textByTranslation].map(
        ([translation, text]) => [translation as ChildNode, text, text.data] as const,
      );
      for (const [translation, text] of replaced) translation.replaceWith(text);
      textByTranslation.clear();
      try {
        renderQueue();
      } finally {
        for (const [translation, text, data] of replaced)
          if (text.isConnected && text.data === data) {
            text.replaceWith(translation);
            textByTranslation.set(translation, text);
          }
        // Preact's changes are no translations.
        observer.takeRecords();
      }
    });
}

function recordTranslations(records: readonly MutationRecord[]): void {
  const added = new Set<Node | null>(records.flatMap(({ addedNodes }) => [...addedNodes]));
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records)
    for (const node of removedNodes) {
      const text = textByTranslation.get(node) ?? node;
      // The browser can also move a translation, or show the original text again.
      if (node.isConnected || text.isConnected || !(text instanceof Text)) continue;
      textByTranslation.delete(node);
      const neighbors = [...addedNodes, previousSibling, nextSibling];
      const translation = neighbors.find(
        (neighbor) => added.has(neighbor) && !textByTranslation.has(neighbor),
      );
      if (translation) textByTranslation.set(translation, text);
    }
}
