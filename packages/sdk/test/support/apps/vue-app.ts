import { createPosternClient } from 'postern~sdk';
import { vPostern } from 'postern~sdk/vue';
import { createApp, defineComponent, h, ref, withDirectives } from '@vue/runtime-dom';

const page = globalThis as unknown as {
  settings: Parameters<typeof createPosternClient>[0];
  signUps: unknown[];
};
const client = createPosternClient(page.settings);

const Own = defineComponent(() => {
  const status = ref('');
  const onSubmit = (event: Event) => {
    event.preventDefault();
    page.signUps.push(Object.fromEntries(new FormData(event.target as HTMLFormElement)));
  };
  const onChange = (event: CustomEvent<{ status: string }>) => {
    status.value = event.detail.status;
  };
  return () =>
    withDirectives(
      h('form', { onSubmit, 'onPostern:change': onChange }, [
        h('input', { 'aria-label': 'Own', name: 'email' }),
        h('output', status.value),
        h('button', { type: 'submit' }, 'Send'),
      ]),
      [[vPostern, client]],
    );
});

createApp(() => [
  withDirectives(
    h('form', { method: 'post', action: '/sign-up' }, [
      h('label', ['Email ', h('input', { name: 'email', type: 'email', required: true })]),
      h('button', { type: 'submit' }, 'Sign up'),
    ]),
    [[vPostern, { client, verdictField: 'postern-verdict' }]],
  ),
  h(Own),
]).mount('#root');
