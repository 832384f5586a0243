import { ActionForm } from './action-form';

// The settings come from the environment of the running server, not of the build.
export const dynamic = 'force-dynamic';

export default function Page() {
  return (
    <ActionForm
      settings={{
        baseUrl: process.env.POSTERN_URL ?? '',
        projectId: process.env.POSTERN_PROJECT_ID ?? '',
        apiKey: process.env.POSTERN_CLIENT_KEY ?? '',
      }}
    />
  );
}
