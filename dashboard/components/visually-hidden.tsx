import type { ComponentChildren } from 'preact';

/** Renders a part of a label that only screen readers read. */
export const visuallyHidden = (children: ComponentChildren) => (
  <span class="visually-hidden">{children}</span>
);
