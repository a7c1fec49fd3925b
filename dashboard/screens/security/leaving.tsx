import { useSignal } from '@preact/signals';
import { owner } from '../../api/api.ts';
import { routes } from '../../api/routes.ts';
import { Proven } from '../../entry/proven.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { leaveDeletedAccount } from '../../session.ts';

/** Takes all data along, and deletes the account: both for whoever has just proven who they are. */
export function Leaving() {
  return (
    <section class="card">
      <h2>Your data</h2>
      <Proven to="export your data or delete your account">
        <Export />
        <Delete />
      </Proven>
    </section>
  );
}

function Export() {
  const [, path] = routes['account.exportData'];
  return (
    <>
      <p>Everything stored for your account, as one zip archive.</p>
      <div class="actions">
        <a class="button" href={path} download>
          Export all my data
        </a>
      </div>
      <ApiCall endpoint="account.exportData" />
    </>
  );
}

function Delete() {
  const typed = useSignal('');
  const input = { confirm: typed.value.trim() };
  return (
    <>
      <Form
        fields={['confirm']}
        submit="Delete my account"
        isDangerous
        onSubmit={async () => {
          await owner.account.deleteAccount(input);
          leaveDeletedAccount();
        }}
      >
        <Bound
          to={typed}
          name="confirm"
          label="Type your name to delete the account"
          autocomplete="off"
          spellcheck={false}
          hint="Your page, mail, keys, projects and metrics will be deleted. You cannot undo this. Without a name, type the id of the account."
        />
      </Form>
      <ApiCall endpoint="account.deleteAccount" input={input} />
    </>
  );
}
