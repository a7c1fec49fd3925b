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
      <p>Everything that is stored for you, as one zip archive that says what is in it.</p>
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
          label="Delete the account: type your name"
          autocomplete="off"
          spellcheck={false}
          hint="Page, mail, keys, projects and metrics are deleted, for good. Without a name, type the id of the account."
        />
      </Form>
      <ApiCall endpoint="account.deleteAccount" input={input} />
    </>
  );
}
