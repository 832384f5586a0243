import { createPosternClient, EmailField, useEmailField } from '@postern/sdk-vue';
import { createApp, defineComponent, h } from 'vue';

const page = globalThis as unknown as {
  settings: Parameters<typeof createPosternClient>[0];
  signUps: unknown[];
};
const postern = createPosternClient(page.settings);

const Own = defineComponent(() => {
  const email = useEmailField(postern, { name: 'own' });
  const onSubmit = email.handleSubmit((signUp) => page.signUps.push(signUp));
  return () =>
    h('form', { onSubmit }, [
      h('input', { 'aria-label': 'Own', ...email.inputProps }),
      h('p', email.messageProps, email.helpText),
      h('button', email.suggestionProps, email.acceptText ?? ''),
      h('button', { type: 'submit' }, 'Send'),
    ]);
});

createApp(() => [
  h('form', { method: 'post', action: '/sign-up' }, [
    h(EmailField, { client: postern, label: 'Email' }),
    h('button', { type: 'submit' }, 'Sign up'),
  ]),
  h(EmailField, { client: postern, label: 'Plain', name: 'plain', unstyled: true }),
  h(Own),
]).mount('#root');
