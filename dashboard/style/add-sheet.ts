/** The bundler calls this for the style sheets of screens and components. */
export function addSheet(layer: string, rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer ${layer}{${rules}}`);
  document.adoptedStyleSheets.push(sheet);
}
