/** A few steps with their numbers, each with a line about it, where there is nothing to show yet. */
export function Steps({ steps }: { steps: readonly (readonly [title: string, about: string])[] }) {
  return (
    <section class="card">
      <h2>How it works</h2>
      <ol class="steps-list">
        {steps.map(([title, about], index) => (
          <li key={title}>
            <span class="tick" aria-hidden="true">
              {index + 1}
            </span>
            <div>
              <p class="strong">{title}</p>
              <p class="muted">{about}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
