import { Link, useRouter } from '@tanstack/react-router';
import { ApiFailure, failureText } from '../api/client.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { Skeleton, SkeletonRows } from '../components/pending.tsx';

export function PagePending() {
  return (
    <div className="grid gap-5">
      <Skeleton className="h-8 w-56" />
      <div className="card p-5">
        <SkeletonRows rows={8} />
      </div>
    </div>
  );
}

export function RouteError({ error }: { error: unknown }) {
  const router = useRouter();
  const missing = error instanceof ApiFailure && error.status === 404;
  return (
    <main className="mx-auto grid max-w-lg justify-items-start gap-4 px-5 py-16">
      <h1 className="text-xl font-semibold">{missing ? 'Not found' : 'This page could not be loaded'}</h1>
      <p className="text-soft" role="alert">
        {failureText(error)}
      </p>
      <div className="flex gap-2">
        <Button variant="primary" onClick={() => void router.invalidate()}>
          Try again
        </Button>
        <Link to="/" className={buttonClass()}>
          All projects
        </Link>
      </div>
    </main>
  );
}

export function NotFound() {
  return (
    <main className="mx-auto grid max-w-lg justify-items-start gap-4 px-5 py-16">
      <h1 className="text-xl font-semibold">Page not found</h1>
      <p className="text-soft">Check the address, or start from your projects.</p>
      <Link to="/" className={buttonClass('primary')}>
        All projects
      </Link>
    </main>
  );
}
