import { connection } from 'next/server';
import { Suspense } from 'react';
import { SignUpForm } from './form';

export default function SignUpPage() {
  return (
    <Suspense>
      <SignUpWithSettings />
    </Suspense>
  );
}

async function SignUpWithSettings() {
  // The settings come from the environment of the running server, not of the build.
  await connection();
  return (
    <SignUpForm
      settings={{
        baseUrl: process.env.POSTERN_URL ?? '',
        projectId: process.env.POSTERN_PROJECT_ID ?? '',
        apiKey: process.env.POSTERN_CLIENT_KEY ?? '',
      }}
    />
  );
}
