import { CHECK_NAMES, resultKindOf } from '@postern/contract';
import type { ValidationDetail } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { validationQuery } from '../../api/queries.ts';
import { useProject } from '../../api/use-project.ts';
import { RequestId } from '../../components/admin-link.tsx';
import { RecommendationBadge } from '../../components/badge.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { milliseconds, plural } from '../../components/format.ts';
import { PersonJudged } from '../../components/judgement.tsx';
import { Modal } from '../../components/modal.tsx';
import { Loaded, SkeletonRows } from '../../components/pending.tsx';
import { RuleLinks } from '../../components/rule-links.tsx';
import { SharedWith } from '../../components/shared-with.tsx';
import { SignalList } from '../../components/signal-list.tsx';
import { stepUpText } from '../../components/step-ups.tsx';
import { hasPage, ThingLink } from '../../components/thing-link.tsx';
import { Moment } from '../../components/time.tsx';
import type { TimeRange } from '../../components/time-range.ts';
import { answerSummary } from './answer-summary.ts';
import { CheckExplained } from './check-explained.tsx';
import { byImportance } from './check-texts.ts';
import { RowActions } from './row-actions.tsx';

interface ValidationDrawerProps {
  projectId: string;
  id: string;
  /** The pages about its domain and network open with this range. */
  range: TimeRange;
  onClose: () => void;
}

/** Explains one answer: what failed and why first, technical fields folded away. */
export function ValidationDrawer({ projectId, id, range, onClose }: ValidationDrawerProps) {
  const detail = useQuery(validationQuery(projectId, id));
  return (
    <Modal title="Why this answer" drawer onClose={onClose}>
      <Loaded query={detail} pending={<SkeletonRows rows={12} />}>
        {(data) => <Explanation projectId={projectId} detail={data} range={range} />}
      </Loaded>
    </Modal>
  );
}

interface ExplanationProps {
  projectId: string;
  detail: ValidationDetail;
  range: TimeRange;
}

function Explanation({ projectId, detail, range }: ExplanationProps) {
  const results = CHECK_NAMES.flatMap((name) => {
    const result = detail.checks[name];
    return result === undefined ? [] : [{ name, result }];
  }).sort((one, other) => byImportance(one.result, other.result));
  const found = results.filter(({ result }) => resultKindOf(result) !== 'passed');
  const passed = results.filter(({ result }) => resultKindOf(result) === 'passed');
  const absent = CHECK_NAMES.filter((name) => detail.checks[name] === undefined);
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="grid gap-2">
        <div className="flex items-start justify-between gap-3">
          <p className="text-[1.1rem] font-semibold break-all">{detail.maskedAddress}</p>
          <RowActions projectId={projectId} row={detail} range={range} />
        </div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
          <RecommendationBadge value={detail.recommendation} />
          <Moment at={detail.at} />
        </p>
        <Summary detail={detail} />
        <PersonJudged
          projectId={projectId}
          judgement={detail.judgement}
          answer={detail.recommendation}
          validations={detail.mode === 'live' ? [detail.id] : []}
        />
      </header>
      <section aria-label="Checks" className="grid gap-2">
        {found.map(({ name, result }) => (
          <CheckExplained key={name} name={name} result={result} action={detail.actions[name]} />
        ))}
        {found.length === 0 && <p className="text-soft">No check found a problem.</p>}
      </section>
      {detail.rules.length + detail.shadowRules.length > 0 && (
        <section className="grid gap-2">
          <h3 className="font-semibold">Rules that matched</h3>
          <p className="flex flex-wrap gap-1.5">
            <RuleLinks projectId={projectId} ids={detail.rules} />
            <RuleLinks projectId={projectId} ids={detail.shadowRules} shadow />
          </p>
        </section>
      )}
      <section className="grid gap-2 text-[0.9rem]">
        <h3 className="font-semibold">Others in 30 days</h3>
        <SharedWith projectId={projectId} detail={detail} />
      </section>
      <Facts projectId={projectId} detail={detail} range={range} />
      {detail.signals.length > 0 && (
        <section className="grid gap-2">
          <h3 className="font-semibold">Signals</h3>
          <SignalList signals={detail.signals} />
        </section>
      )}
      <details>
        <summary className="cursor-pointer font-semibold">
          {plural(passed.length, 'check')} without a problem
        </summary>
        <div className="grid gap-2 pt-2">
          {passed.map(({ name, result }) => (
            <CheckExplained key={name} name={name} result={result} action={detail.actions[name]} />
          ))}
          {absent.length > 0 && (
            <p className="text-[0.8667rem] text-faint">
              Did not run: {absent.map((name) => CHECKS[name].title).join(', ')}. A check runs when the policy
              or the request asks for it and its input was sent.
            </p>
          )}
        </div>
      </details>
    </div>
  );
}

function Summary({ detail }: Pick<ExplanationProps, 'detail'>) {
  const { rules } = useProject();
  return <p>{answerSummary(detail, (id) => rules.find((rule) => rule.id === id)?.name ?? id)}</p>;
}

function Facts({ projectId, detail, range }: ExplanationProps) {
  const facts: [string, ReactNode][] = [
    [
      'Person',
      <ThingLink key="person" projectId={projectId} of={{ person: detail.inbox }} className="link">
        All data of this person
      </ThingLink>,
    ],
    [
      'Device',
      detail.device === null ? (
        'no fingerprint sent'
      ) : (
        <ThingLink
          key="device"
          projectId={projectId}
          of={{ device: detail.device }}
          className="link font-mono"
        >
          {detail.device.slice(0, 16)}…
        </ThingLink>
      ),
    ],
    ...(detail.stepUp === null ? [] : [['Step-up', stepUpText(detail.stepUp)] as [string, string]]),
    ['Network', <NetworkFact key="network" projectId={projectId} detail={detail} range={range} />],
    [
      'Domain',
      hasPage(detail.domain) ? (
        <ThingLink
          key="domain"
          projectId={projectId}
          of={{ domain: detail.domain }}
          range={range}
          className="link"
        >
          {detail.maskedAddress.slice(detail.maskedAddress.lastIndexOf('@') + 1)}
        </ThingLink>
      ) : (
        detail.domain
      ),
    ],
    ['Key', `${detail.keyType}, ${detail.mode}`],
    ['SDK', detail.sdkVersion ?? 'none'],
    ['Checks took', milliseconds(detail.latencyMs)],
    ['Request', <RequestId key="request" requestId={detail.requestId} />],
  ];
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">The request</h3>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-[0.9rem]">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The range of addresses, and the operator’s network that it is in. */
function NetworkFact({ projectId, detail, range }: ExplanationProps) {
  const { asn, network } = detail.checks.ip?.metadata ?? {};
  if (detail.maskedIp === null) return 'none';
  return (
    <>
      <ThingLink projectId={projectId} of={{ network: detail.maskedIp }} range={range} className="link">
        {detail.maskedIp}
      </ThingLink>
      {typeof asn === 'number' && (
        <>
          {', '}
          <ThingLink projectId={projectId} of={{ asn: String(asn) }} range={range} className="link">
            {typeof network === 'string' ? network : `AS${asn}`}
          </ThingLink>
        </>
      )}
    </>
  );
}
