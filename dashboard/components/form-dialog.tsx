import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { showDialog } from './dialog.tsx';
import { BoundField } from './field.tsx';
import { Form } from './form.tsx';

interface FormDialog extends Omit<Parameters<typeof Form>[0], 'onCancel' | 'children'> {
  title: string;
  text?: ComponentChildren;
  /** A function, so that it renders again when a signal changes. */
  render?: () => ComponentChildren;
}

/** Shows a form in a dialog, which closes when `onSubmit` has resolved. */
export function showFormDialog({
  title,
  text,
  render,
  onSubmit,
  ...form
}: FormDialog): Promise<true | undefined> {
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

/** Asks for one text. `onSubmit` gets it without spaces around it. */
export function showTextDialog({
  field: { value = '', ...field },
  render = (input) => input,
  onSubmit,
  ...dialog
}: Omit<FormDialog, 'render' | 'onSubmit'> & {
  field: Omit<Parameters<typeof BoundField>[0], 'signal'> & { value?: string };
  render?: (input: ComponentChildren) => ComponentChildren;
  onSubmit: (text: string) => Promise<unknown>;
}): Promise<true | undefined> {
  const text = signal(value);
  return showFormDialog({
    fields: [field.name],
    ...dialog,
    onSubmit: () => onSubmit(text.value.trim()),
    render: () => render(<BoundField signal={text} {...field} />),
  });
}
