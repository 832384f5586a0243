import type { OnboardingStep, OnboardingView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { onboardingQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { MissingForm } from '../../components/missing-form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/pending.tsx';
import { Circle, CircleCheck } from '../../icons.ts';

type Place = 'keys' | 'origins' | 'validations';

interface StepText {
  readonly title: string;
  readonly help: ReactNode;
  readonly place?: readonly [Place, string];
}

const STEPS: Readonly<Record<OnboardingStep, StepText>> = {
  project: { title: 'Create a project', help: 'It has its own keys, policy and log.' },
  key: {
    title: 'Create a client key',
    help: 'Your sign-up page uses it. It is public, and only your own pages can use it.',
    place: ['keys', 'Open the keys'],
  },
  origin: {
    title: 'Allow your page’s domain',
    help: 'A client key answers only pages of allowed domains. New projects allow localhost.',
    place: ['origins', 'Open the allowed domains'],
  },
  snippet: {
    title: 'Paste the snippet into your form',
    help: 'Done when the client key is used for the first time.',
    place: ['keys', 'Copy the code'],
  },
  validation: {
    title: 'See the first validation',
    help: 'Open your form, type an address and leave the field. It appears here automatically.',
    place: ['validations', 'Open the log'],
  },
  verdict: {
    title: 'Connect your backend',
    help: 'A page can lie to its own backend, so the backend verifies the signed verdict or asks Postern itself. Done when it fetches the keys for verdicts, or uses a server key. What it does with the answer cannot be seen from here.',
    place: ['keys', 'Copy the code for Node'],
  },
};

const storageKey = (projectId: string) => `postern.onboarding.${projectId}`;

interface OnboardingProps {
  projectId: string;
  /** Keeps the room for the list while it loads, so that nothing below it moves. */
  reserve: boolean;
}

/** The steps from a new project to a protected form. Each is noticed by the service itself. */
export function Onboarding({ projectId, reserve }: OnboardingProps) {
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(storageKey(projectId)) !== null);
  const { data } = useQuery({ ...onboardingQuery(projectId), enabled: !dismissed });
  // A member who was done before needs no congratulations.
  const wasOpen = useRef(false);
  if (dismissed) return null;
  // As high as the list of a new project, so that nothing below moves when it comes.
  if (data === undefined) return reserve ? <Skeleton className="h-[33rem] md:h-[24.3rem]" /> : null;
  const isDone = data.steps.every(({ done }) => done);
  if (!isDone) wasOpen.current = true;
  const dismiss = () => {
    localStorage.setItem(storageKey(projectId), 'dismissed');
    setDismissed(true);
  };
  if (isDone)
    return wasOpen.current ? (
      <Notice
        kind="good"
        action={
          <Button small onClick={dismiss}>
            Close
          </Button>
        }
      >
        All steps are done. Whether your backend acts on the answers cannot be seen from here: try a throwaway
        address in your own form.
      </Notice>
    ) : null;
  return <Steps projectId={projectId} view={data} onDismiss={dismiss} />;
}

interface StepsProps {
  projectId: string;
  view: OnboardingView;
  onDismiss: () => void;
}

function Steps({ projectId, view: { steps }, onDismiss }: StepsProps) {
  const left = steps.filter(({ done }) => !done).length;
  return (
    <Section
      title="Protect a form"
      lead={`${steps.length - left} of ${steps.length} steps done. Postern ticks them off automatically.`}
      actions={
        <Button small variant="quiet" onClick={onDismiss}>
          Hide this list
        </Button>
      }
    >
      <ol className="grid gap-3.5">
        {steps.map(({ id, done }) => {
          const { title, help, place } = STEPS[id];
          const Icon = done ? CircleCheck : Circle;
          return (
            <li key={id} className="flex items-start gap-3" data-step={id} data-done={done}>
              <Icon
                size={18}
                role="img"
                aria-label={done ? 'Done' : 'Not done yet'}
                className={done ? 'mt-0.5 shrink-0 text-allow' : 'mt-0.5 shrink-0 text-faint'}
              />
              <div className="min-w-0 text-[0.9333rem]">
                <p className={done ? 'text-soft' : 'font-medium'}>{title}</p>
                {id === 'snippet' && <MissingForm projectId={projectId} />}
                {!done && (
                  <p className="text-soft">
                    {help}{' '}
                    {place !== undefined && (
                      <Link
                        to={`/projects/$projectId/${place[0]}`}
                        params={{ projectId }}
                        aria-label={`${title}: ${place[1]}`}
                        className="link"
                      >
                        {place[1]}
                      </Link>
                    )}
                  </p>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
