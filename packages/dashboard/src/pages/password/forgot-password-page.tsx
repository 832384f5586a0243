import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { AccountEmailField } from '../../components/account-email-field.tsx';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { GatePage } from '../../shell/gate-page.tsx';

/** Asks for a link to choose a new password. The answer does not say whether there is an account. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const ask = useMutation({
    meta: { quiet: true },
    mutationFn: () => api('POST /password/forgot', {}, { body: { email } }),
  });
  if (ask.isSuccess) {
    return (
      <GatePage title="Check your email">
        <p className="text-soft">
          If there is an account with the address <strong className="wrap-anywhere">{email}</strong>, a link
          to choose a new password is on its way. It works once, within an hour.
        </p>
        <BackToSignIn />
      </GatePage>
    );
  }
  return (
    <GatePage title="Forgot your password?" lead="We send you a link to choose a new one.">
      <Form className="grid gap-4" onSubmit={() => ask.mutate()}>
        <AccountEmailField value={email} onChange={setEmail} />
        {ask.error !== null && <Notice kind="bad">{ask.error.message}</Notice>}
        <Button variant="primary" type="submit" busy={ask.isPending}>
          Send the link
        </Button>
      </Form>
      <BackToSignIn />
    </GatePage>
  );
}

function BackToSignIn() {
  return (
    <p className="mt-4 text-[0.8667rem]">
      <Link to="/sign-in" className="link">
        Back to sign-in
      </Link>
    </p>
  );
}
