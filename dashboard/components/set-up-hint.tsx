import { isOperator } from '../current-account.ts';
import { dashboardHref } from '../router.ts';
import { t } from '../translate.ts';

/** For a feature that is off on this server. Operators get a link to its line under Setup. */
export function SetUpHint({
  memberText,
  operatorText,
  findingCode,
}: {
  memberText: string;
  operatorText: string;
  findingCode: string;
}) {
  if (!isOperator.value) return <p class="muted">{memberText}</p>;
  return (
    <>
      <p class="muted">{operatorText}</p>
      <a class="button primary" href={dashboardHref(`operator#${findingCode}`)}>
        {t('Set it up')}
      </a>
    </>
  );
}
