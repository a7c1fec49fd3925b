import { type Answer, owner } from '../../api/api.ts';
import { showing } from '../../parts/messages.tsx';
import { Switch } from '../../parts/switch.tsx';
import { arePagesElsewhere } from '../../session.ts';

type Described = Answer<typeof owner.visitors.describeVisitors>;

/** Rules of counting, and the switch that turns it off. */
export function Counting({ described, onChange }: { described: Described; onChange: () => void }) {
  const { counting, days } = described;
  const change = async (on: boolean) => {
    if (await showing(owner.visitors.updateCounting({ counting: on }))) onChange();
  };
  return (
    <section class="card">
      <div class="card-head">
        <h2>Privacy</h2>
        <Switch label="Count views and clicks" on={counting} onSwitch={(on) => void change(on)} />
      </div>
      <p class="muted">
        Nameplate stores sums of days and nothing about a visitor: no cookie, no address, no
        fingerprint. {arePagesElsewhere ? 'Bots' : 'Your own visits and bots'} are not counted.
      </p>
      <p class="muted">
        Days are in UTC{days > 0 && `, and kept for ${keptWords(days)}`}. Clicks are reported in the
        background, so links open as fast as ever.
      </p>
    </section>
  );
}

function keptWords(days: number): string {
  const years = Math.round(days / 365);
  if (days < 365 || Math.abs(days - years * 365) > 2) return `${days} days`;
  return years === 1 ? 'a year' : `${years} years`;
}
