import { CHECK_NAMES, resultKindOf } from '@postern/contract';
import type { PlaygroundAnswer } from '@postern/contract/dashboard';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { milliseconds } from '../../components/format.ts';
import { RESULT_LOOKS } from '../../components/result-looks.ts';

export function Answer({ answer: { status, body } }: { answer: PlaygroundAnswer }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={status === 200 ? 'neutral' : 'block'}>HTTP {status}</Badge>
        {'recommendation' in body && (
          <>
            <RecommendationBadge value={body.recommendation} />
            <span className="num text-[0.8667rem] text-faint">
              {milliseconds(body.metadata.totalLatency)}
            </span>
          </>
        )}
      </div>
      {'recommendation' in body && body.message !== null && (
        <p className="rounded-lg border border-line bg-sunken px-3 py-2 text-[0.9333rem]">
          <span className="block text-[0.8rem] text-faint">The person sees</span>
          {body.message}
        </p>
      )}
      {'checks' in body && (
        <ul className="grid gap-x-4 gap-y-1 text-[0.9rem] sm:grid-cols-2">
          {CHECK_NAMES.map((name) => {
            const result = body.checks[name];
            if (result === undefined) return null;
            const kind = resultKindOf(result);
            const { Icon, colour, word } = RESULT_LOOKS[kind];
            const why = kind === 'unknown' ? word : result.error;
            return (
              <li key={name} className="flex min-w-0 items-start gap-2" title={result.error}>
                <Icon size={16} aria-label={word} className={`mt-0.5 shrink-0 ${colour}`} />
                <span className="min-w-0">
                  {CHECKS[name].title}
                  {why !== undefined && <span className="block text-[0.8333rem] text-soft">{why}</span>}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <CodeBlock code={JSON.stringify(body, null, 2)} label="answer" />
    </div>
  );
}
