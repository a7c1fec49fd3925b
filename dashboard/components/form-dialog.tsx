import type { ComponentChildren } from 'preact';
import { showDialog } from './dialog.tsx';
import { Form } from './form.tsx';

/** Shows a form in a dialog, which closes when `onSubmit` has resolved. */
export function showFormDialog({
  title,
  text,
  render,
  onSubmit,
  ...form
}: Omit<Parameters<typeof Form>[0], 'onCancel' | 'children'> & {
  title: string;
  text?: ComponentChildren;
  /** A function, so that it renders again when a signal changes. */
  render?: () => ComponentChildren;
}): Promise<true | undefined> {
  return showDialog(title, (close) => (
    <>
      {text && <p>{text}</p>}
      <Form
        {...form}
        onCancel={close}
        onSubmit={async () => {
          await onSubmit();
          close(true);
        }}
      >
        {render?.()}
      </Form>
    </>
  ));
}
