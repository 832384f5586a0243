import { Link } from '@tanstack/react-router';
import { useProject } from '../api/use-project.ts';
import { Badge } from './badge.tsx';

interface RuleLinksProps {
  projectId: string;
  ids: readonly string[];
  /** Rules that were only counted. */
  shadow?: boolean;
}

/** The rules that matched a validation, by name. One that was deleted has only its ID. */
export function RuleLinks({ projectId, ids, shadow = false }: RuleLinksProps) {
  const { rules } = useProject();
  return ids.map((id) => {
    const name = rules.find((rule) => rule.id === id)?.name;
    const text = shadow ? `${name ?? id} (shadow)` : (name ?? id);
    const badge = (
      <Badge tone={shadow ? 'neutral' : 'accent'}>
        <span className="truncate" title={text}>
          {text}
        </span>
      </Badge>
    );
    if (name === undefined) return <span key={id}>{badge}</span>;
    return (
      // Above the link that covers a row of the log.
      <Link
        key={id}
        to="/projects/$projectId/rules/$rule"
        params={{ projectId, rule: id }}
        className="relative z-[1] flex max-w-full min-w-0 rounded-md hover:underline"
      >
        {badge}
      </Link>
    );
  });
}
