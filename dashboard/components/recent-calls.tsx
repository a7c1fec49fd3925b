import { signal } from '@preact/signals';
import { endpointOf, formatCurl, formatSdkCall } from '../api/call-samples.ts';
import { recordedCalls } from '../api/recorded-calls.ts';
import type { Endpoint } from '../api/routes.ts';
import { dashboardHref } from '../router.ts';
import { t } from '../translate.ts';
import { Code } from './code.tsx';
import { showDialog } from './dialog.tsx';
import { SegmentedControl } from './segmented-control.tsx';

const LANGUAGES = [
  ['curl', 'curl'],
  ['sdk', 'SDK'],
] as const;
const language = signal<'curl' | 'sdk'>('curl');

/** The last calls of the dashboard itself, as curl commands or calls of the SDK. */
export function showRecentCalls(): void {
  void showDialog(t('Recent API calls'), (close) => <RecentCalls onLeave={close} />);
}

function RecentCalls({ onLeave }: { onLeave: () => void }) {
  const isCurl = language.value === 'curl';
  return (
    <>
      <div class="row between">
        <p class="muted">
          {t.rich('What the dashboard called. Your own calls need a key. <link>Create one</link>', {
            link: (children) => (
              <a href={dashboardHref('keys?create')} onClick={() => onLeave()}>
                {children}
              </a>
            ),
          })}
        </p>
        <SegmentedControl
          label={t('Language')}
          value={language.value}
          options={LANGUAGES}
          onValue={(next) => (language.value = next)}
        />
      </div>
      {recordedCalls.value.map((call) => {
        const title = titleOf(endpointOf(call));
        return (
          <div key={call} class="sample">
            <h3>{title}</h3>
            <Code
              text={isCurl ? formatCurl(call) : formatSdkCall(call)}
              label={`${isCurl ? 'curl' : 'SDK'}: ${title}`}
            />
          </div>
        );
      })}
    </>
  );
}

/** `keys.revokeKey` → `Revoke key`. */
function titleOf(endpoint: Endpoint): string {
  const title = endpoint
    .replace(/^.*\./s, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return title[0]!.toUpperCase() + title.slice(1);
}
