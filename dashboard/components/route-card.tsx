import type { ComponentChildren } from 'preact';
import './flow-diagram.css';
import './route-card.css';

/** A `FlowDiagram` in the upper half of a card, and below it what it means. */
export function RouteCard({
  diagram,
  plateLength,
  action,
  children,
}: {
  diagram: ComponentChildren;
  /** Number of characters on the plate, which decides their size. */
  plateLength: number;
  action: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="card route-card" style={{ '--length': plateLength }}>
      {diagram}
      <div class="row between">
        <div class="grow">{children}</div>
        {action}
      </div>
    </section>
  );
}
