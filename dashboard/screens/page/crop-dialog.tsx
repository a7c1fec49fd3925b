import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Dialog } from '#dashboard/components/dialog.tsx';
import { SegmentedControl } from '#dashboard/components/segmented-control.tsx';
import { t } from '#dashboard/translate.ts';
import { type Crop, moveCrop, cropArea, WHOLE_PICTURE } from './crop.ts';
import { drawPicture } from './picture-file.ts';

/** Offered unless the picture must be square. */
const SHAPES = [
  ['whole', t('shape|Whole')],
  ['square', t('shape|Square')],
  ['wide', t('shape|Wide')],
] as const;
type Shape = (typeof SHAPES)[number][0];
const ASPECT_RATIO_BY_SHAPE: Readonly<Record<Shape, number | undefined>> = {
  whole: undefined,
  square: 1,
  wide: 16 / 9,
};

const MAX_ZOOM = 4;
/** Fraction of the crop's width by which an arrow key moves the crop. */
const ARROW_STEP = 0.05;
const STEPS_BY_KEY: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-ARROW_STEP, 0],
  ArrowRight: [ARROW_STEP, 0],
  ArrowUp: [0, -ARROW_STEP],
  ArrowDown: [0, ARROW_STEP],
};

/**
 * Border radius of the avatar in the preview. Undefined without a preview or if it is in pixels.
 */
function avatarRadius(): string | undefined {
  const frame = document.querySelector<HTMLIFrameElement>('.preview iframe.shown');
  const avatar = frame?.contentDocument?.querySelector('.avatar');
  const radius = avatar && getComputedStyle(avatar).borderRadius;
  // A radius in pixels does not fit here, because the canvas is larger than the avatar.
  return radius?.includes('%') ? radius : undefined;
}

/** Holds exactly the pixels that are uploaded. */
function CropCanvas({
  canvasRef,
  bitmap,
  crop,
  radius,
}: {
  canvasRef: RefObject<HTMLCanvasElement | null>;
  bitmap: ImageBitmap;
  crop: Signal<Crop>;
  radius: string | undefined;
}) {
  const area = cropArea(bitmap, crop.value);
  useLayoutEffect(() => {
    drawPicture(canvasRef.current!, bitmap, area);
  }, [crop.value]);
  const move = (right: number, down: number) =>
    (crop.value = moveCrop(bitmap, crop.peek(), [right * area.width, down * area.width]));
  return (
    <canvas
      ref={canvasRef}
      class="crop"
      style={{ borderRadius: radius }}
      tabIndex={0}
      role="img"
      aria-label={t('The picture. Drag it or use the arrow keys to move it.')}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, movementX, movementY }) => {
        if (!currentTarget.hasPointerCapture(pointerId)) return;
        const { width } = currentTarget.getBoundingClientRect();
        move(-movementX / width, -movementY / width);
      }}
      onKeyDown={(event) => {
        const step = STEPS_BY_KEY[event.key];
        if (!step) return;
        event.preventDefault();
        move(...step);
      }}
    />
  );
}

function Zoom({ crop }: { crop: Signal<Crop> }) {
  return (
    <label class="row zoom">
      {t('Zoom')}
      <input
        type="range"
        min={1}
        max={MAX_ZOOM}
        step={0.01}
        value={crop.value.zoom}
        onInput={({ currentTarget }) =>
          (crop.value = { ...crop.value, zoom: Number(currentTarget.value) })
        }
      />
    </label>
  );
}

export function CropDialog({
  bitmap,
  isSquare,
  onUse,
  onCancel,
}: {
  bitmap: ImageBitmap;
  isSquare: boolean;
  onUse: (canvas: HTMLCanvasElement) => void;
  onCancel: () => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const shape = useSignal<Shape>(isSquare ? 'square' : 'whole');
  const crop = useSignal<Crop>({
    ...WHOLE_PICTURE,
    aspectRatio: ASPECT_RATIO_BY_SHAPE[shape.peek()],
  });
  return (
    <Dialog title={t('Adjust the picture')} onCancel={onCancel}>
      <CropCanvas
        canvasRef={canvas}
        bitmap={bitmap}
        crop={crop}
        radius={isSquare ? avatarRadius() : undefined}
      />
      {!isSquare && (
        <SegmentedControl
          label={t('Shape')}
          value={shape.value}
          options={SHAPES}
          onValue={(next) => {
            shape.value = next;
            crop.value = { ...crop.value, aspectRatio: ASPECT_RATIO_BY_SHAPE[next] };
          }}
        />
      )}
      <Zoom crop={crop} />
      <div class="actions">
        <button type="button" class="quiet" onClick={onCancel}>
          {t('Cancel')}
        </button>
        <button type="button" class="primary" onClick={() => onUse(canvas.current!)}>
          {t('Use picture')}
        </button>
      </div>
    </Dialog>
  );
}
