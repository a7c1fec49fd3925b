import { useSignal } from '@preact/signals';
import { owner } from '../../api/api.ts';
import { routes } from '../../api/routes.ts';
import { Ways } from '../../entry/ways.tsx';
import { ApiCall } from '../../parts/api-call.tsx';
import { Bound } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Show } from '../../parts/states.tsx';
import { useLoaded } from '../../parts/use-loaded.ts';
import { signIns } from '../../session.ts';

/** The server wants a session that is no older; a little less, since reading takes time. */
const FRESH_MS = 4.5 * 60_000;

/** Takes all data along, and deletes the account: both for whoever has just proven who they are. */
export function Leaving() {
  const session = useLoaded(() => owner.session.getSession(), [signIns.value]);
  return (
    <section class="card">
      <h2>Your data</h2>
      <Show loaded={session}>
        {({ session: current }) =>
          current && Date.now() - Date.parse(current.created_at) < FRESH_MS ? (
            <>
              <Export />
              <Delete />
            </>
          ) : (
            <>
              <p>To export everything or to delete the account, sign in once more.</p>
              <Ways />
            </>
          )
        }
      </Show>
    </section>
  );
}

function Export() {
  const [, path] = routes.owner['account']!['exportData']!;
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
          location.assign('/dashboard/login');
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
