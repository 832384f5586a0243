import { useLocation } from '@tanstack/react-router';
import { CircleHelp } from '../icons.ts';
import { HELP_PAGES } from './help-pages.ts';

/** Opens the docs at what the present page is about, beside it, so that a form that is being filled in stays. */
export function HelpLink({ className }: { className: string }) {
  const place = useLocation().pathname.split('/').at(-1) ?? '';
  return (
    <a
      href={`/docs/${HELP_PAGES[place] ?? 'dashboard.html'}`}
      target="_blank"
      rel="noreferrer"
      className={className}
    >
      <CircleHelp size={16} aria-hidden="true" />
      Help
    </a>
  );
}
