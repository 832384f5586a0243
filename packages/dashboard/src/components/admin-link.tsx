import { useSession } from '../api/use-session.ts';
import { ExternalLink } from '../icons.ts';
import { CopyButton } from './copy-button.tsx';

/** The request’s ID, and the operator’s own page about it if POSTERN_ADMIN_LINK says where that is. */
export function RequestId({ requestId }: { requestId: string }) {
  const { adminLink } = useSession();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <code className="font-mono text-[0.8333rem] break-all">{requestId}</code>
      <CopyButton text={requestId} label="Copy the request ID" bare />
      {adminLink !== null && (
        <a
          href={adminLink.replaceAll('{requestId}', encodeURIComponent(requestId))}
          target="_blank"
          rel="noreferrer"
          className="link inline-flex items-center gap-1"
        >
          Open in your admin <ExternalLink size={13} />
        </a>
      )}
    </span>
  );
}
