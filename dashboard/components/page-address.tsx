import { hasSeparatePagesHost, pagesUrl } from '../session.ts';
import { t } from '../translate.ts';
import { ICON_PATHS } from './icon-paths.ts';
import { Icon } from './icon.tsx';
import { withErrorMessage } from './messages.tsx';
import { Popover } from './popover.tsx';
import './page-address.css';

const SHARE_ICON =
  'M4 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4M12 5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M12 14.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5.8 7l4.4-2.5M5.8 9l4.4 2.5';

export function Address({ name }: { name: string }) {
  return (
    <span>
      <span class="host">{new URL(pagesUrl).host}/</span>
      <b>@{name}</b>
    </span>
  );
}

/** Shown only in browsers with a share sheet. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  if (!('share' in navigator)) return null;
  return (
    <button
      type="button"
      // `share` rejects if the user closes the share sheet.
      onClick={() => void navigator.share({ title, url }).catch(() => {})}
    >
      <Icon path={SHARE_ICON} />
      {t('Share')}
    </button>
  );
}

export function QrCode({ url }: { url: string }) {
  return (
    <Popover
      buttonClass="button"
      button={
        <>
          <Icon path={ICON_PATHS.qr} />
          {t('QR code')}
        </>
      }
      label={t('QR code of {url}', { url })}
      class="centered qr"
    >
      {() => (
        <>
          <img
            src={`${url}/qr.svg`}
            alt={t('QR code of {url}', { url })}
            width="224"
            height="224"
          />
          <p class="hint">{t('Scan to open {url}', { url: url.replace(/^https?:\/\//, '') })}</p>
          {hasSeparatePagesHost ? (
            // Browsers ignore `download` on links to another host.
            <a class="button" href={`${url}/qr.svg`} target="_blank">
              {t('Open as SVG')}
            </a>
          ) : (
            <div class="row">
              <button
                type="button"
                onClick={() => void withErrorMessage(downloadPng(`${url}/qr.svg`))}
              >
                <Icon path={ICON_PATHS.download} />
                PNG
              </button>
              <a class="button" href={`${url}/qr.svg`} download>
                <Icon path={ICON_PATHS.download} />
                SVG
              </a>
            </div>
          )}
        </>
      )}
    </Popover>
  );
}

/** In pixels. Sharp enough for a poster. */
const PNG_SIZE = 2_048;

/** Converts a square SVG from this host to PNG and downloads it. */
async function downloadPng(svgUrl: string): Promise<void> {
  const image = new Image(PNG_SIZE, PNG_SIZE);
  image.src = svgUrl;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = PNG_SIZE;
  canvas.getContext('2d')!.drawImage(image, 0, 0, PNG_SIZE, PNG_SIZE);
  const link = document.createElement('a');
  link.href = canvas.toDataURL('image/png');
  link.download = 'qr-code.png';
  link.click();
}
